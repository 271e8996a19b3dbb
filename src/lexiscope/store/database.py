"""A SQLite file: its tables, transactions, rows, and values as SQLite holds them.

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

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.core.execution import IN_MEMORY
from lexiscope.store import schema

_WAIT = 60.0  # seconds for another writer to finish


class Database:
    """An open SQLite file with the tables of a store."""

    def __init__(self, path: str | Path = IN_MEMORY, *, read_only: bool = False) -> None:
        self.path = str(path)
        try:
            self._database = _connect_to_read(self.path) if read_only else _connect(self.path)
        except sqlite3.Error as problem:
            raise BadData(
                f"{self.path}: cannot be opened as a store ({reason(problem)})."
            ) from None
        try:
            self._database.execute("PRAGMA foreign_keys = ON")
            self._database.execute("PRAGMA synchronous = FULL")
            self._database.execute("PRAGMA trusted_schema = OFF")
            if not read_only:
                schema.create(self._database, self.path)
            elif not schema.check(self._database, self.path):
                raise BadData(f"{self.path}: is an empty database; no run is stored in it.")
        except sqlite3.Error as problem:
            self._database.close()
            raise BadData(f"{self.path}: cannot be used as a store ({reason(problem)}).") from None
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
            if self.path != IN_MEMORY and not Path(self.path).exists():
                raise BadData(
                    f"{self.path}: was deleted or moved while it was written "
                    f"({reason(problem)}), so what this command had stored is not there any more. "
                    "Run it again."
                ) from None
            raise BadData(
                f"{self.path}: could not be written ({reason(problem)}). What was stored before is "
                "safe; the same command continues from there."
            ) from None

    def _changed(self, what: str) -> BadData:
        """The error for content that lexiscope did not write."""
        return BadData(
            f"{self.path}: {what}, so the file is damaged or was changed by another program. Run "
            "the evaluations again with another store."
        )

    @contextmanager
    def _validated(self, what: str) -> Iterator[None]:
        """Turn what decoding of changed content raises into one sentence."""
        try:
            yield
        except (LookupError, RecursionError, TypeError, ValueError) as problem:
            raise self._changed(f"{what} has invalid content ({reason(problem)})") from None

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
            raise BadData(f"{self.path}: could not be read ({reason(problem)}).") from None


def reason(problem: Exception) -> str:
    """What a problem says, without the characters of the file that a terminal would obey."""
    return shown(str(problem), 120)


def _connect(path: str, uri: bool = False) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=_WAIT, isolation_level=None, uri=uri)


def _connect_to_read(path: str) -> sqlite3.Connection:
    """Connect without the right to change the file.

    Only an unfinished write that a kill has left in a store of ours is undone.
    """
    address = Path(path).absolute().as_uri()
    if _is_ours(path) and Path(f"{path}-journal").exists():
        database = _connect(f"{address}?mode=rw", uri=True)
        database.execute("PRAGMA query_only = ON")
        return database
    return _connect(f"{address}?mode=ro", uri=True)


def _is_ours(path: str) -> bool:
    """Whether the header of a database has our application id (sqlite.org/fileformat2.html)."""
    try:
        with Path(path).open("rb") as file:
            return file.read(100)[68:72] == schema.APPLICATION.to_bytes(4, "big")
    except OSError:
        return False


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
        if not all(isinstance(value, str | bytes) for value in values):
            raise TypeError("words and numbers in one column")
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
