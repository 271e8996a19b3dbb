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

from lexiscope.core.errors import BadData
from lexiscope.core.execution import IN_MEMORY

_WAIT = 60.0  # seconds for another writer to finish

APPLICATION = 0x4C455849  # "LEXI" in ASCII: distinguishes our files from those of other programs
VERSION = 4

_TABLES = (
    """CREATE TABLE run (
        id TEXT PRIMARY KEY, started TEXT NOT NULL, finished TEXT, seed INTEGER NOT NULL,
        policy TEXT NOT NULL, manifest TEXT NOT NULL) STRICT""",
    """CREATE TABLE dataset (
        fingerprint TEXT PRIMARY KEY, kind TEXT NOT NULL, items INTEGER NOT NULL,
        content TEXT NOT NULL) STRICT""",
    """CREATE TABLE item (
        dataset TEXT NOT NULL REFERENCES dataset, item INTEGER NOT NULL,
        label TEXT NOT NULL, gold ANY NOT NULL, PRIMARY KEY (dataset, item)
        ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE cell (
        id TEXT PRIMARY KEY, task TEXT NOT NULL, task_version INTEGER NOT NULL,
        settings TEXT NOT NULL, embedding TEXT NOT NULL, dataset TEXT NOT NULL
        REFERENCES dataset, policy TEXT NOT NULL, seed INTEGER NOT NULL,
        used INTEGER NOT NULL, total INTEGER NOT NULL, missing TEXT NOT NULL,
        zero TEXT NOT NULL, seconds REAL NOT NULL, finished TEXT NOT NULL,
        versions TEXT NOT NULL, variant TEXT NOT NULL, metric TEXT NOT NULL,
        control TEXT NOT NULL, known_tokens INTEGER, tokens INTEGER) STRICT""",
    """CREATE TABLE prediction (
        cell TEXT NOT NULL REFERENCES cell, item INTEGER NOT NULL, predicted ANY NOT NULL,
        PRIMARY KEY (cell, item)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE score (
        cell TEXT NOT NULL REFERENCES cell, position INTEGER NOT NULL,
        metric TEXT NOT NULL, slice TEXT NOT NULL, value REAL, low REAL, high REAL,
        used INTEGER NOT NULL, total INTEGER NOT NULL, state TEXT NOT NULL,
        PRIMARY KEY (cell, position), UNIQUE (cell, metric, slice)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE label (
        cell TEXT NOT NULL REFERENCES cell, dimension INTEGER NOT NULL,
        property TEXT NOT NULL, correlation REAL NOT NULL, words TEXT NOT NULL,
        PRIMARY KEY (cell, dimension)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE run_cell (
        run TEXT NOT NULL REFERENCES run, position INTEGER NOT NULL, cell TEXT NOT NULL,
        embedding TEXT NOT NULL, dataset TEXT NOT NULL, variant TEXT NOT NULL,
        control TEXT NOT NULL, PRIMARY KEY (run, position)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE failure (
        run TEXT NOT NULL REFERENCES run, position INTEGER NOT NULL, reason TEXT NOT NULL,
        PRIMARY KEY (run, position)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE finding (
        run TEXT NOT NULL REFERENCES run, kind TEXT NOT NULL, position INTEGER NOT NULL,
        content TEXT NOT NULL, PRIMARY KEY (run, kind, position)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE trial (
        id TEXT PRIMARY KEY, grammar TEXT NOT NULL, parameters TEXT NOT NULL,
        sentences INTEGER NOT NULL, seed INTEGER NOT NULL, number INTEGER NOT NULL,
        corpus TEXT NOT NULL, trainer TEXT NOT NULL, trainer_version INTEGER NOT NULL,
        settings TEXT NOT NULL, vectors TEXT NOT NULL, seconds REAL NOT NULL,
        finished TEXT NOT NULL, versions TEXT NOT NULL) STRICT""",
    """CREATE TABLE probe (
        id TEXT PRIMARY KEY, trial TEXT NOT NULL REFERENCES trial, target TEXT NOT NULL,
        space TEXT NOT NULL, probe TEXT NOT NULL, probe_version INTEGER NOT NULL,
        settings TEXT NOT NULL) STRICT""",
    """CREATE TABLE probe_prediction (
        probe TEXT NOT NULL REFERENCES probe, item INTEGER NOT NULL, label TEXT NOT NULL,
        predicted TEXT NOT NULL, gold TEXT NOT NULL, PRIMARY KEY (probe, item)
        ) STRICT, WITHOUT ROWID""",
)
# Tables that a later format adds to an older one, by the format that has them.
_ADDED = {
    3: (
        """CREATE TABLE curve_point (
        id TEXT PRIMARY KEY, split TEXT NOT NULL, embedding TEXT NOT NULL, dataset TEXT NOT NULL,
        repeat INTEGER NOT NULL, seed INTEGER NOT NULL, model TEXT NOT NULL,
        model_version INTEGER NOT NULL, settings TEXT NOT NULL, size INTEGER NOT NULL,
        selected TEXT NOT NULL, validation REAL, bits REAL, seconds REAL NOT NULL,
        finished TEXT NOT NULL, versions TEXT NOT NULL, predicted BLOB NOT NULL) STRICT""",
    ),
    4: (
        """CREATE TABLE term_vectors (
        id TEXT PRIMARY KEY, text TEXT NOT NULL, background TEXT NOT NULL, model TEXT NOT NULL,
        model_version INTEGER NOT NULL, settings TEXT NOT NULL, split TEXT NOT NULL,
        seed INTEGER NOT NULL, term TEXT NOT NULL, samples INTEGER NOT NULL,
        dimension INTEGER NOT NULL, seconds REAL NOT NULL, finished TEXT NOT NULL,
        versions TEXT NOT NULL, vectors BLOB NOT NULL) STRICT""",
    ),
}
_OLDEST = 2  # format that can be extended


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
            _create_tables(self._database, self.path)
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


def _create_tables(database: sqlite3.Connection, path: str) -> None:
    """Create missing tables; raise an error for a file of an unknown format."""
    if _format(database, path) == VERSION:
        return
    database.execute("BEGIN IMMEDIATE")
    found = _format(database, path)  # another process may have created them while this one waited
    for statement in _TABLES if not found else ():
        database.execute(statement)
    for version, statements in _ADDED.items():
        for statement in statements if version > found else ():
            database.execute(statement)
    database.execute(f"PRAGMA application_id = {APPLICATION}")
    database.execute(f"PRAGMA user_version = {VERSION}")
    database.execute("COMMIT")


def _format(database: sqlite3.Connection, path: str) -> int:
    """The format of a store that can be used; 0 for an empty file."""
    application, version = (
        int(database.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("application_id", "user_version")
    )
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    if application == APPLICATION and version > VERSION:
        raise BadData(
            f"{path}: was written by a newer lexiscope (format {version}, this version reads "
            f"{VERSION}). Upgrade lexiscope, or choose another file with --store."
        )
    if application == APPLICATION and version >= _OLDEST:
        return version
    if {"run", "run_cell", "cell"} <= tables:
        raise BadData(
            f"{path}: was written by an older lexiscope in a format that is no longer read. "
            "Delete the file, or choose another one with --store."
        )
    if tables or application:
        raise BadData(f"{path}: is a database of another program. Choose another file.")
    return 0
