"""Correlation of many resamples of the same items, without sorting again."""

import numpy as np
from numba import njit


@njit(nogil=True, cache=True, boundscheck=False)
def _weighted_ranks(order, tied, weights, ranks):
    """Average ranks of a sample that holds item i `weights[i]` times.

    `order` sorts the items; `tied[k]` is whether item order[k] equals item order[k - 1].
    """
    n = order.shape[0]
    before = 0.0
    k = 0
    while k < n:
        stop = k + 1
        while stop < n and tied[stop]:
            stop += 1
        weight = 0.0
        for i in range(k, stop):
            weight += weights[order[i]]
        rank = before + (weight + 1.0) / 2.0
        for i in range(k, stop):
            ranks[order[i]] = rank
        before += weight
        k = stop


@njit(nogil=True, cache=True, boundscheck=False)
def _constant(values, weights):
    """Whether the sample holds one value only; its rounded mean may differ from that value."""
    first = -1
    for i in range(values.shape[0]):
        if weights[i] > 0.0:
            if first < 0:
                first = i
            elif values[i] != values[first]:
                return False
    return True


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def _weighted_correlation(x, y, weights):
    if _constant(x, weights) or _constant(y, weights):
        return np.nan
    total = 0.0
    mean_x = 0.0
    mean_y = 0.0
    for i in range(x.shape[0]):
        total += weights[i]
        mean_x += weights[i] * x[i]
        mean_y += weights[i] * y[i]
    mean_x /= total
    mean_y /= total
    xx = 0.0
    yy = 0.0
    xy = 0.0
    for i in range(x.shape[0]):
        dx = x[i] - mean_x
        dy = y[i] - mean_y
        xx += weights[i] * dx * dx
        yy += weights[i] * dy * dy
        xy += weights[i] * dx * dy
    if xx <= 0.0 or yy <= 0.0:
        return np.nan
    return xy / np.sqrt(xx * yy)


@njit(nogil=True, cache=True, boundscheck=False)
def resampled_spearman(order_x, tied_x, order_y, tied_y, samples, out):
    """Spearman's correlation of each sample (row of item numbers); NaN when one is constant."""
    n = order_x.shape[0]
    weights = np.empty(n)
    ranks_x = np.empty(n)
    ranks_y = np.empty(n)
    for s in range(samples.shape[0]):
        weights[:] = 0.0
        for i in range(samples.shape[1]):
            weights[samples[s, i]] += 1.0
        _weighted_ranks(order_x, tied_x, weights, ranks_x)
        _weighted_ranks(order_y, tied_y, weights, ranks_y)
        out[s] = _weighted_correlation(ranks_x, ranks_y, weights)


@njit(nogil=True, cache=True, boundscheck=False)
def resampled_pearson(x, y, samples, out):
    """Pearson's correlation of each sample; NaN when one is constant."""
    weights = np.empty(x.shape[0])
    for s in range(samples.shape[0]):
        weights[:] = 0.0
        for i in range(samples.shape[1]):
            weights[samples[s, i]] += 1.0
        out[s] = _weighted_correlation(x, y, weights)
