"""Labels needed to reach a target score, and their ratio for every two embeddings."""

from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.seeding import generator
from lexiscope.experiments.curves.best_models import CurveScores
from lexiscope.experiments.curves.results import Bound, DatasetScores, LabelRatio, LabelsNeeded
from lexiscope.stats.curves.labels import Sizes, labels_needed, percentile_limits, ratios
from lexiscope.stats.curves.resampled_scores import multiplicities, resampled_curves

RESAMPLES = 1000


class LabelSummary(NamedTuple):
    """The target score of a dataset, the labels needed to reach it, and their ratios."""

    target: float
    labels: tuple[LabelsNeeded, ...]
    ratios: tuple[LabelRatio, ...]


class _Needed(NamedTuple):
    """The labels that an embedding needs: in the data, and in each resample."""

    observed: Sizes
    resampled: Sizes


def label_summary(
    found: DatasetScores,
    best: Mapping[str, CurveScores],
    target: float | None,
    seed: int,
    resamples: int = RESAMPLES,
) -> LabelSummary:
    """Compute the labels that every embedding needs, and their ratios with 95 % intervals.

    The default target is the lowest score at 100 % among the embeddings without controls, in every
    resample again, so that all embeddings reach it.
    """
    means = np.stack([best[name].scores.mean(axis=0) for name in found.embeddings])
    sampled = _resampled(found, best, seed, resamples)
    compared = [found.embeddings.index(name) for name in (found.compared or found.embeddings)]
    goal = float(means[compared, -1].min()) if target is None else target
    if target is None:
        goals = sampled[:, compared, -1].min(axis=1)
    else:
        goals = np.full(len(sampled), target)
    sizes = np.asarray(found.sizes, np.float64)
    observed = labels_needed(sizes, means, np.full(len(means), goal))
    every = labels_needed(sizes, sampled, np.repeat(goals[:, None], len(means), axis=1))
    needed = {
        name: _Needed(
            Sizes(observed.low[n], observed.high[n]), Sizes(every.low[:, n], every.high[:, n])
        )
        for n, name in enumerate(found.embeddings)
    }
    return LabelSummary(
        goal,
        tuple(_labels(found, name, goal, each) for name, each in needed.items()),
        tuple(
            _ratio(found, one, other, goal, needed)
            for one, other in combinations(found.compared, 2)
        ),
    )


def _resampled(
    found: DatasetScores, best: Mapping[str, CurveScores], seed: int, resamples: int
) -> Floats:
    """The mean curves of resampled repeats and items (resamples, embeddings, sizes)."""
    rng = generator(seed, "labels needed", found.dataset)
    repeats = multiplicities(found.repeats, resamples, rng)
    items = multiplicities(found.items, resamples, rng)
    curves = [
        resampled_curves(
            best[name].predicted, found.gold, found.tests, found.metric, repeats, items
        )
        for name in found.embeddings
    ]
    stacked = np.stack(curves, axis=1)
    return np.asarray(stacked[np.isfinite(stacked).all(axis=(1, 2))])


def _labels(found: DatasetScores, name: str, target: float, needed: _Needed) -> LabelsNeeded:
    value, bound = _value(needed.observed)
    low, high = percentile_limits(needed.resampled)
    control = name in found.controls
    return LabelsNeeded(found.dataset, name, control, target, value, bound, low, high)


def _ratio(
    found: DatasetScores, one: str, other: str, target: float, needed: Mapping[str, _Needed]
) -> LabelRatio:
    """The ratio of two embeddings; the first is the one that needs fewer labels."""
    if _value(needed[one].observed)[0] > _value(needed[other].observed)[0]:
        one, other = other, one
    value, bound = _value(ratios(needed[one].observed, needed[other].observed))
    low, high = percentile_limits(ratios(needed[one].resampled, needed[other].resampled))
    return LabelRatio(found.dataset, one, other, target, value, bound, low, high)


def _value(found: Sizes) -> tuple[float, Bound]:
    """The value, or its known limit."""
    low, high = float(found.low), float(found.high)
    if low == high:
        return low, ""
    if low == 0 and np.isinf(high):
        return float("nan"), "unknown"
    return (high, "at most") if low == 0 else (low, "at least")
