"""Ranks of embeddings per dataset and on average (tables 1 and 3 of Jastrzebski et al. 2017)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.learner import FAMILIES, Family
from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import Undefined
from lexiscope.experiments.curves.best_models import CurveScores
from lexiscope.experiments.curves.comparisons import quantity_values
from lexiscope.experiments.curves.results import (
    DatasetRanks,
    DatasetScores,
    MeanRanks,
    RankChange,
    RankRule,
    Spread,
)
from lexiscope.stats.anova_groups import anova_groups
from lexiscope.stats.curves.repeats import corrected_means
from lexiscope.stats.multiple_comparisons import holm

RULES: tuple[RankRule, ...] = ("corrected t-test", "ANOVA")


def dataset_ranks(
    found: DatasetScores, best: Mapping[str, CurveScores], alpha: float
) -> list[DatasetRanks]:
    """Rank the embeddings on a dataset by both rules; none with a single repeat or size."""
    names = found.compared
    if len(names) < 2:
        return []
    try:
        values = [quantity_values(found, best, at) for at in ("start", "end", "area")]
        by_rule = [
            [significance_ranks(each, found.test_ratio, alpha) for each in values],
            [anova_groups(each, alpha).rank for each in values],
        ]
    except Undefined:
        return []
    return [
        DatasetRanks(
            found.dataset, found.family, rule, name, *(int(column[n]) for column in columns)
        )
        for rule, columns in zip(RULES, by_rule, strict=True)
        for n, name in enumerate(names)
    ]


def significance_ranks(values: Floats, test_ratio: float, alpha: float) -> NDArray[np.int64]:
    """Count, for each embedding, how many others are significantly better.

    Every two embeddings are compared with a corrected resampled t-test, with Holm's correction over
    the pairs. Values are (embeddings, repeats).

    >>> values = np.array([[0.80, 0.82, 0.81], [0.79, 0.82, 0.80], [0.50, 0.52, 0.515]])
    >>> significance_ranks(values, 0.4, 0.05).tolist()
    [0, 0, 2]
    """
    pairs = list(combinations(range(len(values)), 2))
    differences = np.stack([values[i] - values[j] for i, j in pairs], axis=1)
    means = corrected_means(differences, test_ratio)
    # A constant difference has no variance to test with.
    ps = holm(np.where(means.error > 0, means.p_value(), 1.0).tolist())
    ranks = np.zeros(len(values), np.int64)
    for (i, j), p, value in zip(pairs, ps, means.value, strict=True):
        if p < alpha:
            ranks[j if value > 0 else i] += 1
    return ranks


def mean_ranks(ranks: Sequence[DatasetRanks]) -> Iterator[MeanRanks]:
    """Yield the mean ranks of every embedding, over all datasets and over those of each family."""
    for rule, family, members in _groups(ranks):
        for name in dict.fromkeys(each.embedding for each in members):
            own = [each for each in members if each.embedding == name]
            columns = ([getattr(each, at) for each in own] for at in ("start", "end", "area"))
            yield MeanRanks(rule, family, name, len(own), *map(spread, columns))


def rank_changes(ranks: Sequence[DatasetRanks]) -> Iterator[RankChange]:
    """Yield the mean absolute change of rank, over all datasets and over those of each family."""
    for rule, family, members in _groups(ranks):
        datasets = dict.fromkeys(each.dataset for each in members)
        changes = [
            float(np.mean([abs(r.end - r.start) for r in members if r.dataset == dataset]))
            for dataset in datasets
        ]
        yield RankChange(rule, family, len(changes), spread(changes))


def _groups(
    ranks: Sequence[DatasetRanks],
) -> Iterator[tuple[RankRule, Family | Literal["all"], list[DatasetRanks]]]:
    present = [family for family in FAMILIES if any(r.family == family for r in ranks)]
    for rule in RULES:
        own = [each for each in ranks if each.rule == rule]
        if not own:
            continue
        yield rule, "all", own
        for family in present if len(present) > 1 else ():
            yield rule, family, [each for each in own if each.family == family]


def spread(values: Sequence[float]) -> Spread:
    """Return mean and standard deviation; a single value has none."""
    sd = float(np.std(values, ddof=1)) if len(values) > 1 else None
    return Spread(float(np.mean(values)), sd)
