"""Scores under every vocabulary policy: how far they move, and whether the winner changes."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from lexiscope.bench.align import gained_by_folding
from lexiscope.bench.results import Results
from lexiscope.core.dataset import Dataset
from lexiscope.core.datasets import WordPairs
from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.policy import Policy, Unknown
from lexiscope.core.result import WHOLE, Result

LIMITS = (10_000, 30_000, 100_000, 300_000)
_MUCH = 0.05  # of a dataset's items


def variations(policy: Policy, embeddings: Sequence[Embedding]) -> tuple[Policy, ...]:
    """The policy itself, then every other choice of each part but digits, one at a time."""
    found = [policy]
    if len(embeddings) > 1:
        found.append(
            replace(policy, vocabulary="own" if policy.vocabulary == "shared" else "shared")
        )
    found.append(replace(policy, case="exact" if policy.case == "fold" else "fold"))
    unknown: tuple[Unknown, ...] = ("skip", "zero", "mean")
    found += [replace(policy, unknown=each) for each in unknown]
    if all(embedding.is_sorted for embedding in embeddings):
        largest = policy.limit or max(map(len, embeddings))
        found += [replace(policy, limit=limit) for limit in LIMITS if limit < largest]
    return tuple(dict.fromkeys(found))


class Range(NamedTuple):
    """The lowest and the highest score of an embedding over all policies."""

    embedding: str
    task: str
    dataset: str
    value: float
    lowest: Result
    highest: Result


class Turn(NamedTuple):
    """A policy under which another embedding scores best; `real` if the run's own tests said so."""

    task: str
    dataset: str
    policy: Policy
    usual: str
    instead: str
    real: bool


def ranges(results: Results) -> list[Range]:
    """How far each score moves with the policy."""
    found = []
    for result in results.main():
        others = [r for r in _everywhere(results) if _same_question(r, result)]
        same = [r for r in others if r.embedding == result.embedding and r.value is not None]
        if result.value is not None and same:
            low = min(same, key=lambda r: r.value or 0.0)
            high = max(same, key=lambda r: r.value or 0.0)
            names = result.embedding, result.variant, result.dataset
            found.append(Range(*names, result.value, low, high))
    return found


def turns(results: Results) -> list[Turn]:
    """Where the embedding with the highest score changes with the policy."""
    found = []
    for task, dataset in results.columns:
        if results.refused(task, dataset):
            continue
        rows = [r for r in _everywhere(results) if (r.variant, r.dataset) == (task, dataset)]
        usual = _best(rows, results.policy)
        for policy in results.policies:
            instead = _best(rows, policy)
            if usual and instead and instead != usual:
                real = usual in results.leaders(task, dataset)
                lost = instead not in results.leaders(task, dataset)
                found.append(Turn(task, dataset, policy, usual, instead, real and lost))
    return found


def _everywhere(results: Results) -> list[Result]:
    return [r for r in (*results.results, *results.elsewhere) if r.main and r.slice == WHOLE]


def _same_question(one: Result, other: Result) -> bool:
    return (one.variant, one.dataset) == (other.variant, other.dataset)


def _best(rows: Iterable[Result], policy: Policy) -> str | None:
    """The embedding with the highest score under a policy; None for a tie or no score."""
    here = [r for r in rows if r.value is not None and Policy(**r.policy) == policy]
    top = [r.embedding for r in here if r.value == max(r.value or 0.0 for r in here)]
    return top[0] if len(top) == 1 else None


def repeat_warnings(datasets: Iterable[Dataset], policy: Policy) -> list[str]:
    """A sentence about pairs that stand in a dataset more than once, in either order."""
    found = [
        f"{more:,} of {len(dataset):,} in {shown(dataset.name)}"
        for dataset in datasets
        if isinstance(dataset, WordPairs) and (more := _repeats(dataset.spelt(policy)))
    ]
    told = "Repeated pairs: some stand more than once, in either order, and all are kept"
    return [f"{told}: {', '.join(found)}."] if found else []


def _repeats(pairs: WordPairs) -> int:
    return len(pairs) - len({frozenset(p) for p in zip(pairs.left, pairs.right, strict=True)})


def case_warnings(
    embeddings: Iterable[Embedding], datasets: Sequence[Dataset], policy: Policy
) -> list[str]:
    """Sentences about datasets that would be covered much better if letter case were folded."""
    if policy.case == "fold":
        return []
    return [
        f"Letter case: {gained:,} more of {len(dataset):,} items of {shown(dataset.name)} could be "
        f"asked of {shown(embedding.name)} if case were folded (--case fold)."
        for embedding in embeddings
        for dataset, gained in zip(datasets, gained_by_folding(embedding, datasets), strict=True)
        if gained > _MUCH * len(dataset)
    ]
