"""Labels needed: the training size at which a learning curve reaches a target score."""

from typing import NamedTuple

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.stats.intervals import CONFIDENCE_LEVEL


def isotonic(curves: Floats) -> Floats:
    """Fit non-decreasing curves by least squares; the last axis is the training size.

    The fit at a size is the largest, over all starts before it, of the smallest mean up to any end
    after it (Barlow et al. 1972).

    >>> isotonic(np.array([1.0, 3.0, 2.0, 4.0])).tolist()
    [1.0, 2.5, 2.5, 4.0]
    """
    sizes = curves.shape[-1]
    sums = np.concatenate([np.zeros((*curves.shape[:-1], 1)), np.cumsum(curves, axis=-1)], axis=-1)
    start, end = np.arange(sizes)[:, None], np.arange(1, sizes + 1)[None, :]
    means = (sums[..., end] - sums[..., start]) / np.maximum(end - start, 1)
    means = np.where(end > start, means, np.inf)  # (..., start, end)
    lowest = np.minimum.accumulate(means[..., ::-1], axis=-1)[..., ::-1]
    fits = [lowest[..., : size + 1, size].max(axis=-1) for size in range(sizes)]
    return np.stack(fits, axis=-1)


class Sizes(NamedTuple):
    """Lowest and highest possible training sizes at which curves reach their targets.

    Both are equal, unless the target is reached before the smallest size (0 and the smallest size)
    or not at all (the largest size and infinity).
    """

    low: Floats
    high: Floats


def labels_needed(sizes: Floats, curves: Floats, targets: Floats) -> Sizes:
    """Find the training sizes at which the isotonic fits of curves reach the targets.

    Between two sizes, the fit is linear in the logarithm of the size.

    Parameters
    ----------
    sizes : ndarray of shape (sizes,)
        Increasing training sizes.
    curves : ndarray of shape (..., sizes)
        Mean scores at these sizes.
    targets : ndarray of shape (...)
        Target scores.

    Examples
    --------
    >>> sizes = np.array([10.0, 20.0, 40.0])
    >>> labels_needed(sizes, np.array([[0.5, 0.6, 0.8]]), np.array([0.7])).low.round(2).tolist()
    [28.28]
    """
    fits = isotonic(curves)
    goals = np.asarray(targets)[..., None]
    reached = fits >= goals - 1e-12  # the fit of a constant curve has rounding errors
    first = np.where(reached.any(axis=-1), reached.argmax(axis=-1), len(sizes))
    after = np.clip(first, 1, len(sizes) - 1)
    below, above = (np.take_along_axis(fits, (after - k)[..., None], -1)[..., 0] for k in (1, 0))
    step = np.where(above > below, above - below, 1.0)
    fraction = np.clip((goals[..., 0] - below) / step, 0.0, 1.0)
    logs = np.log2(sizes)
    inside = 2 ** (logs[after - 1] + fraction * (logs[after] - logs[after - 1]))
    at_once, never = first == 0, first == len(sizes)
    low = np.where(at_once, 0.0, np.where(never, sizes[-1], inside))
    high = np.where(at_once, sizes[0], np.where(never, np.inf, inside))
    return Sizes(low, high)


def ratios(first: Sizes, second: Sizes) -> Sizes:
    """Compute the lowest and highest possible ratios of two training sizes."""
    with np.errstate(divide="ignore", invalid="ignore"):
        low = np.where(np.isinf(second.high), 0.0, first.low / second.high)
        high = np.where(second.low == 0, np.inf, first.high / second.low)
    return Sizes(low, high)


def percentile_limits(found: Sizes) -> tuple[float, float]:
    """Return the 95 % percentile interval of resampled sizes or ratios.

    Its lower limit is 0, or its upper one infinite, if too many resamples have no such limit.

    >>> values = np.arange(1.0, 101.0)
    >>> percentile_limits(Sizes(values, np.where(values > 90, np.inf, values)))
    (3.0, inf)
    """
    tail = (1 - CONFIDENCE_LEVEL) / 2
    low = np.quantile(found.low, tail, method="lower")
    high = np.quantile(found.high, 1 - tail, method="higher")
    return float(low), float(high)
