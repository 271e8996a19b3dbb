"""The schedule of a run: its cells, which of them are open, and the work on those."""

import hashlib
import json
import uuid
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from lexiscope.core.decision import DEFAULT_RULE
from lexiscope.core.errors import LexiscopeError
from lexiscope.core.execution import IN_MEMORY, Execution
from lexiscope.core.policy import Policy
from lexiscope.core.progress import report_time_left
from lexiscope.core.result import Control
from lexiscope.core.versions import versions
from lexiscope.evaluation.cell import Cell, KnownPredictions, Outcome
from lexiscope.evaluation.dispatch import Job, dispatch
from lexiscope.evaluation.plan import Plan
from lexiscope.evaluation.time_left import Kind, TimeLeft
from lexiscope.evaluation.vocabulary import AlignedEmbeddings, has_equal_vectors
from lexiscope.store.store import CellCopy, CellRecord, RunCell, Store, StoredPredictions

_COPIED_AT_ONCE = 64


class ScheduledCell(NamedTuple):
    """A cell with its key in the store, and the fingerprint of its embedding."""

    cell: Cell
    key: str
    fingerprint: str


class Schedule:
    """The cells of a plan: those of the run's own policy first, controls last."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._fingerprints = [embedding.fingerprint for embedding in plan.embeddings]
        self.cells = [
            self._scheduled(Cell(index, *pair, policy, plan.seed))
            for policy in plan.policies
            for index in range(len(plan.embeddings))
            for pair in plan.pairs()
        ] + [self._scheduled(cell) for cell in _controls(plan)]

    def run_cells(self) -> list[RunCell]:
        """The cells under the names of the run."""
        return [
            RunCell(s.key, self._embedding_name(s.cell), s.cell.dataset.name, s.cell.variant,
                    s.cell.control)
            for s in self.cells
        ]  # fmt: skip

    def run_id(self, store: Store) -> str:
        """The id of the run: the same plan on the same data has the same one, to be continued."""
        if store.path == IN_MEMORY:
            return uuid.uuid4().hex[:12]
        parts: list[Any] = [list(cell) for cell in self.run_cells()]
        parts += [[each.name, each.source] for each in self.plan.attributes]
        parts += [] if self.plan.comparing else ["scores only"]
        if self.plan.decision != DEFAULT_RULE:
            parts.append(self.plan.decision.as_dict())
        parts += [["same model", pattern] for pattern in self.plan.same_model]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:12]

    def own_policy_key(self, cell: Cell) -> str:
        """The key of the same cell under the run's own policy."""
        return self._scheduled(replace(cell, policy=self.plan.policy)).key

    def _scheduled(self, cell: Cell) -> ScheduledCell:
        if cell.control == "none":
            return ScheduledCell(cell, cell.key("", ""), "")
        # A shared vocabulary depends on all embeddings of the run.
        is_shared = cell.policy.vocabulary == "shared"
        shared = " ".join(sorted(self._fingerprints)) if is_shared else ""
        fingerprint = self._fingerprints[cell.embedding]
        return ScheduledCell(cell, cell.key(fingerprint, shared), fingerprint)

    def _embedding_name(self, cell: Cell) -> str:
        return "" if cell.control == "none" else self.plan.embeddings[cell.embedding].name


def _controls(plan: Plan) -> list[Cell]:
    """The controls of supervised tasks, under the run's own policy."""
    supervised = [pair for pair in plan.pairs() if pair[1].supervised]
    kinds: list[tuple[int, Control]] = []
    if plan.comparing or plan.without_vectors:
        kinds.append((0, "none"))
    if plan.comparing:
        kinds += [(index, "random") for index in range(len(plan.embeddings))]
    return [
        Cell(index, *pair, plan.policy, plan.seed, control)
        for index, control in kinds
        for pair in supervised
    ]


def evaluate_cells(
    schedule: Schedule, aligned: AlignedEmbeddings, store: Store, execution: Execution
) -> dict[int, str]:
    """Evaluate every open cell and store each when it is finished.

    Returns the reasons of the failures, by the position of the cell in the schedule.
    """
    work = _Work(schedule, aligned, store, execution)
    failures = work.evaluate()
    return {
        position: failures[cell.key]
        for position, cell in enumerate(schedule.cells)
        if cell.key in failures
    }


