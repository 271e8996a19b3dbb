"""Standard errors of scores over items that are not independent.

Pairs share words and analogy questions share pairs, so an easy word makes all its items easier.
The variance of a mean over such items includes the covariance of every two items with a unit in
common (Cameron, Gelbach and Miller 2011 for two-way clustering; Aronow, Samii and Assenova 2015
for pairs).
"""

from typing import NamedTuple

import numpy as np

from lexiscope.core.contracts.metric import Floats, Metric, UnitInfluence, Values
from lexiscope.core.contracts.task import Predictions
from lexiscope.core.datasets.base import Units
from lexiscope.core.errors import Undefined
from lexiscope.stats.resampling import leave_one_out

_MIN_ITEMS_CLOSED_FORM = 500
# The clustered variance is a noisy estimate and can even be negative. With at least this proportion
# of the variance of independent items, p-values are uniform from 65 pairs of 48 words upwards
# (benchmarks/calibration.py).
_MIN_VARIANCE_RATIO = 0.8


class StandardError(NamedTuple):
    """The standard error of a score, and the one that independent items would have.

    `degrees_of_freedom` belongs to `error`.
    """

    independent: float
    error: float
    degrees_of_freedom: int

    @property
    def design_factor(self) -> float:
        """The factor by which the interval over independent items must be widened.

        The square root of the design effect (Kish's deft), times the ratio of the quantiles of
        Student's t and of the normal distribution.
        """
        from scipy.stats import norm, t

        if not self.independent:
            return 1.0
        ratio = self.error / self.independent
        return float(ratio * t.ppf(0.975, self.degrees_of_freedom) / norm.ppf(0.975))


def influence(metric: Metric, predictions: Predictions) -> Floats:
    """Compute the influence of each item on a metric (the jackknife influence function).

    The error of the score is approximately the mean of these values. They are n times the change
    when an item is left out; in closed form for means, and for correlations of so many items that
    the two agree.
    """
    from lexiscope.metrics.correlation import pearson, spearman

    predicted, gold = predictions.predicted, predictions.gold
    if metric.per_item is not None:
        values = metric.per_item(predicted, gold)
        return np.asarray(values - values.mean())
    if metric.transform is spearman.transform and len(predicted) > _MIN_ITEMS_CLOSED_FORM:
        return rank_influence(predicted, gold)
    if metric.transform is pearson.transform and len(predicted) > _MIN_ITEMS_CLOSED_FORM:
        return _correlation_influence(_standardise(predicted), _standardise(gold))
    without = leave_one_out(metric, predictions)
    if not np.isfinite(without).all():
        raise Undefined("without one of the items there is no score")
    return np.asarray((len(without) - 1) * (without.mean() - without))


def _correlation_influence(x: Floats, y: Floats) -> Floats:
    """The influence on Pearson's correlation of standardised columns."""
    return np.asarray(x * y - np.mean(x * y) * (x**2 + y**2) / 2)


def rank_influence(predicted: Values, gold: Values) -> Floats:
    """Compute the influence on Spearman's correlation: an item also shifts the ranks above it."""
    from scipy.stats import rankdata

    ranks_x, ranks_y = rankdata(predicted), rankdata(gold)
    x, y = _standardise(ranks_x), _standardise(ranks_y)
    rho = np.mean(x * y)
    shifted = _shift(ranks_x, y - rho * x) + _shift(ranks_y, x - rho * y)
    return np.asarray(_correlation_influence(x, y) + shifted)


def _shift(ranks: Floats, values: Floats) -> Floats:
    """The effect of each item on the values by raising ranks above it by 1 and ties by 1/2."""
    return np.asarray((_above(ranks, values) - np.mean(ranks * values)) / ranks.std())


def _above(ranks: Floats, values: Floats) -> Floats:
    """For each item the sum of the values of items with higher rank, plus half of tied ones."""
    groups = np.unique(ranks, return_inverse=True)[1].ravel()
    sums = np.bincount(groups, values)
    above = sums[::-1].cumsum()[::-1] - sums / 2
    return np.asarray(above[groups], np.float64)


def _standardise(values: Values) -> Floats:
    return np.asarray((values - np.mean(values)) / np.std(values), np.float64)


def standard_error(influence: Floats, units: Units | None) -> StandardError:
    """Compute the standard error of a metric from the influence of its items.

    >>> standard_error(np.array([-1.0, 0.0, 1.0]), None).error.round(3)
    np.float64(0.577)
    """
    items = len(influence)
    if items < 2:
        raise Undefined("the variance of a score cannot be estimated from one item")
    independent = float(np.sum(influence**2)) / (items * (items - 1))
    if units is None:
        return StandardError(np.sqrt(independent), np.sqrt(independent), items - 1)
    number = len(np.unique(units))
    if number < 2:
        raise Undefined("all items share one unit, so their variance cannot be estimated")
    clustered = _cluster_sum(influence, units) / items**2 * number / (number - 1)
    variance = max(_MIN_VARIANCE_RATIO * independent, clustered)
    return StandardError(np.sqrt(independent), np.sqrt(variance), number - 1)


def standard_error_of_units(influence: UnitInfluence) -> StandardError:
    """Compute the standard error of a mean over units that share items.

    The influence of an item is part of both of its units, so it is subtracted once.
    """
    independent = float(np.sum(influence.items**2))
    number = int(np.count_nonzero(influence.units))
    if number < 2:
        raise Undefined("the variance of a score cannot be estimated from one unit")
    clustered = (float(np.sum(influence.units**2)) - independent) * number / (number - 1)
    variance = max(_MIN_VARIANCE_RATIO * independent, clustered)
    return StandardError(np.sqrt(independent), np.sqrt(variance), number - 1)


def _cluster_sum(influence: Floats, units: Units) -> float:
    """The sum of products of influences over all ordered pairs of items with a common unit."""
    if units.shape[1] == 1:
        return float(np.sum(group_sums(units[:, 0], influence) ** 2))
    one, other = np.sort(units, axis=1).T
    different = one != other
    nodes = group_sums(
        np.concatenate([one, other[different]]), np.append(influence, influence[different])
    )
    # Items with both units in common were counted twice.
    both = one * (int(units.max()) + 1) + other
    twice = group_sums(both[different], influence[different])
    return float(np.sum(nodes**2) - np.sum(twice**2))


def group_sums(groups: Units, values: Floats) -> Floats:
    """Sum the values of each group, in the order of the group codes.

    >>> group_sums(np.array([3, 1, 3]), np.array([1.0, 2.0, 4.0])).tolist()
    [2.0, 5.0]
    """
    codes = np.unique(groups, return_inverse=True)[1].ravel()
    return np.asarray(np.bincount(codes, values), np.float64)
