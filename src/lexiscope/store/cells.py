"""Finished cells in the store: predictions, scores and labels of dimensions."""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.task import Label
from lexiscope.core.datasets.base import Dataset
from lexiscope.core.result import Score
from lexiscope.store.database import (
    Database,
    now,
    storable,
    storable_text,
    stored_array,
    to_json,
)
from lexiscope.store.datasets import add_dataset

_JSON = ("settings", "policy", "missing", "zero", "versions")


@dataclass(frozen=True)
class CellRecord:
    """A finished cell: what was evaluated, how, and how much of the dataset is covered.

    `embedding` and `dataset` are fingerprints. `known_tokens` of `tokens` are in the vocabulary,
    where the dataset is running text.
    """

    id: str
    task: str
    task_version: int
    settings: dict[str, Any]
    embedding: str
    dataset: str
    policy: dict[str, Any]
    seed: int
    used: int
    total: int
    missing: tuple[str, ...]
    zero: tuple[str, ...]
    seconds: float
    versions: dict[str, str]
    variant: str
    metric: str
    control: str = ""
    known_tokens: int | None = None
    tokens: int | None = None


class StoredPredictions(NamedTuple):
    """The items that a cell covers, and what was predicted for each."""

    items: NDArray[np.int64]
    predicted: NDArray[Any]


class CellCopy(NamedTuple):
    """The key of a finished cell, and the key and the policy under which it is stored again."""

    cell: str
    to: str
    policy: dict[str, Any]


class CellTables(Database):
    """Writes and reads cells; each is written whole or not at all."""

    def done(self, cells: Iterable[str]) -> set[str]:
        """Which of these cells are stored."""
        query = "SELECT 1 FROM cell WHERE id = ?"
        return {cell for cell in cells if self._rows(query, cell)}

    def add(
        self,
        cell: CellRecord,
        dataset: Dataset,
        predictions: StoredPredictions,
        scores: Iterable[Score],
        labels: Iterable[Label] = (),
        force: bool = False,
    ) -> None:
        """Store a finished cell with every prediction.

        A cell that is stored already stays as it is, or is replaced in one step with `force`.
        """
        with self._transaction() as database:
            if force:
                _delete(database, cell.id)
            add_dataset(database, dataset)
            if _insert(database, cell):
                _add_predictions(database, cell.id, predictions)
                _add_scores(database, cell.id, scores)
                _add_labels(database, cell.id, labels)

    def copy(self, copies: Iterable[CellCopy]) -> None:
        """Store finished cells again, under policies that do not change their results."""
        with self._transaction() as database:
            for each in copies:
                _copy(database, each)

    def predictions(self, cell: str) -> StoredPredictions:
        """The predictions of a cell, by item."""
        query = "SELECT item, predicted FROM prediction WHERE cell = ? ORDER BY item"
        rows = self._rows(query, cell)
        items = np.array([row[0] for row in rows], np.int64)
        totals = self._rows("SELECT total FROM cell WHERE id = ?", cell)
        if len(items) and (items[0] < 0 or items[-1] >= totals[0][0]):
            raise self._changed(f"cell {cell} has items that its dataset has not")
        try:
            return StoredPredictions(items, stored_array([row[1] for row in rows]))
        except (TypeError, ValueError):
            raise self._changed(f"cell {cell} has predictions of different types") from None

    def scores(self, cell: str) -> list[Score]:
        """The scores of a cell, by metric and slice."""
        rows = self._records(
            "SELECT metric, slice, value, low, high, used, total, state FROM score WHERE cell = ? "
            "ORDER BY position",
            cell,
        )
        return [Score(**row) for row in rows]

    def labels(self, cell: str) -> list[Label]:
        """The labels of the dimensions of a cell's embedding, by dimension."""
        rows = self._rows(
            "SELECT dimension, property, correlation, words FROM label WHERE cell = ? "
            "ORDER BY dimension",
            cell,
        )
        return [Label(d, name, r, tuple(json.loads(words))) for d, name, r, words in rows]


def _insert(database: sqlite3.Connection, cell: CellRecord) -> bool:
    """Write the row of a cell; False if it is stored already."""
    row = asdict(cell)
    texts = {key: to_json(row[key]) for key in _JSON}
    inserted = database.execute(
        "INSERT OR IGNORE INTO cell VALUES (:id, :task, :task_version, :settings, "
        ":embedding, :dataset, :policy, :seed, :used, :total, :missing, :zero, :seconds, "
        ":finished, :versions, :variant, :metric, :control, :known_tokens, :tokens)",
        {**row, **texts, "finished": now()},
    )
    return bool(inserted.rowcount)


def _copy(database: sqlite3.Connection, copy: CellCopy) -> None:
    _delete(database, copy.to)
    for table, replaced in (
        ("cell", {"id": copy.to, "policy": to_json(copy.policy)}),
        ("prediction", {"cell": copy.to}),
        ("score", {"cell": copy.to}),
        ("label", {"cell": copy.to}),
    ):
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        copied = ", ".join("?" if name in replaced else name for name in columns)
        values = [replaced[name] for name in columns if name in replaced]
        database.execute(
            f"INSERT INTO {table} SELECT {copied} FROM {table} WHERE {columns[0]} = ?",
            (*values, copy.cell),
        )


def _add_predictions(
    database: sqlite3.Connection, cell: str, predictions: StoredPredictions
) -> None:
    items, predicted = predictions.items.tolist(), map(storable, predictions.predicted.tolist())
    database.executemany(
        "INSERT INTO prediction VALUES (?, ?, ?)",
        zip([cell] * len(items), items, predicted, strict=True),
    )


def _add_scores(database: sqlite3.Connection, cell: str, scores: Iterable[Score]) -> None:
    database.executemany(
        "INSERT INTO score VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(cell, position, *asdict(score).values()) for position, score in enumerate(scores)],
    )


def _add_labels(database: sqlite3.Connection, cell: str, labels: Iterable[Label]) -> None:
    database.executemany(
        "INSERT INTO label VALUES (?, ?, ?, ?, ?)",
        [(cell, d, storable_text(name), r, to_json(words)) for d, name, r, words in labels],
    )


def _delete(database: sqlite3.Connection, cell: str) -> None:
    for table, column in (
        ("prediction", "cell"), ("score", "cell"), ("label", "cell"), ("cell", "id"),
    ):  # fmt: skip
        database.execute(f"DELETE FROM {table} WHERE {column} = ?", (cell,))
