"""Confidence intervals of scores."""

from collections.abc import Callable
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats, Metric
from lexiscope.core.contracts.task import Predictions
from lexiscope.core.datasets.base import Units
from lexiscope.core.errors import Undefined
from lexiscope.stats.dependence import dependence
from lexiscope.stats.resampling import (
    RESAMPLES,
    Resamples,
    leave_one_unit_out,
    resampled_metric,
    without_each,
)
from lexiscope.stats.standard_error import (
    StandardError,
    influence,
    jackknife_error,
    standard_error,
    standard_error_of_units,
)

CONFIDENCE_LEVEL = 0.95
NORMAL_QUANTILE = NormalDist().inv_cdf((1 + CONFIDENCE_LEVEL) / 2)
FEW_ITEMS = 20  # with fewer, a bootstrap is too narrow, and parametric intervals are used
_MIN_ITEMS_OF_A_CORRELATION = 4
_ROUNDING = 1e-12
MAX_BCA_ITEMS = 1000  # above, the BCa correction is negligible


class Interval(NamedTuple):
    """A confidence interval at `CONFIDENCE_LEVEL`."""

    low: float
    high: float


def confidence_interval(metric: Metric, predictions: Predictions, rng: Generator) -> Interval:
    """Compute the 95 % confidence interval of a score, for other items of the same kind.

    Binary items (right or wrong) have Jeffreys' binomial interval, which also exists if all are
    right. A mean over units and a metric with `jackknife` have a t interval. Any other metric has
    a bootstrap interval over items: BCa, or percentile above 1,000 items; a correlation of fewer
    than 20 items has the interval of Fisher's z transformation. The interval is wider if items
    share sampling units, or if they were predicted by cross-validation.

    Examples
    --------
    >>> import numpy as np
    >>> from lexiscope import Predictions
    >>> from lexiscope.metrics.accuracy import accuracy
    >>> predictions = Predictions(np.array(["a"] * 10), np.array(["a"] * 8 + ["b"] * 2))
    >>> low, high = confidence_interval(accuracy, predictions, np.random.default_rng(0))
    >>> round(low, 2), round(high, 2)
    (0.5, 0.96)
    """
    if metric.per_unit is not None:
        return _over_units(metric, predictions)
    value = metric(predictions.predicted, predictions.gold)
    if metric.jackknife:
        spread = jackknife_error(leave_one_unit_out(metric, predictions))
        return t_interval(value, spread.inflated(predictions.variance_inflation), metric)
    if metric.per_item is not None:
        values = metric.per_item(predictions.predicted, predictions.gold)
        if is_binary(values) or (metric.bounds == (0.0, 1.0) and not np.ptp(values)):
            return _binomial_interval(values, predictions)
    if metric.transform is not None and len(predictions.predicted) < FEW_ITEMS:
        return _interval_of_correlation(metric, value, predictions)
    return _bootstrapped(metric, value, predictions, rng)


def _bootstrapped(
    metric: Metric, value: float, predictions: Predictions, rng: Generator
) -> Interval:
    """The bootstrap interval, widened if items share units."""
    error = _error(metric, predictions)
    if not error.error and metric.transform is not None:  # a perfect correlation
        return _interval_of_correlation(metric, value, predictions)
    if not error.error and metric.bounds == (0.0, 1.0):  # such as a perfect F1
        return _proportion_interval(value, _effective_sample_size(np.zeros(0), predictions))
    if not error.error:
        raise Undefined("all items have the same value, so there is no confidence interval")
    found = _bootstrap_items(metric, predictions, rng)
    wide = widen(value, found, error.design_factor, metric.transform is not None)
    return clip(wide, metric)


def _error(metric: Metric, predictions: Predictions) -> StandardError:
    found = standard_error(influence(metric, predictions), predictions.units, predictions.strata)
    return found.inflated(predictions.variance_inflation)


def _bootstrap_items(metric: Metric, predictions: Predictions, rng: Generator) -> Interval:
    """The bootstrap interval; for very many items, of the frequencies of distinct counts."""
    many = len(predictions.predicted) > MAX_BCA_ITEMS
    if not many or metric.counts is None or metric.of_totals is None:
        return bootstrap_interval(
            resampled_metric(metric, predictions), len(predictions.predicted), rng
        )
    rows = metric.counts(predictions.predicted, predictions.gold)
    distinct, frequencies = np.unique(rows, axis=0, return_counts=True)
    sampled = rng.multinomial(len(rows), frequencies / len(rows), RESAMPLES)
    return percentile_interval(metric.of_totals(sampled @ distinct))


