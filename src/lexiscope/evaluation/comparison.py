"""Compare embeddings: paired tests on the items that both cover, corrected for multiplicity."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Metric
from lexiscope.core.contracts.task import Predictions
from lexiscope.core.datasets.base import Units
from lexiscope.core.decision import DEFAULT_RULE, DecisionRule
from lexiscope.core.errors import Undefined
from lexiscope.core.result import Comparison, Outcome
from lexiscope.core.seeding import generator
from lexiscope.stats.equivalence import (
    Discordant,
    detectable_difference,
    equivalence_p_value,
    equivalence_p_value_of_hits,
)
from lexiscope.stats.intervals import CONFIDENCE_LEVEL
from lexiscope.stats.multiple_comparisons import (
    Ranks,
    benjamini_hochberg,
    holm,
    homogeneous_groups,
    rank_intervals,
)
from lexiscope.stats.paired import Difference, difference, independent_items
from lexiscope.stats.randomization import enough_permutations


class EmbeddingPredictions(NamedTuple):
    """The predictions of one embedding in one evaluation.

    `cell` is the key of their cell in a store, if there is one: equal keys mean equal vectors.
    """

    embedding: str
    items: NDArray[np.int64]
    predicted: NDArray[Any]
    cell: str = ""


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
    strata: NDArray[np.int64] | None = None
    variance_inflation: float = 1.0


@dataclass(frozen=True)
class HitComparison(Comparison):
    """A comparison of items that are correct or wrong, with the counts of its equivalence test."""

    discordant: Discordant | None = None


def without_counts(comparison: Comparison) -> Comparison:
    """The comparison as it is part of results, without the counts of discordant items."""
    return Comparison(**{each.name: getattr(comparison, each.name) for each in fields(Comparison)})


def compare(
    evaluations: Iterable[EvaluationPredictions], number: int, rule: DecisionRule = DEFAULT_RULE
) -> list[Comparison]:
    """Every two embeddings in each evaluation, corrected over all of them.

    `number` is the number of comparisons: with more of them, tests need more permutations. The
    comparisons can be corrected again together with others.
    """
    return _corrected(
        [found for evaluation in evaluations for found in compare_pairs(evaluation, number)], rule
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


def correct(
    comparisons: Sequence[Comparison], rule: DecisionRule = DEFAULT_RULE
) -> list[Comparison]:
    """Correct the p-values over all comparisons, and decide the outcome of each."""
    return list(map(without_counts, _corrected(comparisons, rule)))


def _corrected(comparisons: Sequence[Comparison], rule: DecisionRule) -> list[Comparison]:
    found = list(comparisons)
    tested = [index for index, item in enumerate(found) if item.p is not None]
    p_values = [found[index].p or 0.0 for index in tested]
    min_ps = [found[index].min_p for index in tested]
    both = zip(
        tested, holm(p_values, min_ps).tolist(), benjamini_hochberg(p_values).tolist(), strict=True
    )
    for index, p_holm, p_bh in both:
        significant = p_holm < rule.alpha
        found[index] = replace(found[index], p_holm=p_holm, p_bh=p_bh, significant=significant)
    found = _with_equivalence(found, rule)
    level = rule.alpha / max(1, sum(min_p < rule.alpha for min_p in min_ps))
    return [_decided(each, level, rule) for each in found]


def _with_equivalence(found: Sequence[Comparison], rule: DecisionRule) -> list[Comparison]:
    """Test equivalence where the metric has bounds; corrected over these tests.

    Without bounds, only equal predictions are equivalent.
    """
    given = {
        index: _equivalence_p(c.difference, c.error, c, rule.margin)
        for index, c in enumerate(found)
        if c.p is not None and c.difference is not None and c.error is not None
        if c.range is not None or (not c.error and c.degrees_of_freedom is None)
    }
    corrected = dict(zip(given, holm(list(given.values())).tolist(), strict=True))
    return [replace(c, p_equivalence=corrected.get(index)) for index, c in enumerate(found)]


def _equivalence_p(value: float, error: float, comparison: Comparison, margin: float) -> float:
    """The p-value of an equivalence test.

    If no item differs, there is no variance to test with. A true difference of `margin` then has
    at least `margin` / `range` of all items differ, and this is the probability that none of the
    sampled ones does.
    """
    freedom = comparison.degrees_of_freedom
    if not error and freedom is not None and comparison.range is not None:
        equal = max(0.0, 1 - margin / comparison.range) ** (freedom + 1)
        return 1.0 if value else equal
    if error and isinstance(comparison, HitComparison) and comparison.discordant is not None:
        return equivalence_p_value_of_hits(comparison.discordant, margin)
    if comparison.low is not None and comparison.high is not None and freedom is not None:
        # With few differing items, only the interval accounts for those not seen in the sample.
        error = max(error, _error_of_interval(comparison.low, comparison.high, freedom))
    return equivalence_p_value(value, error, freedom, margin)


def _error_of_interval(low: float, high: float, degrees_of_freedom: float) -> float:
    """The standard error of which this is the 95 % confidence interval."""
    from scipy.stats import t

    return float((high - low) / 2 / t.ppf((1 + CONFIDENCE_LEVEL) / 2, degrees_of_freedom))


def _decided(comparison: Comparison, level: float, rule: DecisionRule) -> Comparison:
    """The outcome of a comparison, and what it could have detected at the corrected level."""
    p, error, freedom = comparison.p_equivalence, comparison.error, comparison.degrees_of_freedom
    outcome: Outcome = "undecided"
    if comparison.significant:
        outcome = "different"
    elif p is not None and p < rule.alpha:
        outcome = "equivalent"
    detectable = None
    if comparison.p is not None and error and freedom:
        detectable = detectable_difference(error, freedom, level)
        if comparison.range is not None and detectable > comparison.range:
            detectable = None
    margin = None if comparison.range is None and p is None else rule.margin
    return replace(comparison, outcome=outcome, detectable_difference=detectable, margin=margin)


def _compare_two(
    evaluation: EvaluationPredictions,
    first: EmbeddingPredictions,
    second: EmbeddingPredictions,
    permutations: int,
) -> Comparison:
    both, ours, theirs = np.intersect1d(
        first.items, second.items, assume_unique=True, return_indices=True
    )
    rng = generator(evaluation.seed, "compare", evaluation.task, evaluation.fingerprint)

    def test() -> Difference:
        _check_comparable(evaluation, first, second, len(both))
        one = predictions_of(evaluation, both, first.predicted[ours])
        other = predictions_of(evaluation, both, second.predicted[theirs])
        found = difference(evaluation.metric, one, other, rng, permutations)
        if found.error != 0:
            return found
        same = bool(first.cell) and first.cell == second.cell
        freedom = None if same else _freedom_without_variance(evaluation.metric, one, other)
        return found._replace(degrees_of_freedom=freedom)

    return comparison_of(evaluation, first.embedding, second.embedding, len(both), test)


def _freedom_without_variance(metric: Metric, one: Predictions, other: Predictions) -> float | None:
    """The number of independent items less one, where no item differs.

    None if all predictions are equal numbers: then the vectors are, and so are all other items.
    A metric without bounds has no other test of equivalence, so equal predictions are enough.
    """
    numbers = one.predicted.dtype.kind == other.predicted.dtype.kind == "f"
    enough = numbers or metric.bounds is None
    if enough and np.array_equal(one.predicted, other.predicted):
        return None
    return float(independent_items(one) - 1)


def predictions_of(
    evaluation: EvaluationPredictions, items: NDArray[np.int64], predicted: NDArray[Any]
) -> Predictions:
    """Predictions for these items, with the gold values, units and strata of the evaluation."""
    units, strata = (
        None if column is None else column[items]
        for column in (evaluation.units, evaluation.strata)
    )
    gold = evaluation.gold[items]
    return Predictions(predicted, gold, units, strata, evaluation.variance_inflation)


def comparison_of(
    evaluation: EvaluationPredictions,
    first: str,
    second: str,
    items: int,
    test: Callable[[], Difference],
) -> Comparison:
    """A comparison in an evaluation, not corrected; `state` says why a test is undefined."""
    bounds = evaluation.metric.bounds
    undefined = Comparison(
        first, second, evaluation.task, evaluation.dataset, evaluation.metric.name,
        evaluation.settings, None, None, None, None, None, items, "", False,
        variant=evaluation.variant, total=len(evaluation.gold),
        range=None if bounds is None else bounds[1] - bounds[0],
    )  # fmt: skip
    try:
        found = test()
    except Undefined as reason:
        return replace(undefined, state=str(reason))
    tested = replace(
        undefined, difference=found.value, low=found.low, high=found.high, p=found.p,
        test=found.test, state=found.state, min_p=found.min_p, error=found.error,
        degrees_of_freedom=found.degrees_of_freedom,
    )  # fmt: skip
    if found.discordant is None:
        return tested
    return HitComparison(**vars(tested), discordant=found.discordant)


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
    embeddings: Sequence[str],
    comparisons: Iterable[Comparison],
    scores: Mapping[str, float],
    rule: DecisionRule = DEFAULT_RULE,
) -> list[tuple[str, ...]]:
    """Embeddings of one evaluation that are not significantly different, the best group first.

    Two embeddings share a group only if they were tested on enough shared items. An embedding that
    was tested against no other one is in no group, because a group of its own would look like a
    significant difference.
    """
    counted = [c for c in comparisons if counts(c, rule)]
    losses = Counter(name for c in counted if (name := loser(c)))
    tested = {name for c in counted for name in (c.first, c.second)}
    members = [name for name in embeddings if name in tested]
    order = sorted(members, key=lambda name: (losses[name], -scores.get(name, -np.inf)))
    same = {frozenset((c.first, c.second)) for c in counted if not c.significant}
    return homogeneous_groups(order, set(map(frozenset, combinations(order, 2))) - same)


def counts(comparison: Comparison, rule: DecisionRule) -> bool:
    """Whether a comparison was tested on enough shared items to count for groups and ranks."""
    return comparison.p is not None and rule.is_covered(comparison.items, comparison.total)


def loser(comparison: Comparison) -> str | None:
    """The embedding that is significantly worse on the items of both; None if neither is."""
    if not comparison.significant or not comparison.difference:
        return None
    return comparison.second if comparison.difference > 0 else comparison.first


def ranks(
    embeddings: Sequence[str],
    comparisons: Iterable[Comparison],
    rule: DecisionRule = DEFAULT_RULE,
) -> dict[str, Ranks]:
    """The best and the worst possible rank of each embedding in one evaluation.

    Embeddings that were not compared on enough shared items do not restrict each other.
    """
    pairs = [
        (name, c.first if name == c.second else c.second)
        for c in comparisons
        if counts(c, rule) and (name := loser(c))
    ]
    return rank_intervals(embeddings, pairs)
