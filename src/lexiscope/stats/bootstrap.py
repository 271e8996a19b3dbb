"""Intervals by resampling items: how a score would move with other items of the same kind."""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Floats, Measure
from lexiscope.core.task import Answers

LEVEL = 0.95
RESAMPLES = 2000
_AT_ONCE = 1 << 22  # item numbers drawn in one go: 32 MB


class Interval(NamedTuple):
    """The middle `LEVEL` of the resampled scores."""

    low: float
    high: float


def interval(measure: Measure, answers: Answers, rng: Generator) -> Interval:
    """The percentile bootstrap interval of a measure, over items or what they belong to.

    When all items are right, or all wrong, every resample is the same and would look certain:
    Wilson's interval is given then.
    """
    if measure.per_item is not None:
        hits = measure.per_item(answers.given, answers.gold)
        if np.all(hits == 0) or np.all(hits == 1):
            return _wilson(hits)
    return middle(resampled(measure, answers, rng))


def _wilson(hits: Floats) -> Interval:
    from scipy.stats import binomtest

    found = binomtest(int(hits.sum()), len(hits)).proportion_ci(LEVEL, "wilson")
    return Interval(float(found.low), float(found.high))


def resampled(measure: Measure, answers: Answers, rng: Generator) -> Floats:
    """The measure of each resample; the same generator state gives the same resamples."""
    if answers.unit is not None:
        return _units_resampled(measure, answers, rng)
    items = len(answers.given)
    rows = max(1, _AT_ONCE // max(items, 1))
    parts = []
    for start in range(0, RESAMPLES, rows):
        samples = rng.integers(0, items, (min(rows, RESAMPLES - start), items))
        parts.append(_measured(measure, answers, samples))
    return np.concatenate(parts)


def _units_resampled(measure: Measure, answers: Answers, rng: Generator) -> Floats:
    """As `resampled`, with whole units drawn: all items of a unit, or none."""
    members = units(answers)
    if measure.per_item is not None:
        hits = measure.per_item(answers.given, answers.gold)
        sums, sizes = np.bincount(members, hits), np.bincount(members)
        samples = rng.integers(0, len(sums), (RESAMPLES, len(sums)))
        return np.asarray(sums[samples].sum(axis=1) / sizes[samples].sum(axis=1))
    items = [np.flatnonzero(members == unit) for unit in range(members.max() + 1)]
    draws = rng.integers(0, len(items), (RESAMPLES, len(items)))
    return np.array(
        [_one(measure, answers, np.concatenate([items[u] for u in draw])) for draw in draws]
    )


def units(answers: Answers) -> NDArray[np.int64]:
    """The unit of each item, numbered from 0 without gaps."""
    assert answers.unit is not None
    return np.unique(answers.unit, return_inverse=True)[1].ravel()


def middle(values: Floats) -> Interval:
    """The middle of the values that exist; undefined when more than 1 in 20 do not."""
    exist = values[np.isfinite(values)]
    if len(exist) < 0.95 * len(values):
        raise Undefined("too few resamples have a score of their own to give an interval")
    low, high = np.quantile(exist, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))


def _measured(measure: Measure, answers: Answers, samples: NDArray[np.int64]) -> Floats:
    from lexiscope.stats.measures import pearson, spearman

    if measure.per_item is not None:
        return np.asarray(measure.per_item(answers.given, answers.gold)[samples].mean(axis=1))
    if measure.scale is spearman.scale:
        return _spearmans(answers, samples)
    if measure.scale is pearson.scale:
        return _pearsons(answers, samples)
    return np.array([_one(measure, answers, sample) for sample in samples])


def _one(measure: Measure, answers: Answers, sample: NDArray[np.int64]) -> float:
    try:
        return measure(answers.given[sample], answers.gold[sample])
    except Undefined:
        return np.nan


def _spearmans(answers: Answers, samples: NDArray[np.int64]) -> Floats:
    from lexiscope.kernels.ranks import resampled_spearman

    out = np.empty(len(samples))
    resampled_spearman(*_sorted(answers.given), *_sorted(answers.gold), samples, out)
    return out


def _pearsons(answers: Answers, samples: NDArray[np.int64]) -> Floats:
    from lexiscope.kernels.ranks import resampled_pearson

    out = np.empty(len(samples))
    columns = (np.asarray(values, np.float64) for values in (answers.given, answers.gold))
    resampled_pearson(*columns, samples, out)
    return out


def _sorted(values: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    order = np.argsort(values, kind="stable")
    arranged = values[order]
    return order, np.concatenate([[False], arranged[1:] == arranged[:-1]])
