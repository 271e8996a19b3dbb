"""Datasets in the store: labels and gold of every item, and all columns where licences allow."""

import json
import sqlite3
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.datasets import KINDS
from lexiscope.core.datasets.base import Dataset
from lexiscope.store.database import Database, storable, storable_text, stored_array, to_json


class DatasetTables(Database):
    """Reads datasets back."""

    def items(self, dataset: str) -> tuple[list[str], NDArray[Any]]:
        """The labels and gold values of a dataset, by its fingerprint."""
        rows = self._rows("SELECT label, gold FROM item WHERE dataset = ? ORDER BY item", dataset)
        return [row[0] for row in rows], stored_array([row[1] for row in rows])

    def dataset(self, fingerprint: str, name: str) -> Dataset | None:
        """The dataset with all its columns; None where only labels and gold are stored."""
        rows = self._rows("SELECT kind, content FROM dataset WHERE fingerprint = ?", fingerprint)
        if not rows or not rows[0][1] or rows[0][0] not in KINDS:
            return None
        kind, content = rows[0]
        columns = {key: _restored(values) for key, values in json.loads(content).items()}
        return KINDS[kind](name, **columns)


def add_dataset(database: sqlite3.Connection, dataset: Dataset) -> None:
    """Write a dataset, unless it is stored already."""
    stored = "SELECT 1 FROM dataset WHERE fingerprint = ?"
    if database.execute(stored, (dataset.fingerprint,)).fetchone():
        return
    database.execute(
        "INSERT INTO dataset VALUES (?, ?, ?, ?)",
        (dataset.fingerprint, dataset.kind, len(dataset), content(dataset)),
    )
    database.executemany(
        "INSERT INTO item VALUES (?, ?, ?, ?)",
        [
            (dataset.fingerprint, item, storable_text(label), storable(gold))
            for item, (label, gold) in enumerate(
                zip(dataset.labels, dataset.gold.tolist(), strict=True)
            )
        ],
    )


def content(dataset: Dataset) -> str:
    """All columns as JSON; empty where the texts of others are not to be copied."""
    if not dataset.stored:
        return ""
    columns = {name: getattr(dataset, name).tolist() for name in dataset.columns()}
    return to_json({name: list(map(_without_nan, values)) for name, values in columns.items()})


def _without_nan(value: Any) -> Any:
    """The value; None for an unknown number, because JSON has no NaN."""
    return None if isinstance(value, float) and isnan(value) else value


def _restored(values: list[Any]) -> NDArray[Any]:
    if values and isinstance(values[0], int | float | None):
        return np.array(values, np.float64)
    array = np.empty(len(values), object)
    array[:] = [tuple(value) if isinstance(value, list) else value for value in values]
    return array
