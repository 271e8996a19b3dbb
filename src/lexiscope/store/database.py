"""The connection to a SQLite file: transactions, rows, and values as SQLite holds them.

The rollback journal with full synchronisation survives a kill at any moment. Readers may open
the file with any SQLite tool while lexiscope works.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.errors import BadData
from lexiscope.core.execution import IN_MEMORY
from lexiscope.store.schema import create_tables

_WAIT = 60.0  # seconds for another writer to finish


class Database:
    """An open SQLite file with the tables of a store."""

    def __init__(self, path: str | Path = IN_MEMORY) -> None:
        self.path = str(path)
        try:
            self._database = sqlite3.connect(self.path, timeout=_WAIT, isolation_level=None)
        except sqlite3.Error as problem:
            raise BadData(f"{self.path}: cannot be opened as a store ({problem}).") from None
        try:
            self._database.execute("PRAGMA foreign_keys = ON")
            self._database.execute("PRAGMA synchronous = FULL")
            create_tables(self._database, self.path)
        except sqlite3.Error as problem:
            self._database.close()
            raise BadData(f"{self.path}: cannot be used as a store ({problem}).") from None
        except BadData:
            self._database.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._database.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Write everything inside the block, or nothing."""
        try:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
                self._database.execute("COMMIT")
            finally:
                # A full disk has rolled back already; after COMMIT nothing is left to undo.
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
        except sqlite3.Error as problem:
            raise BadData(
                f"{self.path}: could not be written ({problem}). What was stored before is safe; "
                "the same command continues from there."
            ) from None

    def _records(self, query: str, *values: Any) -> list[dict[str, Any]]:
        """The rows of a query as dicts."""
        names, rows = self._query(query, *values)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """The rows of a query as tuples."""
        return self._query(query, *values)[1]

    def _query(self, query: str, *values: Any) -> tuple[list[str], list[tuple[Any, ...]]]:
        try:
            cursor = self._database.execute(query, values)
            return [column[0] for column in cursor.description], cursor.fetchall()
        except sqlite3.Error as problem:
            raise BadData(f"{self.path}: could not be read ({problem}).") from None


def to_json(value: Any) -> str:
    """A value as JSON in ASCII."""
    return json.dumps(value, ensure_ascii=True)


def from_json(row: dict[str, Any], *names: str) -> dict[str, Any]:
    """A row with these columns decoded from JSON."""
    return {**row, **{name: json.loads(row[name]) for name in names}}


def storable(value: Any) -> Any:
    """The value itself; a word that UTF-8 cannot hold (half a surrogate pair) as its bytes."""
    if isinstance(value, str) and not value.isascii() and storable_text(value) != value:
        return value.encode("utf-8", "surrogatepass")
    return value


def storable_text(text: str) -> str:
    """Text with a replacement for each character that UTF-8 cannot hold."""
    return text.encode("utf-8", "replace").decode()


def stored_array(values: list[Any]) -> NDArray[Any]:
    """Values of one column: words as an object array, numbers as float64."""
    if values and isinstance(values[0], str | bytes):
        array = np.empty(len(values), object)
        array[:] = [
            value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value
            for value in values
        ]
        return array
    return np.array(values, np.float64)


def now() -> str:
    """The time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
