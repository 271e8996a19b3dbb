"""Sentences about vocabulary policies that change which embedding scores best."""

from collections.abc import Sequence

from lexiscope.core.display import shown
from lexiscope.core.policy import Policy
from lexiscope.evaluation.analysis.policy_sensitivity import BestChange
from lexiscope.evaluation.results import Results
from lexiscope.report.sentences import evaluation_name, listed, named


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
        parts.append(f"first {policy.limit:,} words" if policy.limit else "all words")
    return ", ".join(parts) or "policy of this run"


def policy_changes(results: Results) -> list[str]:
    """A sentence for each evaluation and embedding that scores best under another policy."""
    found: dict[tuple[str, str, str], list[BestChange]] = {}
    for change in results.best_changes:
        found.setdefault((change.task, change.dataset, change.instead), []).append(change)
    return [
        f"{evaluation_name(task, dataset)}: {_change(group, results.policy)}"
        + (
            " The difference between the two is significant in this run."
            if group[0].significant
            else ""
        )
        for (task, dataset, _), group in found.items()
    ]


def policy_change_summary(results: Results) -> list[str]:
    """A sentence for each two embeddings that swap the first rank under the same policies."""
    evaluations: dict[tuple[str, str, str, str], list[BestChange]] = {}
    for change in results.best_changes:
        key = change.usual, change.instead, change.task, change.dataset
        evaluations.setdefault(key, []).append(change)
    same: dict[tuple[str, str, tuple[Policy, ...]], list[BestChange]] = {}
    for (usual, instead, *_), group in evaluations.items():
        policies = tuple(change.policy for change in group)
        same.setdefault((usual, instead, policies), []).extend(group)
    return [_summary(group, results.policy) for group in same.values()]


def _summary(group: Sequence[BestChange], policy: Policy) -> str:
    names = dict.fromkeys(evaluation_name(change.task, change.dataset) for change in group)
    significant = dict.fromkeys(
        evaluation_name(change.task, change.dataset) for change in group if change.significant
    )
    first = shown(group[0].usual)
    tested = named(significant, "evaluation")
    decided = f" In this run {first} is significantly better on {tested}." if significant else ""
    return (
        f"The best embedding depends on the vocabulary policy on {named(names, 'evaluation')}: "
        f"{_change(group, policy)}{decided}"
    )


def _change(group: Sequence[BestChange], policy: Policy) -> str:
    first = group[0]
    under = listed(
        list(dict.fromkeys(difference_of(change.policy, policy) for change in group)), "or"
    )
    return (
        f"{shown(first.usual)} scores highest under the policy of this run, but "
        f"{shown(first.instead)} scores highest with {under}."
    )
