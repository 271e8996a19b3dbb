"""What a run does not decide, as one sentence."""

import re
from collections.abc import Mapping, Sequence

from lexiscope.core.display import shown
from lexiscope.core.result import Comparison
from lexiscope.evaluation.analysis.recommendation import (
    DatasetComparison,
    PairComparison,
    Recommendation,
)
from lexiscope.evaluation.results import Results
from lexiscope.report.numbers import count, count_range, detectable, margin
from lexiscope.report.sentences import listed, named

_NAMED = 2  # pairs of embeddings in one sentence


def open_questions(results: Results, found: Recommendation) -> str:
    """What is not known: undecided pairs, pairs without a test, and what was left out."""
    if len(results.embeddings) < 2:
        return "Not known: whether another embedding is significantly better."
    parts = [
        *_open(results, found), *_models(results), *_not_counted(results, found),
        *_left_out(found),
    ]  # fmt: skip
    if parts:
        return f"Not known: {'; '.join(parts)}."
    within = f"equivalent within {margin(found.rule.margin)}"
    if found.kind == "use":
        name = shown(found.embeddings[0])
        decided = f"{name} is significantly different from every other embedding, or {within},"
    else:
        decided = f"every two of these embeddings are significantly different, or {within},"
    return f"Nothing is undecided: {decided} on every dataset."


def _relevant(found: Recommendation) -> list[tuple[PairComparison, DatasetComparison]]:
    """The undecided datasets of the pairs with an embedding that the recommendation names."""
    return [
        (pair, each)
        for pair in found.pairs
        if found.kind == "none" or {pair.first, pair.second} & set(found.embeddings)
        for each in pair.datasets
        if each.outcome == "undecided"
    ]


def _open(results: Results, found: Recommendation) -> list[str]:
    """Which pairs are undecided, and what could have been detected."""
    relevant = [(pair, each) for pair, each in _relevant(found) if _tests(results, pair, each)]
    if not relevant:
        return []
    pairs = list(dict.fromkeys(f"{shown(p.first)} and {shown(p.second)}" for p, _ in relevant))
    which = f"which of {listed(pairs, 'or of')} is better"
    if len(pairs) > _NAMED:
        which = f"which embedding is better in {len(pairs)} pairs"
    datasets = named(dict.fromkeys(shown(each.dataset) for _, each in relevant), "dataset")
    items = count_range(each.items for _, each in relevant)
    tests = [c for pair, each in relevant for c in _tests(results, pair, each)]
    return [
        f"{which} on {datasets}: not significantly different ({items} items) "
        f"{_equivalence(tests, found)}{_power(tests)}"
    ]


def _tests(results: Results, pair: PairComparison, on: DatasetComparison) -> list[Comparison]:
    """The undecided comparisons of two embeddings on a dataset."""
    return [
        c
        for c in results.comparisons
        if {c.first, c.second} == {pair.first, pair.second} and c.dataset == on.dataset
        if c.p is not None and c.outcome == "undecided" and not on.reason
    ]


def _equivalence(tests: Sequence[Comparison], found: Recommendation) -> str:
    if all(c.margin is None for c in tests):
        return "and without a margin of equivalence"
    return f"and not shown to be equivalent within {margin(found.rule.margin)}"


def _power(tests: Sequence[Comparison]) -> str:
    """The largest detectable difference; a test may detect no possible difference."""
    blind = [c for c in tests if c.detectable_difference is None and c.error]
    if blind:
        return f"; no possible difference would be detected on {shown(blind[0].dataset)}"
    known = [(c.detectable_difference, c) for c in tests if c.detectable_difference is not None]
    if not known:
        return ""
    limit, weakest = max(known, key=lambda pair: pair[0])
    return (
        f"; a true difference of up to {detectable(limit)} may remain undetected on "
        f"{shown(weakest.dataset)} (80 % power at the corrected level)"
    )


def _models(results: Results) -> list[str]:
    """Which models are undecided with the variance between their training runs."""
    found = [c for c in results.model_comparisons if c.outcome == "undecided"]
    pairs = list(dict.fromkeys(f"{shown(c.first)} and {shown(c.second)}" for c in found))
    if not pairs:
        return []
    which = f"which of the models {listed(pairs, 'or of')} is better"
    if len(pairs) > _NAMED:
        which = f"which model is better in {len(pairs)} pairs"
    datasets = named(dict.fromkeys(shown(c.dataset) for c in found), "dataset")
    return [f"{which} over their training runs on {datasets}"]


def _not_counted(results: Results, found: Recommendation) -> list[str]:
    """Pairs that do not count on a dataset, and why."""
    lacking = [(pair, each) for pair, each in _relevant(found) if not _tests(results, pair, each)]
    if not lacking:
        return []
    pair, first = lacking[0]
    such = f"{shown(pair.first)} and {shown(pair.second)} on {shown(first.dataset)}"
    reason = _brief(first.reason or "not tested in every evaluation")
    if len(lacking) == 1:
        return [f"the difference between {such} ({reason})"]
    return [f"{len(lacking)} differences, such as between {such} ({reason})"]


def _left_out(found: Recommendation) -> list[str]:
    """Embeddings that are no candidates and datasets that do not decide, with a reason each."""
    parts = [*_compared(found.excluded)]
    parts += [f"the outcome on {shown(n)} ({_brief(r)})" for n, r in found.left_out.items()]
    more = len(parts) - _NAMED - 1
    return [*parts[: _NAMED + 1], *([f"{count(more)} more"] if more > 0 else [])]


def _compared(excluded: Mapping[str, str]) -> list[str]:
    """The embeddings that are no candidates; the reason of the first one if there are several."""
    if not excluded:
        return []
    first, reason = next(iter(excluded.items()))
    which = named(map(shown, excluded), "embedding")
    example = "" if len(excluded) == 1 else f"{shown(first)} "
    return [f"how {which} compare{'s' * (len(excluded) == 1)} ({example}{_brief(reason)})"]


def _brief(reason: str) -> str:
    """The first part of a reason; the sections of the report have the rest."""
    return shown(re.split("; |: | \\(--", reason)[0], 200)
