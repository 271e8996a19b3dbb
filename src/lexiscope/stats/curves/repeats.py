"""Means over repeated splits, whose scores are not independent.

The test sets of repeats overlap, and so do their training sets. The variance of a mean over J
repeats is therefore (1/J + r) times the variance between repeats (Nadeau and Bengio 2003), where
r is the ratio of test items to training items. This r does not depend on the training size of a
point of the curve: it stands for the correlation r / (1 + r) between two repeats, which is the
proportion of items that their test sets share.
"""

from typing import NamedTuple

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import Undefined
from lexiscope.stats.intervals import CONFIDENCE_LEVEL

_ROUNDING = 1e-12


class Means(NamedTuple):
    """Means over repeats with standard errors; `degrees_of_freedom` are those of the errors."""

    value: Floats
    error: Floats
    degrees_of_freedom: float

    def interval(self, bounds: tuple[float, float] | None = None) -> tuple[Floats, Floats]:
        """Return the limits of the 95 % t intervals, within the bounds of the metric."""
        from scipy.stats import t

        half = t.ppf((1 + CONFIDENCE_LEVEL) / 2, self.degrees_of_freedom) * self.error
        least, most = bounds or (-np.inf, np.inf)
        return np.maximum(self.value - half, least), np.minimum(self.value + half, most)

    def p_value(self) -> Floats:
        """Return the p-values of two-sided t-tests that the means are 0."""
        from scipy.stats import t

        with np.errstate(divide="ignore", invalid="ignore"):
            statistic = np.where(self.error > 0, np.abs(self.value) / self.error, np.inf)
        statistic = np.where((self.error == 0) & (self.value == 0), 0.0, statistic)
        return np.asarray(2 * t.sf(statistic, self.degrees_of_freedom))


def corrected_means(values: Floats, test_ratio: float) -> Means:
    """Compute means over repeats, the first axis, with corrected standard errors.

    Parameters
    ----------
    values : ndarray of shape (repeats, ...)
        Scores, areas, or differences of them.
    test_ratio : float
        The number of test items divided by the number of training items.

    Examples
    --------
    >>> found = corrected_means(np.array([0.02, 0.03, 0.01, 0.03, 0.02]), 20 / 80)
    >>> round(float(found.value), 3), round(float(found.p_value()), 3)
    (0.022, 0.017)
    """
    repeats = len(values)
    if repeats < 2:
        raise Undefined("the variance over repeats cannot be estimated from one repeat")
    variance = np.var(values, axis=0, ddof=1)
    # Differences of equal scores vary by rounding errors, which are no variance.
    variance = np.where(np.ptp(values, axis=0) <= _ROUNDING, 0.0, variance)
    error = np.sqrt((1 / repeats + test_ratio) * variance)
    return Means(np.mean(values, axis=0), np.asarray(error), repeats - 1)


def weighted_sum(parts: list[Means], weights: list[float]) -> Means:
    """Compute the weighted sum of independent means, with Satterthwaite's degrees of freedom.

    >>> parts = [Means(np.array(1.0), np.array(0.3), 5), Means(np.array(3.0), np.array(0.4), 5)]
    >>> found = weighted_sum(parts, [0.5, 0.5])
    >>> float(found.value), round(float(found.error), 2), round(found.degrees_of_freedom, 1)
    (2.0, 0.25, 9.3)
    """
    value = sum(w * each.value for w, each in zip(weights, parts, strict=True))
    variances = [float((w * each.error) ** 2) for w, each in zip(weights, parts, strict=True)]
    total = sum(variances)
    if not total:
        least = min(each.degrees_of_freedom for each in parts)
        return Means(np.asarray(value), np.asarray(0.0), least)
    pieces = (v**2 / each.degrees_of_freedom for v, each in zip(variances, parts, strict=True))
    return Means(np.asarray(value), np.sqrt(np.asarray(total)), total**2 / sum(pieces))
