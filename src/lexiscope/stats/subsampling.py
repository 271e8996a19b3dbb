"""Intervals from subsamples without replacement."""

from collections.abc import Sequence

import numpy as np

from lexiscope.stats.intervals import Interval


def subsampling_interval(
    value: float, subsamples: Sequence[float], number: int, size: int
) -> Interval:
    """The 95 % interval of a statistic of `size` items from subsamples of `number` of them.

    A subsample of b of n items varies around the value of all of them with b's variance times
    1 - b / n, so that the spread is rescaled by sqrt(b / (n - b)) to that of n items. The interval
    is around the value of all items: statistics such as IsoScore depend on the number of items, so
    those of subsamples have another mean. It describes other items of the same kind and number.

    Parameters
    ----------
    value : float
        The statistic of all items.
    subsamples : sequence of float
        The statistic of random subsamples, two or more.
    number : int
        The number of items of a subsample, below `size`.
    size : int
        The number of items.

    Examples
    --------
    >>> low, high = subsampling_interval(0.5, [0.40, 0.42, 0.44], 50, 100)
    >>> round(low, 3), round(high, 3)  # t of 2 degrees of freedom is 4.30, the deviation 0.02
    (0.414, 0.586)
    """
    from scipy.stats import t

    deviation = float(np.std(subsamples, ddof=1)) * float(np.sqrt(number / (size - number)))
    half = float(t.ppf(0.975, len(subsamples) - 1)) * deviation
    return Interval(value - half, value + half)