def _interval_of_correlation(metric: Metric, value: float, predictions: Predictions) -> Interval:
    """The interval of a correlation by Fisher's z transformation.

    The standard error of Spearman's rho is that of Bonett and Wright (2000). A perfect correlation
    is moved inwards by half a rank, so that its interval has a width.
    """
    from lexiscope.metrics.correlation import spearman

    items = len(predictions.predicted)
    if items < _MIN_ITEMS_OF_A_CORRELATION:
        raise Undefined(
            f"a correlation of {items} items has no confidence interval; "
            f"at least {_MIN_ITEMS_OF_A_CORRELATION} are needed"
        )
    inside = float(np.clip(value, -1 + 0.5 / items, 1 - 0.5 / items))
    ranked = metric.transform is spearman.transform
    error = np.sqrt((1 + (inside**2 / 2 if ranked else 0)) / (items - 3))
    try:
        factor = _error(metric, predictions).design_factor if predictions.units is not None else 1.0
    except Undefined:
        factor = 1.0
    centre, half = np.arctanh(inside), NORMAL_QUANTILE * error * max(1.0, factor)
    low, high = float(np.tanh(centre - half)), float(np.tanh(centre + half))
    return Interval(min(low, value), max(high, value))


def _over_units(metric: Metric, predictions: Predictions) -> Interval:
    """The t interval of a mean over units, wider if units share items."""
    units = units_as_items(metric, predictions)[1]
    if len(units.predicted) < 2:
        raise Undefined("only one unit has a score of its own")
    value = float(units.predicted.mean())
    if metric.unit_influence is None or metric.scored_units is None:
        return t_interval(value, standard_error(units.predicted - value, None), metric)
    columns = predictions.predicted, predictions.gold, predictions.units
    found = metric.unit_influence(*columns, metric.scored_units(*columns))
    return t_interval(value, standard_error_of_units(found, units.predicted), metric)


def t_interval(value: float, error: StandardError, metric: Metric) -> Interval:
    """The interval by Student's t around a score, within the bounds of the metric.

    A mean of correlations has a skewed distribution: its interval is computed on Fisher's z scale.
    """
    if not error.error:
        raise Undefined("there is no variance, so there is no confidence interval")
    half = error.quantile((1 + CONFIDENCE_LEVEL) / 2) * error.error
    if metric.bounds == (-1.0, 1.0) and abs(value) < 1:
        centre, half = np.arctanh(value), half / (1 - value**2)
        return Interval(float(np.tanh(centre - half)), float(np.tanh(centre + half)))
    return clip(Interval(value - half, value + half), metric)


def clip(found: Interval, metric: Metric) -> Interval:
    """Limit an interval to the possible values of the metric.

    >>> clip(Interval(0.9, 1.2), Metric(max, "proportion", bounds=(0.0, 1.0)))
    Interval(low=0.9, high=1.0)
    """
    if metric.bounds is None:
        return found
    least, most = metric.bounds
    return Interval(max(found.low, least), min(found.high, most))


def units_as_items(metric: Metric, predictions: Predictions) -> tuple[Metric, Predictions]:
    """Convert a mean over units to a mean over items: each unit becomes one item."""
    if metric.per_unit is None:
        return metric, predictions
    columns = predictions.predicted, predictions.gold, predictions.units
    metric(*columns)  # raises Undefined if no unit has a number
    values = metric.per_unit(*columns)
    return mean_metric(metric.name, metric.bounds), Predictions(values, np.zeros(len(values)))


def mean_metric(name: str, bounds: tuple[float, float] | None = None) -> Metric:
    """Return the metric that is the mean of the predictions, which are scores of items."""
    return Metric(_mean, name, per_item=_predicted, bounds=bounds)


def _mean(predicted: Floats, gold: Floats) -> float:
    return float(np.mean(predicted))


def _predicted(predicted: Floats, gold: Floats) -> Floats:
    return predicted


def is_binary(values: Floats) -> bool:
    """Return whether every value is 0 or 1."""
    return bool(np.all((values == 0) | (values == 1)))


def _binomial_interval(hits: Floats, predictions: Predictions) -> Interval:
    """Jeffreys' interval of a proportion, with the effective sample size.

    Items that share units have a smaller effective sample size (Korn and Graubard 1998).
    """
    return _proportion_interval(float(hits.mean()), _effective_sample_size(hits, predictions))


