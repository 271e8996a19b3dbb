"""Stored answers as columns again: one task on one dataset, asked of every embedding."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from lexiscope.bench.compare import Answered, Column
from lexiscope.bench.plan import task_class
from lexiscope.core.dataset import Dataset
from lexiscope.core.errors import UnknownName
from lexiscope.core.policy import Policy
from lexiscope.core.result import Result, Score
from lexiscope.core.task import Task
from lexiscope.stats.bootstrap import LEVEL
from lexiscope.store.store import Store


class StoredColumn(NamedTuple):
    """A column with the cells its answers are from, and the dataset as it was asked."""

    column: Column
    dataset: Dataset
    cells: Sequence[dict[str, Any]]


def columns_of(
    store: Store,
    cells: Sequence[dict[str, Any]],
    policy: Policy,
    at_hand: Iterable[Dataset] = (),
) -> Iterator[StoredColumn]:
    """The columns of a run under one policy.

    Cells of a task that is no more are passed over, and those of datasets that are neither kept
    whole nor at hand.
    """
    known = {dataset.fingerprint: dataset for dataset in at_hand}
    here = [cell for cell in cells if Policy(**cell["policy"]) == policy]
    names = dict.fromkeys((c["variant"], c["dataset"], c["dataset_name"]) for c in here)
    for variant, fingerprint, name in names:
        same = [c for c in here if (c["variant"], c["dataset_name"]) == (variant, name)]
        dataset = known.get(fingerprint) or store.dataset(fingerprint, name)
        task = _task(same[0]["task"])
        if dataset is None or task is None:
            continue
        measure, joint = task.measure, task.joint
        answered = [Answered(c["embedding_name"], *store.answers(c["id"])) for c in same]
        spelt = dataset.spelt(policy)
        column = Column(
            same[0]["task"], variant, name, fingerprint, same[0]["settings"], measure, spelt.gold,
            spelt.units, answered, same[0]["seed"], joint,
        )  # fmt: skip
        yield StoredColumn(column, dataset, same)


def _task(name: str) -> type[Task[Any]] | None:
    try:
        return task_class(name)
    except UnknownName:
        return None


def result_of(cell: dict[str, Any], score: Score) -> Result:
    """A score of a stored cell, with everything needed to believe it."""
    return Result(
        embedding=cell["embedding_name"],
        task=cell["task"],
        dataset=cell["dataset_name"],
        measure=score.measure,
        slice=score.slice,
        value=score.value,
        low=score.low,
        high=score.high,
        used=score.used,
        total=score.total,
        state=score.state,
        settings=cell["settings"],
        policy=cell["policy"],
        seed=cell["seed"],
        level=LEVEL,
        main=score.measure == cell["measure"],
        cell=cell["id"],
        task_version=cell["task_version"],
        embedding_fingerprint=cell["embedding"],
        dataset_fingerprint=cell["dataset"],
        variant=cell["variant"],
    )
