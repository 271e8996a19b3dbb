"""The tables of a store, and the check that a file is one."""

import sqlite3

from lexiscope.core.errors import BadData

APPLICATION = 0x4C455849  # "LEXI" in ASCII: distinguishes our files from those of other programs
VERSION = 1

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


def create_tables(database: sqlite3.Connection, path: str) -> None:
    """Create the tables in an empty file; raise an error for a file of another format."""
    if _is_current(database, path):
        return
    database.execute("BEGIN IMMEDIATE")
    # Another process may have created them while this one waited.
    if not _is_current(database, path):
        for statement in _TABLES:
            database.execute(statement)
        database.execute(f"PRAGMA application_id = {APPLICATION}")
        database.execute(f"PRAGMA user_version = {VERSION}")
    database.execute("COMMIT")


def _is_current(database: sqlite3.Connection, path: str) -> bool:
    """Whether the tables are there; False for an empty file."""
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
    if application == APPLICATION and version == VERSION:
        return True
    if {"run", "run_cell", "cell"} <= tables:
        raise BadData(
            f"{path}: was written by an older lexiscope in a format that is no longer read. "
            "Delete the file, or choose another one with --store."
        )
    if tables or application:
        raise BadData(f"{path}: is a database of another program. Choose another file.")
    return False
