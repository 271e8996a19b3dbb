"""Sentences about vocabulary policies that change which embedding scores best."""

from collections.abc import Iterable, Sequence

from lexiscope.core.display import shown
from lexiscope.core.policy import Policy
from lexiscope.evaluation.analysis.policy_sensitivity import BestChange
from lexiscope.evaluation.results import Results
from lexiscope.report.numbers import count
from lexiscope.report.sentences import counted, evaluation_name, listed, named


def difference_of(policy: Policy, reference: Policy) -> str:
    """How a policy differs from that of the run."""
    parts = []
    if policy.vocabulary != reference.vocabulary:
        parts.append(f"{policy.vocabulary} vocabulary")
    if policy.case != reference.case:
        parts.append(f"case {policy.case}")
    if policy.oov != reference.oov:
        parts.append(f"OOV words {policy.oov}")
    if policy.limit != reference.limit:
        parts.append(f"first {count(policy.limit)} words" if policy.limit else "all words")
    return ", ".join(parts) or "policy of this run"


def policy_changes(results: Results) -> list[str]:
    """A sentence for each evaluation and embedding that scores highest under another policy."""
    found: dict[tuple[str, str, str], list[BestChange]] = {}
    for change in results.best_changes:
        found.setdefault((change.task, change.dataset, change.instead), []).append(change)
    return [
        f"{evaluation_name(task, dataset)}: {_change(group, results.policy)}"
        for (task, dataset, _), group in found.items()
    ]


def policy_change_summary(results: Results) -> list[str]:
    """A sentence for each two embeddings of which each is significantly better under a policy.

    Changes of the highest score that are not significant are only counted.
    """
    same: dict[tuple[str, str, tuple[Policy, ...]], list[BestChange]] = {}
    for group in _by_evaluation(c for c in results.best_changes if c.significant):
        policies = tuple(change.policy for change in group)
        same.setdefault((group[0].usual, group[0].instead, policies), []).extend(group)
    return [_summary(group, results.policy) for group in same.values()]


def insignificant_changes(results: Results) -> list[str]:
    """On how many evaluations the highest score changes with the policy, but not significantly."""
    evaluations = {
        (change.task, change.dataset) for change in results.best_changes if not change.significant
    }
    if not evaluations:
        return []
    return [
        f"With another vocabulary policy, another embedding scores highest on "
        f"{counted(len(evaluations), 'evaluation')}, but not significantly in both directions."
    ]


def _by_evaluation(changes: Iterable[BestChange]) -> list[list[BestChange]]:
    """The changes between the same two embeddings in the same evaluation."""
    found: dict[tuple[str, str, str, str], list[BestChange]] = {}
    for change in changes:
        key = change.usual, change.instead, change.task, change.dataset
        found.setdefault(key, []).append(change)
    return list(found.values())


def _summary(group: Sequence[BestChange], policy: Policy) -> str:
    names = dict.fromkeys(evaluation_name(change.task, change.dataset) for change in group)
    return (
        f"The best embedding depends on the vocabulary policy on {named(names, 'evaluation')}: "
        f"{_change(group, policy)}"
    )


def _change(group: Sequence[BestChange], policy: Policy) -> str:
    first = group[0]
    under = listed(
        list(dict.fromkeys(difference_of(change.policy, policy) for change in group)), "or"
    )
    change = (
        f"{shown(first.usual)} scores highest under the policy of this run, but "
        f"{shown(first.instead)} scores highest with {under}"
    )
    if all(each.significant for each in group):
        return f"{change}; both differences are significant."
    return f"{change}; not significant."
