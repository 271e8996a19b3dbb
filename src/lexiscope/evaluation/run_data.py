"""The data of a run as values: scores, comparisons and coverage, with lookups."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lexiscope.core.decision import DecisionRule
from lexiscope.core.policy import Policy
from lexiscope.core.result import (
    WHOLE,
    Comparison,
    Coverage,
    Dimension,
    Disagreement,
    Failure,
    PolicyComparison,
    Result,
)
from lexiscope.evaluation.comparison import counts, groups, loser, ranks
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
    model_comparisons: tuple[Comparison, ...] = ()
    policy_comparisons: tuple[PolicyComparison, ...] = ()

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

    @cached_property
    def rule(self) -> DecisionRule:
        """How comparisons become groups, ranks and a recommendation."""
        return DecisionRule(**self.manifest.get("decision", {}))

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

    def main_of(self, task: str, dataset: str) -> list[Result]:
        """The main results of one evaluation."""
        return list(self._main_by_evaluation.get((task, dataset), ()))

    @cached_property
    def _main_by_evaluation(self) -> dict[tuple[str, str], list[Result]]:
        found: dict[tuple[str, str], list[Result]] = {}
        for result in self.main():
            found.setdefault((result.variant, result.dataset), []).append(result)
        return found

    def scores(self, task: str, dataset: str) -> dict[str, float]:
        """The scores of one evaluation by embedding, where they are defined."""
        rows = self.main_of(task, dataset)
        return {r.embedding: r.value for r in rows if r.value is not None}

    def shared_scores(self, task: str, dataset: str) -> dict[str, float]:
        """The scores of one evaluation on shared items: those of a ranking.

        Embeddings that cover too few items are left out. In a run without comparisons, these are
        the scores of `scores` if all embeddings cover equally many items.
        """
        rows = [r for r in self.main_of(task, dataset) if r.value is not None]
        if not self.comparisons and len({r.used for r in rows}) == 1:
            return {r.embedding: r.value for r in rows if r.value is not None}
        return {r.embedding: r.shared_value for r in rows if r.shared_value is not None}

    def candidates(self, task: str, dataset: str) -> list[str]:
        """The embeddings with a score that cover enough items of one evaluation."""
        rows = [r for r in self.main_of(task, dataset) if r.value is not None]
        return [r.embedding for r in rows if self.rule.is_covered(r.used, r.total)]

    def comparisons_on(self, task: str, dataset: str) -> list[Comparison]:
        """The comparisons of one evaluation."""
        return [c for c in self.comparisons if (c.variant, c.dataset) == (task, dataset)]

    def incomparable_reason(self, task: str, dataset: str) -> str:
        """Why some embeddings of one evaluation cannot be compared; empty: all can."""
        found = self.comparisons_on(task, dataset)
        return next((c.state for c in found if c.difference is None), "")

    def has_incomparable(self, task: str, dataset: str) -> bool:
        """Whether embeddings that cover enough items have scores that cannot be compared."""
        members = self.candidates(task, dataset)
        return any(
            c.difference is None and c.first in members and c.second in members
            for c in self.comparisons_on(task, dataset)
        )

    def groups(self, task: str, dataset: str) -> list[tuple[str, ...]]:
        """Embeddings of one evaluation that are not significantly different, best group first.

        Only embeddings that were tested on enough shared items are in a group. Empty where some
        could not be compared: separate groups would look like a difference.
        """
        if self.has_incomparable(task, dataset):
            return []
        scores = self.scores(task, dataset) | self.shared_scores(task, dataset)
        members = self.candidates(task, dataset)
        return groups(members, self.comparisons_on(task, dataset), scores, self.rule)

    def best(self, task: str, dataset: str) -> list[str]:
        """Embeddings with enough coverage that no other one is significantly better than."""
        found = self.comparisons_on(task, dataset)
        losers = {loser(c) for c in found if counts(c, self.rule)}
        return [name for name in self.candidates(task, dataset) if name not in losers]

    def ranks(self, task: str, dataset: str) -> dict[str, Ranks]:
        """The best and the worst possible rank of each embedding with enough coverage."""
        members = self.candidates(task, dataset)
        return ranks(members, self.comparisons_on(task, dataset), self.rule)
