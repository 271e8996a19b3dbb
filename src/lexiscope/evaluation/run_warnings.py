"""Warnings of a run: what a reader should know before trusting a score."""

from collections.abc import Iterable, Sequence

from lexiscope.core.datasets import WordPairs
from lexiscope.core.datasets.base import Dataset
from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.policy import Policy
from lexiscope.data.vectors.resolve import FEW_CANDIDATES
from lexiscope.evaluation.plan import Plan
from lexiscope.evaluation.resolve import how_to_download
from lexiscope.evaluation.vocabulary import gained_by_folding

_MANY = 0.05  # of a dataset's items


def warnings_of(plan: Plan) -> list[str]:
    """All warnings, one sentence or more each."""
    return [
        *case_warnings(plan.embeddings, plan.datasets, plan.policy),
        *repeated_pair_warnings(plan.datasets, plan.policy),
        *(f"{e.name}: {text}" for e in plan.embeddings for text in e.repairs
          if text == FEW_CANDIDATES),
        *skipped_task_warnings(plan),
    ]  # fmt: skip


def case_warnings(
    embeddings: Iterable[Embedding], datasets: Sequence[Dataset], policy: Policy
) -> list[str]:
    """Datasets of which far more items are covered if letter case is folded."""
    if policy.case == "fold":
        return []
    return [
        f"Letter case: {shown(embedding.name)} covers {gained:,} more of {len(dataset):,} items of "
        f"{shown(dataset.name)} if case is folded (--case fold)."
        for embedding in embeddings
        for dataset, gained in zip(
            datasets, gained_by_folding(embedding, datasets, policy.language), strict=True
        )
        if gained > _MANY * len(dataset)
    ]


def repeated_pair_warnings(datasets: Iterable[Dataset], policy: Policy) -> list[str]:
    """Datasets with word pairs that occur more than once, in either order."""
    found = [
        f"{number:,} of {len(dataset):,} in {shown(dataset.name)}"
        for dataset in datasets
        if isinstance(dataset, WordPairs) and (number := _repeats(dataset.normalised(policy)))
    ]
    text = "Repeated pairs: some occur more than once, in either order, and all are used"
    return [f"{text}: {', '.join(found)}."] if found else []


def _repeats(pairs: WordPairs) -> int:
    return len(pairs) - len({frozenset(p) for p in zip(pairs.left, pairs.right, strict=True)})


def skipped_task_warnings(plan: Plan) -> list[str]:
    """Tasks that apply to none of the datasets, and how to get some."""
    kinds = {name: task.dataset.kind for name, task in plan.tasks}
    return [
        f"{name} was not run: no dataset for it is chosen or available locally. "
        f"{how_to_download([kinds[name]])}".rstrip()
        for name in plan.skipped_tasks
    ]
