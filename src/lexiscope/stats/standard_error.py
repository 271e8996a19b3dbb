"""Standard errors of scores over items that are not independent."""

from typing import NamedTuple

import numpy as np

from lexiscope.core.contracts.metric import Floats, Metric, UnitInfluence, Values
from lexiscope.core.contracts.task import Predictions
from lexiscope.core.datasets.base import Units
from lexiscope.core.errors import Undefined
from lexiscope.stats import students_t
from lexiscope.stats.dependence import Codes, dependence, independent_variance
from lexiscope.stats.resampling import leave_one_out

_MIN_ITEMS_CLOSED_FORM = 500
# The variance over crossed units can be negative. With at least this proportion of the variance of
# independent items, tests keep their level if there are no unit effects
# (benchmarks/calibration.py).
_MIN_VARIANCE_RATIO = 0.8
_NORMAL_QUANTILE = 1.959963984540054  # of 0.975


class StandardError(NamedTuple):
    """The standard error of a score, and the one that independent items would have.

    `degrees_of_freedom` belong to `error`. `crossed`: items have several units, or share none but
    with others that have.
    """

    independent: float
    error: float
    degrees_of_freedom: float
    crossed: bool = False

    @property
    def design_factor(self) -> float:
        """The factor by which the interval over independent items must be widened.

        The square root of the design effect (Kish's deft), times the ratio of the quantiles of
        Student's t and of the normal distribution.
        """
        if not self.independent:
            return 1.0
        return float(self.error / self.independent * self.quantile(0.975) / _NORMAL_QUANTILE)

    def quantile(self, probability: float) -> float:
        """The quantile of Student's t."""
        return students_t.quantile(probability, self.degrees_of_freedom)

    def inflated(self, factor: float) -> "StandardError":
        """The same with the variance multiplied by a factor."""
        return self._replace(error=self.error * float(np.sqrt(factor)))


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


def standard_error(
    influence: Floats, units: Units | None, strata: Codes | None = None
) -> StandardError:
    """Compute the standard error of a metric from the influence of its items.

    >>> standard_error(np.array([-1.0, 0.0, 1.0]), None).error.round(3)
    np.float64(0.577)
    """
    items = len(influence)
    if items < 2:
        raise Undefined("the variance of a score cannot be estimated from one item")
    independent = np.sqrt(float(np.sum(influence**2)) / (items * (items - 1)))
    within, freedom = independent_variance(influence, strata)
    if units is None:
        if not freedom:
            raise Undefined("every stratum has one item, so the variance cannot be estimated")
        return StandardError(independent, np.sqrt(within), freedom)
    if len(np.unique(units)) < 2:
        raise Undefined("all items share one unit, so their variance cannot be estimated")
    found = dependence(units, strata)
    if not np.isfinite(found.correction) or found.degrees_of_freedom <= 0:
        raise Undefined("almost all items share one unit, so their variance cannot be estimated")
    variance = found.variance(influence)
    if found.crossed:
        variance = max(variance, _MIN_VARIANCE_RATIO * within)
    return StandardError(independent, np.sqrt(variance), found.degrees_of_freedom, found.crossed)


def standard_error_of_units(influence: UnitInfluence, scores: Floats) -> StandardError:
    """Compute the standard error of the mean of `scores`, one per unit, if units share items.

    The variance between scores is added to that of common partners. The influence of an item is
    part of both of its units, so it is subtracted once. Few scores or few common partners give few
    degrees of freedom (Satterthwaite).
    """
    number = len(scores)
    if number < 2:
        raise Undefined("the variance of a score cannot be estimated from one unit")
    between = float(np.sum((scores - scores.mean()) ** 2)) / (number * (number - 1))
    partners = int(np.count_nonzero(influence.partnerships > 1))
    shared, freedom = 0.0, 1.0
    if partners > 1:
        together = np.sum((influence.own + influence.partner) ** 2) - np.sum(influence.own**2)
        # Squared, as in the jackknife: influences of ranks are linear approximations.
        correction, freedom = (partners / (partners - 1)) ** 2, partners - 1
        shared = max(0.0, float(together) * correction - float(np.sum(influence.items**2)))
    variance = between + shared
    parts = between**2 / (number - 1) + shared**2 / freedom
    total = variance**2 / parts if parts else number - 1
    return StandardError(np.sqrt(between), np.sqrt(variance), float(total))


def jackknife_error(*without: Floats) -> StandardError:
    """Compute the standard error of a metric, or of the difference of two, by leaving out units.

    `without` has the values of a metric without each unit in turn, those of `leave_one_unit_out`:
    such as the categories of words; items without units are left out one by one.
    """
    values = without[0] if len(without) == 1 else without[0] - without[1]
    number = len(values)
    if number < 2:
        raise Undefined("all items share one unit, so their variance cannot be estimated")
    if not np.isfinite(values).all():
        raise Undefined("without one of the units there is no score")
    spread = float(np.sum((values - values.mean()) ** 2))
    error = float(np.sqrt((number - 1) / number * spread))
    return StandardError(error, error, number - 1)


def group_sums(groups: Units, values: Floats) -> Floats:
    """Sum the values of each group, in the order of the group codes.

    >>> group_sums(np.array([3, 1, 3]), np.array([1.0, 2.0, 4.0])).tolist()
    [2.0, 5.0]
    """
    codes = np.unique(groups, return_inverse=True)[1].ravel()
    return np.asarray(np.bincount(codes, values), np.float64)
