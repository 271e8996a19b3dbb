"""Findings of a run: comparisons, breakdowns and disagreements, from the stored predictions."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from lexiscope.core.contracts.task import Task
from lexiscope.core.datasets.base import Dataset
from lexiscope.core.progress import Progress, report_time_left
from lexiscope.core.result import Comparison
from lexiscope.evaluation.analysis.breakdown import breakdowns
from lexiscope.evaluation.analysis.disagreements import disagreements
from lexiscope.evaluation.comparison import compare_pairs, correct
from lexiscope.evaluation.findings.common_items import CommonItems, StoredCell
from lexiscope.evaluation.findings.model_comparisons import model_comparisons
from lexiscope.evaluation.findings.parts import Findings, StoredParts
from lexiscope.evaluation.findings.policy_comparisons import policy_comparisons
from lexiscope.evaluation.findings.shared_scores import shared_scores
from lexiscope.evaluation.load import LoadedEvaluation, load_evaluations
from lexiscope.evaluation.plan import Plan
from lexiscope.evaluation.time_left import Kind, TimeLeft
from lexiscope.evaluation.vocabulary import AlignedEmbeddings
from lexiscope.store.store import Store


def find(
    store: Store,
    run: str,
    plan: Plan,
    aligned: AlignedEmbeddings,
    models: Mapping[str, str],
    progress: Progress,
) -> Findings:
    """Go through the predictions of each evaluation once, and store what is found in each.

    `models` are the models of the embeddings. Comparisons with controls, comparisons of models and
    those under other policies are families of their own for the correction of p-values.
    """
    found = Findings.empty()
    if not plan.comparing and not plan.attributes:
        return found
    compare, parts = _Comparisons(plan, progress), StoredParts(store, run)
    for evaluation in load_evaluations(store, run, plan):
        part = parts.get(evaluation)
        if part is None:
            compare.begin()
            part = _in_evaluation(evaluation, store, plan, aligned, models, compare)
            parts.keep(evaluation, part)
        else:
            compare.skip(part)
        found.add(part)
        compare.end(evaluation)
    comparisons = correct(found.comparisons, plan.decision)
    return found._replace(
        comparisons=comparisons,
        control_comparisons=correct(found.control_comparisons, plan.decision),
        model_comparisons=correct(found.model_comparisons, plan.decision),
        policy_comparisons=policy_comparisons(store, run, plan, aligned, comparisons),
    )


def _in_evaluation(
    evaluation: LoadedEvaluation,
    store: Store,
    plan: Plan,
    aligned: AlignedEmbeddings,
    models: Mapping[str, str],
    compare: "_Comparisons",
) -> Findings:
    """The findings of one evaluation, whose p-values are not corrected yet."""
    found = Findings.empty()
    if plan.comparing:
        common = CommonItems(evaluation, plan, aligned)
        found.comparisons.extend(compare.embeddings(common))
        found.control_comparisons.extend(compare.controls(common))
        found.model_comparisons.extend(model_comparisons(common, models))
        found.shared_scores.extend(shared_scores(common, store, plan.decision))
        found.disagreements.extend(disagreements(evaluation))
    for attribute in plan.attributes:
        found.breakdowns.extend(breakdowns(evaluation, attribute))
    return found


class _Comparisons:
    """Compares the embeddings of each evaluation, and reports progress."""

    def __init__(self, plan: Plan, progress: Progress) -> None:
        self.progress = progress
        embeddings, pairs = len(plan.embeddings), plan.pairs()
        self.number = embeddings * (embeddings - 1) // 2 * len(pairs)
        # Every embedding with the control without vectors, and with its random control.
        self.n_controls = 2 * embeddings * sum(task.supervised for _, task, _ in pairs)
        self.done = 0
        self.started = time.monotonic()
        self.time_left = TimeLeft(_kind(task, dataset) for _, task, dataset in pairs)
        if plan.comparing:
            progress("Comparing", 0, self.number)

    def begin(self) -> None:
        """Begin with an evaluation."""
        self.started = time.monotonic()

    def skip(self, part: Findings) -> None:
        """Count the comparisons of an evaluation that are stored already."""
        self.started = time.monotonic()
        self.done += len(part.comparisons)
        self.progress("Comparing", self.done, self.number)

    def end(self, evaluation: LoadedEvaluation) -> None:
        """Estimate the time left from the evaluations that are finished."""
        kind = _kind(evaluation.task, evaluation.dataset)
        self.time_left.finished(kind, time.monotonic() - self.started)
        report_time_left(self.progress, "Comparing", self.time_left.seconds())

    def embeddings(self, common: CommonItems) -> Iterator[Comparison]:
        """Every two embeddings, on the items that both cover."""
        for pair in common.pairs():
            yield from compare_pairs(pair, self.number, self._tick)

    def controls(self, common: CommonItems) -> Iterator[Comparison]:
        """Every embedding with its controls."""
        for control in (StoredCell(*each) for each in common.evaluation.controls):
            for own in common.cells:
                if control.cell["control"] != "none" and (
                    control.cell["embedding_name"] != own.cell["embedding_name"]
                ):
                    continue
                pair = common.on_common_items([own, control])
                (found,) = compare_pairs(pair, self.n_controls)
                yield replace(found, control=control.cell["control"])

    def _tick(self) -> None:
        self.done += 1
        self.progress("Comparing", self.done, self.number)


def _kind(task: Task[Any], dataset: Dataset) -> Kind:
    """Evaluations by one task take time in proportion to their items."""
    return Kind((task, dataset.fingerprint), type(task), len(dataset))
