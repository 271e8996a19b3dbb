"""Confidence intervals of scores by resampling items."""

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.metric import Floats, Metric
from lexiscope.core.contracts.task import Predictions
from lexiscope.core.datasets.base import Units
from lexiscope.core.errors import Undefined
from lexiscope.stats.resampling import Samples, resampled_metric
from lexiscope.stats.standard_error import (
    StandardError,
    influence,
    standard_error,
    standard_error_of_units,
)

CONFIDENCE_LEVEL = 0.95
RESAMPLES = 2000
_MAX_BCA_ITEMS = 1000  # above, the BCa correction is negligible
_BATCH = 1 << 22  # item indices in memory: 32 MB


class Interval(NamedTuple):
    """A confidence interval at `CONFIDENCE_LEVEL`."""

    low: float
    high: float


def confidence_interval(metric: Metric, predictions: Predictions, rng: Generator) -> Interval:
    """Compute the 95 % confidence interval of a score, for other items of the same kind.

    Binary items (right or wrong) have Jeffreys' binomial interval, which also exists if all are
    right. Any other metric has a bootstrap interval over items: BCa, or percentile above 1,000
    items. The interval is wider if items share sampling units.

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
        return _over_units(metric, predictions, rng)
    if metric.per_item is not None:
        values = metric.per_item(predictions.predicted, predictions.gold)
        if is_binary(values):
            return _binomial_interval(values, predictions.units)
    found = _bootstrap_items(metric, predictions, rng)
    error = standard_error(influence(metric, predictions), predictions.units)
    factor = error.design_factor * _repeat_factor(metric, predictions, error)
    value = metric(predictions.predicted, predictions.gold)
    wide = widen(value, found, factor, metric.transform is not None)
    # The mean over repetitions of a proportion stays within 0 and 1.
    return wide if metric.per_repeat is None else Interval(max(0.0, wide.low), min(1.0, wide.high))


def _bootstrap_items(metric: Metric, predictions: Predictions, rng: Generator) -> Interval:
    """The bootstrap interval; for very many items, of the frequencies of distinct counts."""
    many = len(predictions.predicted) > _MAX_BCA_ITEMS
    if not many or metric.counts is None or metric.of_totals is None:
        return bootstrap_interval(
            resampled_metric(metric, predictions), len(predictions.predicted), rng
        )
    rows = metric.counts(predictions.predicted, predictions.gold)
    distinct, frequencies = np.unique(rows, axis=0, return_counts=True)
    sampled = rng.multinomial(len(rows), frequencies / len(rows), RESAMPLES)
    return percentile_interval(metric.of_totals(sampled @ distinct))


def _over_units(metric: Metric, predictions: Predictions, rng: Generator) -> Interval:
    """The interval of a mean over units, wider if units share items."""
    mean, units = units_as_items(metric, predictions)
    if len(units.predicted) < 2:
        raise Undefined("only one word or clustering has a score of its own")
    # Not a binomial interval: numbers such as correlations are no proportions, even if all are 1.
    found = bootstrap_interval(resampled_metric(mean, units), len(units.predicted), rng)
    if metric.unit_influence is None or metric.scored_units is None:
        return found
    columns = predictions.predicted, predictions.gold, predictions.units
    error = standard_error_of_units(metric.unit_influence(*columns, metric.scored_units(*columns)))
    independent = standard_error(units.predicted - units.predicted.mean(), None)
    factor = max(1.0, error.error / independent.error) if independent.error else 1.0
    return widen(float(units.predicted.mean()), found, factor, correlation=True)


def units_as_items(metric: Metric, predictions: Predictions) -> tuple[Metric, Predictions]:
    """Convert a mean over units to a mean over items: each unit becomes one item."""
    if metric.per_unit is None:
        return metric, predictions
    columns = predictions.predicted, predictions.gold, predictions.units
    metric(*columns)  # raises Undefined if no unit has a number
    values = metric.per_unit(*columns)
    return mean_metric(metric.name), Predictions(values, np.zeros(len(values)))


def mean_metric(name: str) -> Metric:
    """Return the metric that is the mean of the predictions, which are scores of items."""
    return Metric(_mean, name, per_item=_predicted)


def _mean(predicted: Floats, gold: Floats) -> float:
    return float(np.mean(predicted))


def _predicted(predicted: Floats, gold: Floats) -> Floats:
    return predicted


def is_binary(values: Floats) -> bool:
    """Return whether every value is 0 or 1."""
    return bool(np.all((values == 0) | (values == 1)))


def _binomial_interval(hits: Floats, units: Units | None) -> Interval:
    """Jeffreys' interval of a proportion, with the effective sample size.

    Items that share units have a smaller effective sample size (Korn and Graubard 1998).
    """
    from scipy.stats import beta

    size = _effective_sample_size(hits, units)
    right, wrong = hits.mean() * size, (1 - hits.mean()) * size
    low, high = (
        beta.ppf((1 + side * CONFIDENCE_LEVEL) / 2, right + 0.5, wrong + 0.5) for side in (-1, 1)
    )
    return Interval(float(low) if right else 0.0, float(high) if wrong else 1.0)


def _effective_sample_size(hits: Floats, units: Units | None) -> float:
    if units is None:
        return len(hits)
    if hits.min() == hits.max() or len(hits) < 2:  # no variation: count each unit once
        return min(len(hits), len(np.unique(units)))
    return len(hits) / standard_error(hits - hits.mean(), units).design_factor ** 2


def bootstrap_interval(
    statistic_of: Callable[[Samples], Floats], items: int, rng: Generator
) -> Interval:
    """Compute the bootstrap interval over independent items: BCa, or percentile for very many.

    `statistic_of` maps rows of item indices (resamples, items) to one value per row.
    """
    from scipy.stats import bootstrap

    if items < 2:
        raise Undefined("the variance of a score cannot be estimated from one item")

    def statistic(samples: Samples, axis: int) -> Any:
        values = statistic_of(samples.reshape(-1, samples.shape[-1]))
        return values.reshape(samples.shape[:-1])

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # a degenerate bootstrap gives NaN, handled below
        found = bootstrap(
            (np.arange(items),), statistic, n_resamples=RESAMPLES,
            confidence_level=CONFIDENCE_LEVEL,
            method="BCa" if items <= _MAX_BCA_ITEMS else "percentile", vectorized=True,
            batch=max(1, _BATCH // items), rng=rng,
        )  # fmt: skip
    low, high = found.confidence_interval
    if np.isfinite(low) and np.isfinite(high):
        return Interval(float(low), float(high))
    return percentile_interval(np.asarray(found.bootstrap_distribution))


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


def _repeat_factor(metric: Metric, predictions: Predictions, error: StandardError) -> float:
    """The factor for the variance between seeded repetitions, such as clusterings."""
    if metric.per_repeat is None or not error.error:
        return 1.0
    means = metric.per_repeat(predictions.predicted, predictions.gold).mean(axis=0)
    variance = float(np.var(means, ddof=1)) / len(means) if len(means) > 1 else 0.0
    return float(np.sqrt(1 + variance / error.error**2))
