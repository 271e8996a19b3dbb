"""Compare embeddings: paired tests on the items that both cover, corrected for multiplicity."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Metric
from lexiscope.core.contracts.task import Predictions
from lexiscope.core.datasets.base import Units
from lexiscope.core.errors import Undefined
from lexiscope.core.result import Comparison
from lexiscope.core.seeding import generator
from lexiscope.stats.multiple_comparisons import (
    Ranks,
    benjamini_hochberg,
    holm,
    homogeneous_groups,
    rank_intervals,
)
from lexiscope.stats.paired import ALPHA, difference, enough_permutations


class EmbeddingPredictions(NamedTuple):
    """The predictions of one embedding in one evaluation."""

    embedding: str
    items: NDArray[np.int64]
    predicted: NDArray[Any]


class EvaluationPredictions(NamedTuple):
    """The predictions of every embedding in one evaluation, with the gold values.

    `incomparable` has the reason for every two embeddings that are not compared.
    """

    task: str
    variant: str
    dataset: str
    fingerprint: str
    settings: dict[str, Any]
    metric: Metric
    gold: NDArray[Any]
    units: Units | None
    predictions: Sequence[EmbeddingPredictions]
    seed: int
    joint: bool = False
    incomparable: Mapping[frozenset[str], str] = MappingProxyType({})


def compare(evaluations: Iterable[EvaluationPredictions], number: int) -> list[Comparison]:
    """Every two embeddings in each evaluation, corrected over all of them.

    `number` is the number of comparisons: with more of them, tests need more permutations.
    """
    return correct(
        [found for evaluation in evaluations for found in compare_pairs(evaluation, number)]
    )


def compare_pairs(
    evaluation: EvaluationPredictions, number: int, tick: Callable[[], None] = lambda: None
) -> list[Comparison]:
    """Every two embeddings in one evaluation, not corrected; `tick` is called after each."""
    found = []
    for first, second in combinations(evaluation.predictions, 2):
        found.append(_compare_two(evaluation, first, second, enough_permutations(number)))
        tick()
    return found


def correct(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Correct the p-values over all comparisons; Holm's decides which are significant."""
    found = list(comparisons)
    tested = [index for index, item in enumerate(found) if item.p is not None]
    p_values = [found[index].p or 0.0 for index in tested]
    both = zip(tested, holm(p_values).tolist(), benjamini_hochberg(p_values).tolist(), strict=True)
    for index, p_holm, p_bh in both:
        found[index] = replace(found[index], p_holm=p_holm, p_bh=p_bh, significant=p_holm < ALPHA)
    return found


def _compare_two(
    evaluation: EvaluationPredictions,
    first: EmbeddingPredictions,
    second: EmbeddingPredictions,
    permutations: int,
) -> Comparison:
    both, ours, theirs = np.intersect1d(
        first.items, second.items, assume_unique=True, return_indices=True
    )
    undefined = Comparison(
        first.embedding, second.embedding, evaluation.task, evaluation.dataset,
        evaluation.metric.name, evaluation.settings, None, None, None, None, None, len(both), "",
        False, variant=evaluation.variant,
    )  # fmt: skip
    rng = generator(evaluation.seed, "compare", evaluation.task, evaluation.fingerprint)
    gold = evaluation.gold[both]
    units = None if evaluation.units is None else evaluation.units[both]
    one, other = (
        Predictions(predicted, gold, units)
        for predicted in (first.predicted[ours], second.predicted[theirs])
    )
    try:
        _check_comparable(evaluation, first, second, len(both))
        found = difference(evaluation.metric, one, other, rng, permutations)
    except Undefined as reason:
        return replace(undefined, state=str(reason))
    return replace(
        undefined, difference=found.value, low=found.low, high=found.high, p=found.p,
        test=found.test, state=found.state, detectable_difference=found.detectable_difference,
        items_needed=found.items_needed,
    )  # fmt: skip


def _check_comparable(
    evaluation: EvaluationPredictions,
    first: EmbeddingPredictions,
    second: EmbeddingPredictions,
    common: int,
) -> None:
    """Raise the reason why two embeddings are not compared, if there is one."""
    reason = evaluation.incomparable.get(frozenset((first.embedding, second.embedding)), "")
    if reason:
        raise Undefined(reason)
    if not common:
        raise Undefined("no item is covered by both embeddings")
    if evaluation.joint and not len(first.items) == len(second.items) == common:
        raise Undefined("the predictions depend on which items are evaluated, and these differ")


def groups(
    embeddings: Sequence[str], comparisons: Iterable[Comparison], scores: Mapping[str, float]
) -> list[tuple[str, ...]]:
    """Embeddings of one evaluation that are not significantly different, the best group first.

    Two that were not compared are never in one group because of that.
    """
    comparisons = list(comparisons)
    losses = Counter(name for c in comparisons if (name := loser(c)))
    order = sorted(embeddings, key=lambda name: (losses[name], -scores.get(name, -np.inf)))
    distinct = {frozenset((c.first, c.second)) for c in comparisons if c.significant or c.p is None}
    return homogeneous_groups(order, distinct)


def loser(comparison: Comparison) -> str | None:
    """The embedding that is significantly worse on the items of both; None if neither is."""
    if not comparison.significant or not comparison.difference:
        return None
    return comparison.second if comparison.difference > 0 else comparison.first


def ranks(embeddings: Sequence[str], comparisons: Iterable[Comparison]) -> dict[str, Ranks]:
    """The best and the worst possible rank of each embedding in one evaluation.

    Embeddings that were not compared do not restrict each other.
    """
    pairs = [
        (name, c.first if name == c.second else c.second) for c in comparisons if (name := loser(c))
    ]
    return rank_intervals(embeddings, pairs)
