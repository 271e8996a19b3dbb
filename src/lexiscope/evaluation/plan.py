"""The plan of a run: which embeddings, tasks, datasets and policies are evaluated."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from lexiscope.core.contracts.task import Task
from lexiscope.core.datasets.base import Dataset
from lexiscope.core.decision import DEFAULT_RULE, DecisionRule
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage, UnknownName
from lexiscope.core.policy import Policy
from lexiscope.evaluation.analysis.attributes import Attribute
from lexiscope.evaluation.analysis.score_table import check_patterns
from lexiscope.evaluation.cell import variant_of
from lexiscope.evaluation.task_index import applicable_task

NamedTask = tuple[str, Task[Any]]


@dataclass(frozen=True)
class Plan:
    """What a run evaluates.

    The first policy is the run's own; `attributes` are what scores are broken down by. Without
    `comparing`, only scores are computed: embeddings are compared neither with each other nor with
    controls. Supervised tasks then run `without_vectors` only if that is set. Embeddings whose
    names match a pattern of `same_model` are runs of one model.
    """

    embeddings: tuple[Embedding, ...]
    tasks: tuple[NamedTask, ...]
    datasets: tuple[Dataset, ...]
    policies: tuple[Policy, ...]
    seed: int
    attributes: tuple[Attribute, ...] = ()
    comparing: bool = True
    decision: DecisionRule = DEFAULT_RULE
    same_model: tuple[str, ...] = ()
    without_vectors: bool = False

    @property
    def policy(self) -> Policy:
        """The policy of comparisons and of the summary."""
        return self.policies[0]

    def pairs(self) -> list[tuple[str, Task[Any], Dataset]]:
        """Every task with every dataset that it applies to."""
        return list(self._pairs)

    @cached_property
    def _pairs(self) -> tuple[tuple[str, Task[Any], Dataset], ...]:
        return tuple(
            (name, task, dataset)
            for name, task in self.tasks
            for dataset in self.datasets
            if isinstance(dataset, task.dataset)
            and task.applies_to(dataset.normalised(self.policy))
        )

    @property
    def skipped_tasks(self) -> list[str]:
        """The tasks that apply to none of the datasets."""
        used = {name for name, _, _ in self.pairs()}
        return list(dict.fromkeys(name for name, _ in self.tasks if name not in used))

    def applicable(self) -> "Plan":
        """The plan without the tasks that apply to none of the datasets."""
        skipped = self.skipped_tasks
        return replace(self, tasks=tuple(task for task in self.tasks if task[0] not in skipped))


def check(plan: Plan) -> None:
    """Raise an error for a plan in which nothing can be evaluated, or with an invalid seed."""
    if not 0 <= plan.seed < 1 << 63:
        raise BadUsage(f"A seed is a number from 0 to 2**63 - 1, found {plan.seed}.")
    check_patterns([embedding.name for embedding in plan.embeddings], plan.same_model)
    for dataset in plan.datasets:
        if not len(dataset):
            raise BadData(f"The dataset {dataset.name} contains no items.")
    if not plan.pairs():
        fitting = [d for d in plan.datasets for _, t in plan.tasks if isinstance(d, t.dataset)]
        hints = [f" {name} can evaluate {d.name}." for d in fitting if (name := applicable_task(d))]
        raise BadUsage(
            "None of the chosen tasks can evaluate the chosen datasets: "
            f"{', '.join(name for name, _ in plan.tasks)} / "
            f"{', '.join(dataset.name for dataset in plan.datasets)}.{''.join(hints[:1])}"
        )
    _check_primary(plan)


def _check_primary(plan: Plan) -> None:
    """Raise an error if a dataset of the decision rule is not evaluated."""
    evaluations = [(variant_of(name, task), dataset.name) for name, task, dataset in plan.pairs()]
    datasets = list(dict.fromkeys(dataset for _, dataset in evaluations))
    for name in plan.decision.primary:
        if name not in datasets and name not in [f"{t} on {d}" for t, d in evaluations]:
            raise UnknownName("dataset in this run", name, datasets)
