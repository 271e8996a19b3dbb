"""The data of a run as values: scores, comparisons and coverage, with lookups."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lexiscope.core.policy import Policy
from lexiscope.core.result import (
    WHOLE,
    Comparison,
    Coverage,
    Dimension,
    Disagreement,
    Failure,
    Result,
)
from lexiscope.evaluation.comparison import groups, loser, ranks
from lexiscope.stats.multiple_comparisons import Ranks


@dataclass(frozen=True)
class RunData:
    """Everything that a run has stored. `Results` adds what follows from it."""

    run: str
    results: tuple[Result, ...]
    comparisons: tuple[Comparison, ...]
    coverage: tuple[Coverage, ...]
    failures: tuple[Failure, ...]
    manifest: dict[str, Any]
    policy: Policy
    finished: str | None
    other_policies: tuple[Result, ...] = ()
    breakdowns: tuple[Result, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    dimensions: tuple[Dimension, ...] = ()
    controls: tuple[Result, ...] = ()
    control_comparisons: tuple[Comparison, ...] = ()

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    @property
    def embeddings(self) -> list[str]:
        """The names of the embeddings, in the given order."""
        return [entry["name"] for entry in self.manifest["embeddings"]]

    @property
    def evaluations(self) -> list[tuple[str, str]]:
        """Every evaluation in order: (task with its settings, dataset)."""
        return list(dict.fromkeys((r.variant, r.dataset) for r in self.results))

    @property
    def has_variants(self) -> bool:
        """Whether a task was evaluated with several settings."""
        return len({r.variant for r in self.results}) > len({r.task for r in self.results})

    @property
    def policies(self) -> list[Policy]:
        """The run's own policy, then the others."""
        others = [Policy(**r.policy) for r in self.other_policies]
        return list(dict.fromkeys([self.policy, *others]))

    @property
    def warnings(self) -> list[str]:
        """What a reader should know before trusting a score."""
        return list(self.manifest["warnings"])

    @property
    def skipped_tasks(self) -> list[str]:
        """Tasks that were chosen but have no dataset."""
        return list(self.manifest["skipped_tasks"])

    @property
    def succeeded(self) -> bool:
        """Whether no evaluation failed, every named task had a dataset, and there is a score."""
        scored = any(result.value is not None for result in self.main())
        return scored and not self.failures and not self.skipped_tasks

    def main(self) -> list[Result]:
        """The tasks' own metrics on whole datasets, as in the summary."""
        return [r for r in self.results if r.main and r.slice == WHOLE]

    def scores(self, task: str, dataset: str) -> dict[str, float]:
        """The scores of one evaluation by embedding, where they are defined."""
        rows = [r for r in self.main() if (r.variant, r.dataset) == (task, dataset)]
        return {r.embedding: r.value for r in rows if r.value is not None}

    def comparisons_on(self, task: str, dataset: str) -> list[Comparison]:
        """The comparisons of one evaluation."""
        return [c for c in self.comparisons if (c.variant, c.dataset) == (task, dataset)]

    def incomparable_reason(self, task: str, dataset: str) -> str:
        """Why some embeddings of one evaluation cannot be compared; empty: all can."""
        return next((c.state for c in self.comparisons_on(task, dataset) if c.p is None), "")

    def has_incomparable(self, task: str, dataset: str) -> bool:
        """Whether embeddings of one evaluation have scores that cannot be compared."""
        scores = self.scores(task, dataset)
        return any(
            c.p is None and c.first in scores and c.second in scores
            for c in self.comparisons_on(task, dataset)
        )

    def groups(self, task: str, dataset: str) -> list[tuple[str, ...]]:
        """Embeddings of one evaluation that are not significantly different, best group first.

        Empty where some could not be compared: separate groups would look like a difference.
        """
        scores = self.scores(task, dataset)
        if self.has_incomparable(task, dataset):
            return []
        return groups(list(scores), self.comparisons_on(task, dataset), scores)

    def best(self, task: str, dataset: str) -> list[str]:
        """Embeddings of one evaluation that no other one is significantly better than."""
        losers = {loser(c) for c in self.comparisons_on(task, dataset)}
        return [name for name in self.scores(task, dataset) if name not in losers]

    def ranks(self, task: str, dataset: str) -> dict[str, Ranks]:
        """The best and the worst possible rank of each embedding in one evaluation."""
        return ranks(list(self.scores(task, dataset)), self.comparisons_on(task, dataset))