class _Work:
    """The open cells of a schedule, and how many of them are finished."""

    def __init__(
        self,
        schedule: Schedule,
        aligned: AlignedEmbeddings,
        store: Store,
        execution: Execution,
    ) -> None:
        self.schedule, self.aligned = schedule, aligned
        self.store, self.execution = store, execution
        done = set() if execution.force else store.done(cell.key for cell in schedule.cells)
        # By key: embeddings with equal content are evaluated once.
        self.open = list({s.key: s for s in schedule.cells if s.key not in done}.values())
        self.finished = 0
        self.time_left = TimeLeft(map(self._kind, self.open))

    def evaluate(self) -> dict[str, str]:
        """Evaluate the open cells; returns the reasons of failures by key.

        Those of the run's own policy come first: their results may hold for other policies.
        """
        self.execution.progress("Evaluating", 0, len(self.open))
        own = [s for s in self.open if s.cell.policy == self.schedule.plan.policy]
        own.sort(key=lambda s: s.cell.control != "none")  # may take the longest
        failures = self._dispatch(own, [Job(s.cell) for s in own])
        others = [s for s in self.open if s.cell.policy != self.schedule.plan.policy]
        left = self._without_copied(others)
        return failures | self._dispatch(left, [Job(s.cell, self._known(s.cell)) for s in left])

    def _dispatch(self, cells: Sequence[ScheduledCell], jobs: Sequence[Job]) -> dict[str, str]:
        failures: dict[str, str] = {}
        for number, outcome in dispatch(jobs, self.aligned, self.execution):
            if outcome.failure:
                failures[cells[number].key] = outcome.failure
            else:
                _keep(self.store, cells[number], outcome, self.execution.force)
            self._tick(cells[number], outcome.seconds)
        return failures

    def _without_copied(self, cells: Sequence[ScheduledCell]) -> list[ScheduledCell]:
        """Copy the results of the run's own policy where they must be the same; return the rest.

        Many at a time, because the disk is waited for at the end of each transaction.
        """
        left: list[ScheduledCell] = []
        for first in range(0, len(cells), _COPIED_AT_ONCE):
            some = cells[first : first + _COPIED_AT_ONCE]
            unaffected = [self._is_unaffected(s) for s in some]
            copied = [s for s, same in zip(some, unaffected, strict=True) if same]
            self.store.copy(
                CellCopy(self.schedule.own_policy_key(s.cell), s.key, s.cell.policy.as_dict())
                for s in copied
            )
            for scheduled in copied:
                self._tick(scheduled, 0.0)
            left += [s for s, same in zip(some, unaffected, strict=True) if not same]
        return left

    def _is_unaffected(self, scheduled: ScheduledCell) -> bool:
        cell, own = scheduled.cell, self.schedule.plan.policy
        try:
            stored = self.store.done([self.schedule.own_policy_key(cell)])
            return bool(stored) and is_unaffected(cell, own, self.aligned)
        except LexiscopeError:  # reported when the cell is evaluated
            return False

    def _known(self, cell: Cell) -> KnownPredictions | None:
        """The predictions of the run's own policy, if this one only fills in empty ones."""
        only_oov_differs = replace(cell.policy, oov="skip") == self.schedule.plan.policy
        key = self.schedule.own_policy_key(cell)
        if not only_oov_differs or cell.policy.oov != "zero" or not self.store.done([key]):
            return None
        return KnownPredictions(*self.store.predictions(key))

    def _tick(self, scheduled: ScheduledCell, seconds: float) -> None:
        self.finished += 1
        self.time_left.finished(self._kind(scheduled), seconds)
        report_time_left(self.execution.progress, "Evaluating", self.time_left.seconds())
        self.execution.progress("Evaluating", self.finished, len(self.open))

    def _kind(self, scheduled: ScheduledCell) -> Kind:
        """Cells of one task and dataset take about the same time; so do other policies."""
        cell = scheduled.cell
        own = cell.policy == self.schedule.plan.policy
        task = cell.variant, cell.control
        return Kind((*task, cell.dataset.fingerprint, own), task, len(cell.dataset))


def is_unaffected(cell: Cell, policy: Policy, aligned: AlignedEmbeddings) -> bool:
    """Whether a cell must have the same results under another policy.

    A local task needs equal vectors for the words of the dataset, any other task the very same
    embedding.
    """
    here, there = (aligned.get(cell.embedding, each) for each in (cell.policy, policy))
    ours, theirs = (cell.dataset.normalised(each) for each in (cell.policy, policy))
    if ours is not theirs and ours.fingerprint != theirs.fingerprint:
        return False
    complete = bool((here.embedding.vocabulary.find(ours.all_words) >= 0).all())
    if not complete and cell.policy.oov != policy.oov:
        return False
    if here.embedding is there.embedding:
        return True
    if not complete and policy.oov == "mean":  # the mean is that of all words
        return False
    return cell.task.local and has_equal_vectors(here.embedding, there.embedding, ours.all_words)


def _keep(store: Store, scheduled: ScheduledCell, outcome: Outcome, force: bool) -> None:
    cell = scheduled.cell
    record = CellRecord(
        scheduled.key, cell.task_name, cell.task.version, cell.task.settings,
        scheduled.fingerprint, cell.dataset.fingerprint, cell.policy.as_dict(), cell.seed,
        len(outcome.items), len(cell.dataset), outcome.missing, outcome.zero, outcome.seconds,
        versions(), cell.variant, cell.task.metric.name, cell.control,
        *(outcome.tokens or (None, None)),
    )  # fmt: skip
    predictions = StoredPredictions(outcome.items, outcome.predicted)
    store.add(record, cell.dataset, predictions, outcome.scores, outcome.labels, force)
