"""Sensitivity to the vocabulary policy: how far scores move, and whether the best one changes."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from lexiscope.core.embedding import Embedding
from lexiscope.core.policy import OOV, Policy
from lexiscope.core.result import WHOLE, Result
from lexiscope.evaluation.run_data import RunData

LIMITS = (10_000, 30_000, 100_000, 300_000)


def variations(policy: Policy, embeddings: Sequence[Embedding]) -> tuple[Policy, ...]:
    """The policy itself, then each other choice of every part except digits, one at a time."""
    found = [policy]
    if len(embeddings) > 1:
        found.append(
            replace(policy, vocabulary="own" if policy.vocabulary == "shared" else "shared")
        )
    found.append(replace(policy, case="exact" if policy.case == "fold" else "fold"))
    treatments: tuple[OOV, ...] = ("skip", "zero", "mean")
    found += [replace(policy, oov=each) for each in treatments]
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


class BestChange(NamedTuple):
    """A policy under which another embedding scores best.

    The change is `significant` if the difference under the run's own policy is.
    """

    task: str
    dataset: str
    policy: Policy
    usual: str
    instead: str
    significant: bool


def ranges(results: RunData) -> list[Range]:
    """How far each score moves with the policy."""
    found = []
    for result in results.main():
        same = [
            r
            for r in _all_policies(results)
            if (r.embedding, r.variant, r.dataset)
            == (result.embedding, result.variant, result.dataset)
            and r.value is not None
        ]
        if result.value is not None and same:
            low = min(same, key=lambda r: r.value or 0.0)
            high = max(same, key=lambda r: r.value or 0.0)
            names = result.embedding, result.variant, result.dataset
            found.append(Range(*names, result.value, low, high))
    return found


def best_changes(results: RunData) -> list[BestChange]:
    """Where the embedding with the highest score changes with the policy."""
    found: list[BestChange] = []
    if not results.other_policies:
        return found
    for task, dataset in results.evaluations:
        if results.incomparable_reason(task, dataset):
            continue
        rows = [r for r in _all_policies(results) if (r.variant, r.dataset) == (task, dataset)]
        usual, best = _best(rows, results.policy), results.best(task, dataset)
        for policy in results.policies:
            instead = _best(rows, policy)
            if usual and instead and instead != usual:
                significant = usual in best and instead not in best
                found.append(BestChange(task, dataset, policy, usual, instead, significant))
    return found


def _all_policies(results: RunData) -> list[Result]:
    return [r for r in (*results.results, *results.other_policies) if r.main and r.slice == WHOLE]


def _best(rows: Iterable[Result], policy: Policy) -> str | None:
    """The embedding with the highest score under a policy; None for a tie or no score."""
    here = [r for r in rows if r.value is not None and Policy(**r.policy) == policy]
    top = [r.embedding for r in here if r.value == max(r.value or 0.0 for r in here)]
    return top[0] if len(top) == 1 else None
