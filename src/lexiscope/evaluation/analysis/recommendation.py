"""Recommendation: which embedding to use, from significant differences on shared items.

Every dataset has one vote, whatever the number of tasks that are evaluated on it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import isclose
from typing import Literal, NamedTuple

from lexiscope.core.decision import DecisionRule
from lexiscope.core.result import Comparison
from lexiscope.evaluation.comparison import counts, loser
from lexiscope.evaluation.run_data import RunData

DatasetOutcome = Literal["first", "second", "mixed", "equivalent", "undecided"]
PairOutcome = Literal["first", "second", "mixed", "equivalent", "undecided"]
Kind = Literal["use", "equivalent", "undecided", "depends", "none"]
_REASONS = 3  # of one embedding


@dataclass(frozen=True)
class DatasetComparison:
    """Two embeddings on one dataset.

    `outcome` is the embedding that is significantly better in at least one evaluation and worse in
    none, or "mixed" if each is better in one. `items` is the smallest number of shared items of
    the evaluations. `detectable` is the largest detectable difference of the undecided ones; None
    if there are none, or if one of them cannot detect any possible difference. `reason` says why
    the dataset does not count for these two.
    """

    dataset: str
    outcome: DatasetOutcome
    weight: float
    items: int
    detectable: float | None
    reason: str = ""


@dataclass(frozen=True)
class PairComparison:
    """Two embeddings over all deciding datasets.

    `outcome` is the embedding that wins datasets of more weight than it loses; "equivalent" if they
    are on all datasets, "mixed" if equal weight above 0 is won and lost, else "undecided".
    """

    first: str
    second: str
    datasets: tuple[DatasetComparison, ...]
    outcome: PairOutcome


@dataclass(frozen=True)
class Recommendation:
    """Which embeddings to use.

    `kind` is "use" (one embedding beats all others), "equivalent" (several do, and are equivalent
    on all deciding datasets), "undecided" (several are beaten by none), "depends" (datasets
    disagree), or "none" (nothing to compare). `embeddings` are those recommended, or those that
    remain possible. `excluded` has the reason for every embedding that is not a candidate,
    `left_out` for every dataset that no embedding covers enough to decide.
    """

    kind: Kind
    embeddings: tuple[str, ...]
    excluded: Mapping[str, str]
    pairs: tuple[PairComparison, ...]
    rule: DecisionRule
    left_out: Mapping[str, str] = field(default_factory=dict)


class _Evaluation(NamedTuple):
    """An evaluation that decides, with the weight of its dataset."""

    task: str
    dataset: str
    weight: float


def recommendation(results: RunData) -> Recommendation:
    """Recommend an embedding by the decision rule of the run.

    Candidates cover enough items of every deciding dataset. One embedding beats another if it is
    significantly better on datasets of more weight than those on which it is worse.
    """
    deciding, left_out = _deciding(results)
    excluded = _excluded(results, deciding)
    candidates = [name for name in results.embeddings if name not in excluded]
    pairs = _pairs(results, candidates, deciding)
    kind, chosen = _decide(candidates, pairs)
    return Recommendation(kind, tuple(chosen), excluded, pairs, results.rule, left_out)


def every_pair(results: RunData) -> tuple[PairComparison, ...]:
    """Every two embeddings on the deciding datasets, also those that are no candidates."""
    return _pairs(results, results.embeddings, _deciding(results)[0])


def _pairs(
    results: RunData, names: Sequence[str], deciding: Sequence[_Evaluation]
) -> tuple[PairComparison, ...]:
    compared: dict[frozenset[str], list[Comparison]] = {}
    for each in results.comparisons:
        compared.setdefault(frozenset((each.first, each.second)), []).append(each)
    return tuple(
        _pair(results.rule, pair, compared.get(frozenset(pair), ()), deciding)
        for pair in combinations(names, 2)
    )


def _deciding(results: RunData) -> tuple[list[_Evaluation], dict[str, str]]:
    """The evaluations that decide, and why others do not."""
    found, left_out = [], {}
    for task, dataset in results.evaluations:
        weight = results.rule.weight(dataset, task)
        if not weight:
            continue
        if results.candidates(task, dataset):
            found.append(_Evaluation(task, dataset, weight))
        elif scored := [r for r in results.main_of(task, dataset) if r.value is not None]:
            most = max(scored, key=lambda r: r.used)
            covered = f"{most.used:,} of {most.total:,} items"
            left_out[dataset] = f"no embedding covers more than {covered}"
        else:
            left_out[dataset] = "no embedding has a score"
    decided = {each.dataset for each in found}
    return found, {name: reason for name, reason in left_out.items() if name not in decided}


def _excluded(results: RunData, deciding: Sequence[_Evaluation]) -> dict[str, str]:
    """Why some embeddings are no candidates: they cover too few items, or have no score."""
    found: dict[str, str] = {}
    for name in results.embeddings:
        reasons = list(dict.fromkeys(filter(None, (_lack(results, name, e) for e in deciding))))
        more = f" and {len(reasons) - _REASONS} more" if len(reasons) > _REASONS else ""
        if reasons:
            found[name] = f"{'; '.join(reasons[:_REASONS])}{more}"
    return found


def _lack(results: RunData, name: str, evaluation: _Evaluation) -> str:
    """What an embedding lacks in an evaluation; empty: nothing."""
    task, dataset, _ = evaluation
    row = next((r for r in results.main_of(task, dataset) if r.embedding == name), None)
    if row is None:
        return f"failed in {task} on {dataset}"
    if row.value is None:
        return f"has no score in {task} on {dataset} ({row.state})"
    if not results.rule.is_covered(row.used, row.total):
        return f"covers {row.used:,} of {row.total:,} items of {dataset}"
    return ""


def _pair(
    rule: DecisionRule,
    pair: tuple[str, str],
    comparisons: Sequence[Comparison],
    deciding: Sequence[_Evaluation],
) -> PairComparison:
    datasets = []
    for dataset in dict.fromkeys(each.dataset for each in deciding):
        evaluations = [each for each in deciding if each.dataset == dataset]
        tasks = {each.task for each in evaluations}
        here = [c for c in comparisons if c.dataset == dataset and c.variant in tasks]
        weight = max(each.weight for each in evaluations)
        datasets.append(_on_dataset(rule, dataset, weight, pair[0], here))
    return PairComparison(*pair, tuple(datasets), _pair_outcome(datasets))


def _on_dataset(
    rule: DecisionRule, dataset: str, weight: float, first: str, comparisons: Sequence[Comparison]
) -> DatasetComparison:
    """Two embeddings on one dataset, from the comparisons of all evaluations on it."""
    counted = [c for c in comparisons if counts(c, rule)]
    losers = {loser(c) for c in counted} - {None}
    outcome: DatasetOutcome = "undecided"
    if len(losers) > 1:
        outcome = "mixed"
    elif losers:
        outcome = "second" if first in losers else "first"
    elif comparisons and all(c in counted and c.outcome == "equivalent" for c in comparisons):
        outcome = "equivalent"
    items = min((c.items for c in comparisons), default=0)
    reason = "" if counted else _why_not_counted(comparisons, rule)
    return DatasetComparison(dataset, outcome, weight, items, _detectable(counted), reason)


def _why_not_counted(comparisons: Sequence[Comparison], rule: DecisionRule) -> str:
    for each in comparisons:
        if each.p is None:
            return each.state
        if not rule.is_covered(each.items, each.total):
            return f"both cover only {each.items:,} of {each.total:,} items"
    return "not compared"


def _detectable(counted: Iterable[Comparison]) -> float | None:
    found = [c.detectable_difference for c in counted if c.outcome == "undecided"]
    known = [value for value in found if value is not None]
    return max(known) if known and len(known) == len(found) else None


def _pair_outcome(datasets: Sequence[DatasetComparison]) -> PairOutcome:
    won, lost = (
        sum(each.weight for each in datasets if each.outcome in (side, "mixed"))
        for side in ("first", "second")
    )
    if isclose(won, lost):
        if won:
            return "mixed"
        equivalent = datasets and all(each.outcome == "equivalent" for each in datasets)
        return "equivalent" if equivalent else "undecided"
    return "first" if won > lost else "second"


def _decide(
    candidates: Sequence[str], pairs: Sequence[PairComparison]
) -> tuple[Kind, Sequence[str]]:
    """The kind of recommendation, and the embeddings that it names."""
    if not any(not each.reason for pair in pairs for each in pair.datasets):
        return "none", candidates
    beats = {(p.first, p.second) for p in pairs if p.outcome == "first"}
    beats |= {(p.second, p.first) for p in pairs if p.outcome == "second"}
    top = _undominated(candidates, beats)
    has_cycle = any((one, other) in beats for one in top for other in top)
    beaten_by_top = {
        name for name in candidates if name not in top if all((one, name) in beats for one in top)
    }
    wins_all = len(top) + len(beaten_by_top) == len(candidates)
    if len(top) == 1:
        if wins_all:
            return "use", top
        top = [name for name in candidates if name not in beaten_by_top]
    among = [p for p in pairs if p.first in top and p.second in top]
    if any(p.outcome == "mixed" for p in among) or has_cycle:
        return "depends", top
    if wins_all and all(p.outcome == "equivalent" for p in among):
        return "equivalent", top
    return "undecided", top


def _undominated(candidates: Sequence[str], beats: set[tuple[str, str]]) -> list[str]:
    """The candidates that beat, directly or over others, everyone who beats them so (Schwartz)."""
    reaches = set(beats)
    for middle in candidates:
        for one in candidates:
            for other in candidates:
                if (one, middle) in reaches and (middle, other) in reaches:
                    reaches.add((one, other))
    return [
        name
        for name in candidates
        if all((name, other) in reaches for other in candidates if (other, name) in reaches)
    ]
