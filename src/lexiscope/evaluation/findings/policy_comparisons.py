"""Tests of the differences that another vocabulary policy reverses.

That the best embedding depends on the policy is a finding only if the difference is significant
under both policies.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from lexiscope.core.policy import Policy
from lexiscope.core.result import WHOLE, Comparison, PolicyComparison
from lexiscope.evaluation.cell import variant_of
from lexiscope.evaluation.comparison import compare_pairs, correct, counts
from lexiscope.evaluation.findings.common_items import CommonItems
from lexiscope.evaluation.load import load_evaluation
from lexiscope.evaluation.plan import Plan
from lexiscope.evaluation.vocabulary import AlignedEmbeddings
from lexiscope.store.store import Store

Cells = Sequence[dict[str, Any]]


def policy_comparisons(
    store: Store, run: str, plan: Plan, aligned: AlignedEmbeddings, own: Sequence[Comparison]
) -> list[PolicyComparison]:
    """Compare two embeddings under a policy if it reverses their significant difference.

    `own` are the comparisons under the run's own policy. Whether a difference is reversed depends
    only on its sign, so two-sided tests of those that are stay valid; they are corrected together.
    """
    significant = [c for c in own if c.significant and counts(c, plan.decision)]
    if not significant or len(plan.policies) == 1:
        return []
    cells = store.cells(run)
    found = [
        (policy, comparison)
        for policy in plan.policies[1:]
        for comparison in _under(
            store, [c for c in cells if Policy(**c["policy"]) == policy], plan, aligned,
            policy, significant,
        )
    ]  # fmt: skip
    corrected = correct([comparison for _, comparison in found], plan.decision)
    return [
        PolicyComparison(policy.as_dict(), comparison)
        for (policy, _), comparison in zip(found, corrected, strict=True)
    ]


def _under(
    store: Store,
    cells: Cells,
    plan: Plan,
    aligned: AlignedEmbeddings,
    policy: Policy,
    significant: Sequence[Comparison],
) -> Iterator[Comparison]:
    """The differences that a policy reverses, tested under it; not corrected."""
    for evaluated in plan.pairs():
        names = variant_of(*evaluated[:2]), evaluated[2].name
        here = [c for c in cells if (c["variant"], c["dataset_name"]) == names]
        scores = {cell["embedding_name"]: _main_score(store, cell) for cell in here}
        pairs = [
            {c.first, c.second}
            for c in significant
            if (c.variant, c.dataset) == names and _is_reversed(c, scores)
        ]
        if not pairs:
            continue
        common = CommonItems(load_evaluation(store, here, plan, policy, evaluated), plan, aligned)
        for pair in common.pairs():
            if {each.embedding for each in pair.predictions} in pairs:
                yield from compare_pairs(pair, len(significant) * len(plan.policies))


def _main_score(store: Store, cell: dict[str, Any]) -> float | None:
    scores = store.scores(cell["id"])
    return next(s.value for s in scores if (s.metric, s.slice) == (cell["metric"], WHOLE))


def _is_reversed(comparison: Comparison, scores: dict[str, float | None]) -> bool:
    first, second = scores.get(comparison.first), scores.get(comparison.second)
    if first is None or second is None or not comparison.difference:
        return False
    return (first - second) * comparison.difference < 0
