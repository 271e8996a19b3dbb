"""Correlations and sums of many resamples of the same items, without sorting again.

A resample is how often it holds each item. `counts` is (blocks, items, BLOCK): the resamples of a
block are next to each other, so that one instruction works on several of them. Ranks are doubled
and centred, hence integers, and all sums of them are exact.
"""

import numpy as np
from numba import njit

BLOCK = 64  # resamples that are processed together


@njit(nogil=True, cache=True, boundscheck=False)
def count_items(rows, counts):
    """Count how often each row of item indices holds each item; `counts` are 0."""
    for s in range(rows.shape[0]):
        block, lane = s // BLOCK, s % BLOCK
        for i in range(rows.shape[1]):
            counts[block, rows[s, i], lane] += 1


@njit(nogil=True, cache=True, boundscheck=False)
def centred_ranks(order, tied, counts, ranks, squares):
    """Twice the centred average rank of each item in each resample (blocks, items, BLOCK).

    `order` sorts the items; `tied[k]` is whether item order[k] equals item order[k - 1]. `squares`
    (blocks, BLOCK) are set to the sums of squares over the items of a resample.
    """
    n = order.shape[0]
    before = np.empty(BLOCK, np.int32)
    within = np.empty(BLOCK, np.int32)
    total = np.empty(BLOCK)
    for b in range(counts.shape[0]):
        size = _sizes(counts[b])
        before[:] = 0
        total[:] = 0.0
        k = 0
        while k < n:
            stop = _end_of_ties(tied, k)
            within[:] = 0
            for i in range(k, stop):
                held = counts[b, order[i]]
                for s in range(BLOCK):
                    within[s] += held[s]
            row = ranks[b, order[k]]
            for s in range(BLOCK):
                rank = 2 * before[s] + within[s] - size[s]
                row[s] = rank
                total[s] += np.float64(within[s]) * (np.float64(rank) * np.float64(rank))
                before[s] += within[s]
            for i in range(k + 1, stop):
                ranks[b, order[i]] = row
            k = stop
        squares[b] = total


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def resampled_spearman(order, tied, counts, other, squares, out):
    """Spearman's correlation of each resample (blocks, BLOCK); NaN where a column is constant.

    `other` and `squares` are the `centred_ranks` of the other column.
    """
    n = order.shape[0]
    before = np.empty(BLOCK, np.int32)
    within = np.empty(BLOCK, np.int32)
    across = np.empty(BLOCK)
    xx = np.empty(BLOCK)
    xy = np.empty(BLOCK)
    for b in range(counts.shape[0]):
        size = _sizes(counts[b])
        before[:] = 0
        xx[:] = 0.0
        xy[:] = 0.0
        k = 0
        while k < n:
            stop = _end_of_ties(tied, k)
            held = counts[b, order[k]]
            there = other[b, order[k]]
            for s in range(BLOCK):
                within[s] = held[s]
                across[s] = np.float64(held[s]) * np.float64(there[s])
            for i in range(k + 1, stop):
                held = counts[b, order[i]]
                there = other[b, order[i]]
                for s in range(BLOCK):
                    within[s] += held[s]
                    across[s] += np.float64(held[s]) * np.float64(there[s])
            for s in range(BLOCK):
                rank = np.float64(2 * before[s] + within[s] - size[s])
                xx[s] += np.float64(within[s]) * (rank * rank)
                xy[s] += rank * across[s]
                before[s] += within[s]
            k = stop
        for s in range(BLOCK):
            spread = xx[s] * squares[b, s]
            out[b, s] = xy[s] / np.sqrt(spread) if spread > 0.0 else np.nan


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def resampled_pearson(x, y, counts, out):
    """Pearson's correlation of each resample (blocks, BLOCK); NaN where a column is constant."""
    for b in range(counts.shape[0]):
        size = _sizes(counts[b])
        mean_x, constant_x = _means(x, counts[b], size)
        mean_y, constant_y = _means(y, counts[b], size)
        xx = np.zeros(BLOCK)
        yy = np.zeros(BLOCK)
        xy = np.zeros(BLOCK)
        for i in range(x.shape[0]):
            held = counts[b, i]
            for s in range(BLOCK):
                dx = x[i] - mean_x[s]
                dy = y[i] - mean_y[s]
                many = np.float64(held[s])
                xx[s] += many * dx * dx
                yy[s] += many * dy * dy
                xy[s] += many * dx * dy
        for s in range(BLOCK):
            varies = not constant_x[s] and not constant_y[s] and xx[s] > 0.0 and yy[s] > 0.0
            out[b, s] = xy[s] / np.sqrt(xx[s] * yy[s]) if varies else np.nan


@njit(nogil=True, cache=True, boundscheck=False)
def resampled_sums(values, counts, out):
    """The sum of the values of each resample (blocks, BLOCK)."""
    total = np.empty(BLOCK)
    for b in range(counts.shape[0]):
        total[:] = 0.0
        for i in range(values.shape[0]):
            held = counts[b, i]
            for s in range(BLOCK):
                total[s] += np.float64(held[s]) * values[i]
        out[b] = total


@njit(nogil=True, cache=True, boundscheck=False)
def _end_of_ties(tied, k):
    """The end of the tied items that begin at position k of the order."""
    stop = k + 1
    while stop < tied.shape[0] and tied[stop]:
        stop += 1
    return stop


@njit(nogil=True, cache=True, boundscheck=False)
def _sizes(counts):
    """The number of items in each resample of a block."""
    size = np.zeros(BLOCK, np.int32)
    for i in range(counts.shape[0]):
        held = counts[i]
        for s in range(BLOCK):
            size[s] += held[s]
    return size


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def _means(values, counts, size):
    """The mean of each resample of a block, and whether it holds one value only.

    The rounded mean of equal values may differ from them, so they are compared.
    """
    mean = np.zeros(BLOCK)
    low = np.full(BLOCK, np.inf)
    high = np.full(BLOCK, -np.inf)
    for i in range(values.shape[0]):
        held = counts[i]
        value = values[i]
        for s in range(BLOCK):
            mean[s] += np.float64(held[s]) * value
            low[s] = min(low[s], value if held[s] > 0 else np.inf)
            high[s] = max(high[s], value if held[s] > 0 else -np.inf)
    for s in range(BLOCK):
        mean[s] /= size[s]
    return mean, low >= high
