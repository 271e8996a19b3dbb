"""The tables of a store: their creation, and the check of a file before it is used."""

import sqlite3
from collections.abc import Iterable

from lexiscope.core.errors import BadData

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


def create(database: sqlite3.Connection, path: str) -> None:
    """Create missing tables, all or none; raise an error for a file that is not a store."""
    if check(database, path) == VERSION:
        return
    database.execute("BEGIN IMMEDIATE")
    found = check(database, path)  # another process may have created them while this one waited
    for statement in _TABLES if not found else ():
        database.execute(statement)
    for version, statements in _ADDED.items():
        for statement in statements if version > found else ():
            database.execute(statement)
    database.execute(f"PRAGMA application_id = {APPLICATION}")
    database.execute(f"PRAGMA user_version = {VERSION}")
    database.execute("COMMIT")


def check(database: sqlite3.Connection, path: str) -> int:
    """Return the format of a store that can be used; 0 for an empty file."""
    application, version = (
        int(database.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("application_id", "user_version")
    )
    names = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    if application == APPLICATION and version > VERSION:
        raise BadData(
            f"{path}: was written by a newer lexiscope (format {version}, this version reads "
            f"{VERSION}). Upgrade lexiscope, or choose another file with --store."
        )
    if application == APPLICATION and version >= _OLDEST:
        _check_tables(database, path, version)
        return version
    if {"run", "run_cell", "cell"} <= names:
        raise BadData(
            f"{path}: was written by an older lexiscope in a format that is no longer read. "
            "Delete the file, or choose another one with --store."
        )
    if names or application or version:
        raise BadData(f"{path}: is a database of another program. Choose another file.")
    return 0


def _check_tables(database: sqlite3.Connection, path: str, version: int) -> None:
    statements = [*_TABLES, *(s for added, new in _ADDED.items() if added <= version for s in new)]
    check_tables(database, path, statements, "a store")


def check_tables(
    database: sqlite3.Connection, path: str, statements: Iterable[str], what: str
) -> None:
    """Raise an error for tables of another program, and for what could run code of the file."""
    for name, columns in _columns(statements).items():
        (kind, found) = _described(database, name)
        if (kind, found) != ("table", columns):
            raise BadData(
                f"{path}: is not {what}: the table '{name}' is missing or has other columns. "
                "Choose another file."
            )
    query = "SELECT 1 FROM sqlite_master WHERE type = 'trigger'"
    if database.execute(query).fetchone():
        raise BadData(f"{path}: contains triggers, which {what} has not. Choose another file.")


def _columns(statements: Iterable[str]) -> dict[str, list[str]]:
    """The columns of each table."""
    database = sqlite3.connect(":memory:")
    try:
        for statement in statements:
            database.execute(statement)
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master "
                                                      "WHERE type = 'table'")]  # fmt: skip
        return {name: _described(database, name)[1] for name in names}
    finally:
        database.close()


def _described(database: sqlite3.Connection, name: str) -> tuple[str, list[str]]:
    """The kind of a table, and its columns with their types; a generated column has a number."""
    query = "SELECT type FROM pragma_table_list WHERE schema = 'main' AND name = ? AND strict"
    kind = database.execute(query, (name,)).fetchone()
    columns = database.execute("SELECT name, type, hidden FROM pragma_table_xinfo(?)", (name,))
    return (kind[0] if kind else ""), [f"{n} {t} {hidden}" for n, t, hidden in columns]