def _proportion_interval(proportion: float, size: float) -> Interval:
    """Jeffreys' interval of a proportion of `size` independent items."""
    from scipy.stats import beta

    right, wrong = proportion * size, (1 - proportion) * size
    low, high = (
        beta.ppf((1 + side * CONFIDENCE_LEVEL) / 2, right + 0.5, wrong + 0.5) for side in (-1, 1)
    )
    return Interval(float(low) if right else 0.0, float(high) if wrong else 1.0)


def _effective_sample_size(hits: Floats, predictions: Predictions) -> float:
    units, inflation = predictions.units, predictions.variance_inflation
    items = len(predictions.predicted)
    if len(hits) < 2 or not np.ptp(hits):  # no variation: count each unit once
        number = items if units is None else _independent_groups(units, predictions.strata)
        return number / inflation
    if units is None and predictions.strata is None:
        return len(hits) / inflation
    error = standard_error(hits - hits.mean(), units, predictions.strata)
    if not error.error:  # items differ only between strata
        return len(hits) / inflation
    return len(hits) / error.inflated(inflation).design_factor ** 2


def _independent_groups(units: Units, strata: NDArray[np.int64] | None) -> float:
    """The number of independent items with as many degrees of freedom as these items."""
    found = dependence(units, strata)
    number = found.degrees_of_freedom + len(np.unique(found.strata))
    return min(float(len(units)), max(1.0, number))


def bootstrap_interval(
    statistic: Callable[[Resamples], Floats], items: int, rng: Generator
) -> Interval:
    """Compute the bootstrap interval over independent items: BCa, or percentile for very many.

    `statistic` maps resamples to one value for each.
    """
    if items < 2:
        raise Undefined("the variance of a score cannot be estimated from one item")
    values = statistic(Resamples.drawn(items, rng))
    if items > MAX_BCA_ITEMS:
        return percentile_interval(values)
    (observed,) = statistic(Resamples.of(np.arange(items)[None]))
    return bca_interval(values, observed, statistic(without_each(items)))


def bca_interval(values: Floats, observed: float, without: Floats) -> Interval:
    """Return the bias-corrected and accelerated interval (Efron 1987).

    `values` are those of the resamples, `without` those of all items but one. Where the correction
    is undefined, it is the percentile interval.

    >>> low, high = bca_interval(np.arange(2001.0), 1000.0, np.arange(20.0))
    >>> round(low), round(high)
    (50, 1950)
    """
    from scipy.special import ndtr, ndtri

    with np.errstate(all="ignore"):
        # Resamples with the same items in another order differ by rounding: these are ties.
        above = np.count_nonzero(values > observed + _ROUNDING)
        below = np.count_nonzero(values < observed - _ROUNDING) + len(values) - above
        bias = ndtri(below / (2 * len(values)))
        influence = (len(without) - 1) * (without.mean() - without) / len(without)
        acceleration = np.sum(influence**3) / (6 * np.sum(influence**2) ** 1.5)
        shifted = bias + ndtri([(1 - CONFIDENCE_LEVEL) / 2, (1 + CONFIDENCE_LEVEL) / 2])
        ends = ndtr(bias + shifted / (1 - acceleration * shifted))
    if not (np.isfinite(values).all() and np.isfinite(ends).all()):
        return percentile_interval(values)
    low, high = np.quantile(values, ends)
    return Interval(float(low), float(high))


def percentile_interval(values: Floats) -> Interval:
    """Return the percentile interval of the finite values.

    Undefined if more than 1 in 20 values is not finite.

    >>> low, high = percentile_interval(np.arange(101.0))
    >>> round(low, 1), round(high, 1)
    (2.5, 97.5)
    """
    finite = values[np.isfinite(values)]
    if len(finite) < 0.95 * len(values):
        raise Undefined("too few resamples have a score to give a confidence interval")
    low, high = np.quantile(finite, [(1 - CONFIDENCE_LEVEL) / 2, (1 + CONFIDENCE_LEVEL) / 2])
    return Interval(float(low), float(high))


def widen(value: float, found: Interval, factor: float, correlation: bool) -> Interval:
    """Widen an interval around its score by a factor; a correlation on Fisher's z scale.

    >>> widen(0.5, Interval(0.25, 0.75), 2.0, correlation=False)
    Interval(low=0.0, high=1.0)
    """
    if factor == 1.0:
        return found
    if not correlation:
        return Interval(*(value + factor * (end - value) for end in found))
    centre, *ends = np.arctanh(np.clip([value, *found], -1 + 1e-12, 1 - 1e-12))
    return Interval(*(float(np.tanh(centre + factor * (end - centre))) for end in ends))
