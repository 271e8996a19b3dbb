"""Sensitivity to the vocabulary policy: how far scores move, and whether the best one changes."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from lexiscope.core.embedding import Embedding
from lexiscope.core.policy import OOV, Policy
from lexiscope.core.result import WHOLE, Result
from lexiscope.evaluation.comparison import counts, loser
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
    """A policy under which another embedding scores highest.

    The change is `significant` if `usual` is significantly better under the run's own policy, and
    `instead` under this one.
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
    """Where the embedding with the highest score changes with the policy.

    Only embeddings that cover enough items under the policy are considered.
    """
    found: list[BestChange] = []
    if not results.other_policies:
        return found
    for task, dataset in results.evaluations:
        if results.has_incomparable(task, dataset):
            continue
        rows = [r for r in _all_policies(results) if (r.variant, r.dataset) == (task, dataset)]
        rows = [r for r in rows if results.rule.is_covered(r.used, r.total)]
        usual = _best(rows, results.policy)
        for policy in results.policies:
            instead = _best(rows, policy)
            if usual and instead and instead != usual:
                change = BestChange(task, dataset, policy, usual, instead, False)
                found.append(change._replace(significant=_is_significant(results, change)))
    return found


def _is_significant(results: RunData, change: BestChange) -> bool:
    """Whether each of the two is significantly better under one of the two policies."""
    own = results.comparisons_on(change.task, change.dataset)
    under = [
        each.comparison
        for each in results.policy_comparisons
        if Policy(**each.policy) == change.policy
        and (each.comparison.variant, each.comparison.dataset) == (change.task, change.dataset)
    ]
    names = {change.usual, change.instead}
    worse = [
        {loser(c) for c in some if {c.first, c.second} == names and counts(c, results.rule)}
        for some in (own, under)
    ]
    return worse == [{change.instead}, {change.usual}]


def _all_policies(results: RunData) -> list[Result]:
    return [r for r in (*results.results, *results.other_policies) if r.main and r.slice == WHOLE]


def _best(rows: Iterable[Result], policy: Policy) -> str | None:
    """The embedding with the highest score under a policy; None for a tie or no score."""
    here = [r for r in rows if r.value is not None and Policy(**r.policy) == policy]
    top = [r.embedding for r in here if r.value == max(r.value or 0.0 for r in here)]
    return top[0] if len(top) == 1 else None
