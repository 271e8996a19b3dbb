"""Findings of a run: comparisons, breakdowns and disagreements, from the stored predictions."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from lexiscope.core.errors import LexiscopeError
from lexiscope.core.progress import Progress
from lexiscope.core.result import Comparison, Disagreement, Result
from lexiscope.evaluation.analysis.breakdown import breakdowns
from lexiscope.evaluation.analysis.disagreements import disagreements
from lexiscope.evaluation.cell import Cell, predict_again
from lexiscope.evaluation.comparison import (
    EmbeddingPredictions,
    EvaluationPredictions,
    compare_pairs,
    correct,
)
from lexiscope.evaluation.load import LoadedEvaluation
from lexiscope.evaluation.plan import Plan
from lexiscope.evaluation.vocabulary import AlignedEmbeddings


class Findings(NamedTuple):
    """What was found between embeddings, and in parts of datasets."""

    comparisons: list[Comparison]
    control_comparisons: list[Comparison]
    breakdowns: list[Result]
    disagreements: list[Disagreement]


def find(
    plan: Plan,
    evaluations: Iterable[LoadedEvaluation],
    aligned: AlignedEmbeddings,
    progress: Progress,
) -> Findings:
    """Go through the predictions of each evaluation once.

    Comparisons with controls are a family of their own for the correction of p-values.
    """
    found = Findings([], [], [], [])
    if not plan.comparing and not plan.attributes:
        return found
    compare = _Comparisons(plan, aligned, progress)
    for evaluation in evaluations:
        if plan.comparing:
            found.comparisons.extend(compare.embeddings(evaluation))
            found.control_comparisons.extend(compare.controls(evaluation))
            found.disagreements.extend(disagreements(evaluation))
        for attribute in plan.attributes:
            found.breakdowns.extend(breakdowns(evaluation, attribute))
    return found._replace(
        comparisons=correct(found.comparisons),
        control_comparisons=correct(found.control_comparisons),
    )


class _Comparisons:
    """Compares the embeddings of each evaluation, and reports progress."""

    def __init__(self, plan: Plan, aligned: AlignedEmbeddings, progress: Progress) -> None:
        self.plan, self.aligned, self.progress = plan, aligned, progress
        embeddings, pairs = len(plan.embeddings), plan.pairs()
        self.number = embeddings * (embeddings - 1) // 2 * len(pairs)
        # Every embedding with the control without vectors, and with its random control.
        self.n_controls = 2 * embeddings * sum(task.supervised for _, task, _ in pairs)
        self.done = 0
        if plan.comparing:
            progress("Comparing", 0, self.number)

    def embeddings(self, evaluation: LoadedEvaluation) -> list[Comparison]:
        """Every two embeddings."""
        found = evaluation.predictions
        if evaluation.task.joint:
            found = self._on_common_items(evaluation, found, evaluation.cells)
        return compare_pairs(found, self.number, self._tick)

    def controls(self, evaluation: LoadedEvaluation) -> Iterator[Comparison]:
        """Every embedding with its controls."""
        own = list(zip(evaluation.cells, evaluation.predictions.predictions, strict=True))
        for control, control_predictions in evaluation.controls:
            for cell, predictions in own:
                if control["control"] != "none" and (
                    control["embedding_name"] != cell["embedding_name"]
                ):
                    continue
                pair = evaluation.predictions._replace(
                    predictions=[predictions, control_predictions]
                )
                if evaluation.task.joint:
                    pair = self._on_common_items(evaluation, pair, [cell, control])
                (found,) = compare_pairs(pair, self.n_controls)
                yield replace(found, control=control["control"])

    def _on_common_items(
        self,
        evaluation: LoadedEvaluation,
        found: EvaluationPredictions,
        cells: Iterable[dict[str, Any]],
    ) -> EvaluationPredictions:
        """Predictions for the items that all embeddings cover, made again if coverage differs."""
        covered = [set(p.items.tolist()) for p in found.predictions] or [set()]
        common = np.array(sorted(set.intersection(*covered)), np.int64)
        if not len(common) or all(len(p.items) == len(common) for p in found.predictions):
            return found
        try:
            again = [
                EmbeddingPredictions(p.embedding, common, self._predict(evaluation, cell, common))
                for cell, p in zip(cells, found.predictions, strict=True)
            ]
        except LexiscopeError:  # too few items in common, which the comparison reports
            return found
        return found._replace(predictions=again)

    def _predict(self, evaluation: LoadedEvaluation, stored: dict[str, Any], items: Any) -> Any:
        names = [embedding.name for embedding in self.plan.embeddings]
        index = names.index(stored["embedding_name"]) if stored["embedding_name"] else 0
        cell = Cell(
            index, evaluation.predictions.task, evaluation.task, evaluation.dataset,
            self.plan.policy, self.plan.seed, stored["control"],
        )  # fmt: skip
        return predict_again(cell, self.aligned.get(index, self.plan.policy), items)

    def _tick(self) -> None:
        self.done += 1
        self.progress("Comparing", self.done, self.number)
