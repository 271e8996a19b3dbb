"""Intervals by resampling items: how a score would move with other items of the same kind."""

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from lexiscope.core.dataset import Units
from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Floats, Measure
from lexiscope.core.task import Answers
from lexiscope.stats.resampling import Samples, of_samples
from lexiscope.stats.standard_error import (
    StandardError,
    influence,
    standard_error,
    standard_error_of_units,
)

LEVEL = 0.95
RESAMPLES = 2000
_MOST_LEFT_OUT = 1000  # items; above, what BCa corrects has vanished
_AT_ONCE = 1 << 22  # item numbers drawn in one go: 32 MB


class Interval(NamedTuple):
    """Where the score would lie with other items, `LEVEL` of the time."""

    low: float
    high: float


def interval(measure: Measure, answers: Answers, rng: Generator) -> Interval:
    """The interval of a measure, wider where items share what they are made of.

    Right-or-wrong items have a binomial bootstrap, whose interval is known (Jeffreys'), also when
    all are right. Any other measure has a BCa bootstrap over items, percentile above 1,000 items.
    """
    if measure.per_unit is not None:
        return _over_units(measure, answers, rng)
    if measure.per_item is not None:
        values = measure.per_item(answers.given, answers.gold)
        if right_or_wrong(values):
            return _share(values, answers.units)
    found = _bootstrapped(measure, answers, rng)
    error = standard_error(influence(measure, answers), answers.units)
    wider = error.stretch * _over_runs(measure, answers, error)
    value = measure(answers.given, answers.gold)
    wide = stretched(value, found, wider, measure.scale is not None)
    # Hits averaged over repeats stay within 0 and 1, however wide.
    return wide if measure.per_run is None else Interval(max(0.0, wide.low), min(1.0, wide.high))


def _bootstrapped(measure: Measure, answers: Answers, rng: Generator) -> Interval:
    """The bootstrap interval; of very many items, only how often each row of counts is drawn."""
    many = len(answers.given) > _MOST_LEFT_OUT
    if not many or measure.counts is None or measure.of_totals is None:
        return bootstrapped(of_samples(measure, answers), len(answers.given), rng)
    rows = measure.counts(answers.given, answers.gold)
    kinds, often = np.unique(rows, axis=0, return_counts=True)
    drawn = rng.multinomial(len(rows), often / len(rows), RESAMPLES)
    return middle(measure.of_totals(drawn @ kinds))


def _over_units(measure: Measure, answers: Answers, rng: Generator) -> Interval:
    """The interval of a mean over units, wider where units share items."""
    mean, units = by_item(measure, answers)
    if len(units.given) < 2:
        raise Undefined("only one word or clustering has a score of its own")
    # Numbers such as correlations are no shares, even where all are 1.
    found = bootstrapped(of_samples(mean, units), len(units.given), rng)
    if measure.moves is None or measure.counted is None:
        return found
    columns = answers.given, answers.gold, answers.units
    error = standard_error_of_units(measure.moves(*columns, measure.counted(*columns)))
    alone = standard_error(units.given - units.given.mean(), None)
    wider = max(1.0, error.error / alone.error) if alone.error else 1.0
    return stretched(float(units.given.mean()), found, wider, correlation=True)


def by_item(measure: Measure, answers: Answers) -> tuple[Measure, Answers]:
    """A mean over units as a mean over items: each unit becomes an item of its own."""
    if measure.per_unit is None:
        return measure, answers
    measure(answers.given, answers.gold, answers.units)  # says so if no unit has a number
    values = measure.per_unit(answers.given, answers.gold, answers.units)
    return mean_of(measure.name), Answers(values, np.zeros(len(values)))


def mean_of(name: str) -> Measure:
    """The plain mean of the answers, under a measure's name."""
    return Measure(_mean, name, per_item=_first_column)


def _mean(given: Floats, gold: Floats) -> float:
    return float(np.mean(given))


def _first_column(given: Floats, gold: Floats) -> Floats:
    return given


def right_or_wrong(values: Floats) -> bool:
    """Whether every item is simply right or wrong."""
    return bool(np.all((values == 0) | (values == 1)))


def _share(hits: Floats, units: Units | None) -> Interval:
    """Jeffreys' interval of a share, for as many items as those at hand are worth.

    Items that share units are worth fewer than there are (Korn and Graubard 1998).
    """
    from scipy.stats import beta

    worth = _worth(hits, units)
    right, wrong = hits.mean() * worth, (1 - hits.mean()) * worth
    low, high = (beta.ppf((1 + side * LEVEL) / 2, right + 0.5, wrong + 0.5) for side in (-1, 1))
    return Interval(float(low) if right else 0.0, float(high) if wrong else 1.0)


def _worth(hits: Floats, units: Units | None) -> float:
    if units is None:
        return len(hits)
    if hits.min() == hits.max() or len(hits) < 2:  # nothing varies: count each unit once
        return min(len(hits), len(np.unique(units)))
    return len(hits) / standard_error(hits - hits.mean(), units).stretch ** 2


def bootstrapped(measured: Callable[[Samples], Floats], items: int, rng: Generator) -> Interval:
    """The bootstrap interval over single items: BCa, or percentile for very many."""
    from scipy.stats import bootstrap

    if items < 2:
        raise Undefined("one item does not say how a score varies")

    def statistic(samples: Samples, axis: int) -> Any:
        values = measured(samples.reshape(-1, samples.shape[-1]))
        return values.reshape(samples.shape[:-1])

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # a degenerate bootstrap gives NaN, looked at below
        found = bootstrap(
            (np.arange(items),), statistic, n_resamples=RESAMPLES, confidence_level=LEVEL,
            method="BCa" if items <= _MOST_LEFT_OUT else "percentile", vectorized=True,
            batch=max(1, _AT_ONCE // items), rng=rng,
        )  # fmt: skip
    low, high = found.confidence_interval
    if np.isfinite(low) and np.isfinite(high):
        return Interval(float(low), float(high))
    return middle(np.asarray(found.bootstrap_distribution))


def middle(values: Floats) -> Interval:
    """The middle of the values that exist; undefined when more than 1 in 20 do not."""
    exist = values[np.isfinite(values)]
    if len(exist) < 0.95 * len(values):
        raise Undefined("too few resamples have a score of their own to give an interval")
    low, high = np.quantile(exist, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))


def stretched(value: float, found: Interval, factor: float, correlation: bool) -> Interval:
    """An interval made wider around its score; a correlation's on Fisher's scale, within -1..1."""
    if factor == 1.0:
        return found
    if not correlation:
        return Interval(*(value + factor * (end - value) for end in found))
    centre, *ends = np.arctanh(np.clip([value, *found], -1 + 1e-12, 1 - 1e-12))
    return Interval(*(float(np.tanh(centre + factor * (end - centre))) for end in ends))


def _over_runs(measure: Measure, answers: Answers, error: StandardError) -> float:
    """How much wider for seeded repeats that differ: clusterings end in different places."""
    if measure.per_run is None or not error.error:
        return 1.0
    means = measure.per_run(answers.given, answers.gold).mean(axis=0)
    runs = float(np.var(means, ddof=1)) / len(means) if len(means) > 1 else 0.0
    return float(np.sqrt(1 + runs / error.error**2))
