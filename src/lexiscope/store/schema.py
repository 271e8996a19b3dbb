"""The tables, as numbered steps. A change of the database is one function more at the end."""

import sqlite3
from collections.abc import Callable

from lexiscope.core.errors import BadData


def _first(database: sqlite3.Connection) -> None:
    for statement in (
        """CREATE TABLE run (
            id TEXT PRIMARY KEY, started TEXT NOT NULL, finished TEXT, seed INTEGER NOT NULL,
            policy TEXT NOT NULL, manifest TEXT NOT NULL) STRICT""",
        """CREATE TABLE dataset (
            fingerprint TEXT PRIMARY KEY, kind TEXT NOT NULL, items INTEGER NOT NULL) STRICT""",
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
            versions TEXT NOT NULL) STRICT""",
        """CREATE TABLE answer (
            cell TEXT NOT NULL REFERENCES cell, item INTEGER NOT NULL, given ANY NOT NULL,
            PRIMARY KEY (cell, item)) STRICT, WITHOUT ROWID""",
        """CREATE TABLE score (
            cell TEXT NOT NULL REFERENCES cell, position INTEGER NOT NULL,
            measure TEXT NOT NULL, slice TEXT NOT NULL, value REAL, low REAL, high REAL,
            used INTEGER NOT NULL, total INTEGER NOT NULL, state TEXT NOT NULL,
            PRIMARY KEY (cell, position), UNIQUE (cell, measure, slice)) STRICT, WITHOUT ROWID""",
        """CREATE TABLE run_cell (
            run TEXT NOT NULL REFERENCES run, position INTEGER NOT NULL,
            cell TEXT NOT NULL, embedding TEXT NOT NULL, dataset TEXT NOT NULL,
            PRIMARY KEY (run, position)) STRICT, WITHOUT ROWID""",
        """CREATE TABLE comparison (
            run TEXT NOT NULL REFERENCES run, position INTEGER NOT NULL, content TEXT NOT NULL,
            PRIMARY KEY (run, position)) STRICT, WITHOUT ROWID""",
        """CREATE TABLE failure (
            run TEXT NOT NULL REFERENCES run, position INTEGER NOT NULL, reason TEXT NOT NULL,
            PRIMARY KEY (run, position)) STRICT, WITHOUT ROWID""",
    ):
        database.execute(statement)


def _failures_name_their_task(database: sqlite3.Connection) -> None:
    database.execute("ALTER TABLE failure ADD COLUMN task TEXT NOT NULL DEFAULT ''")


def _datasets_and_labels_are_kept(database: sqlite3.Connection) -> None:
    for statement in (
        "ALTER TABLE dataset ADD COLUMN content TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE cell ADD COLUMN variant TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE cell ADD COLUMN measure TEXT NOT NULL DEFAULT ''",
        """CREATE TABLE part (
            run TEXT NOT NULL REFERENCES run, position INTEGER NOT NULL, content TEXT NOT NULL,
            PRIMARY KEY (run, position)) STRICT, WITHOUT ROWID""",
    ):
        database.execute(statement)


def _trials_on_made_languages(database: sqlite3.Connection) -> None:
    for statement in (
        """CREATE TABLE trial (
            id TEXT PRIMARY KEY, grammar TEXT NOT NULL, parameters TEXT NOT NULL,
            sentences INTEGER NOT NULL, seed INTEGER NOT NULL, number INTEGER NOT NULL,
            corpus TEXT NOT NULL, trainer TEXT NOT NULL, trainer_version INTEGER NOT NULL,
            settings TEXT NOT NULL, vectors TEXT NOT NULL, seconds REAL NOT NULL,
            finished TEXT NOT NULL, versions TEXT NOT NULL) STRICT""",
        """CREATE TABLE probe (
            id TEXT PRIMARY KEY, trial TEXT NOT NULL REFERENCES trial, question TEXT NOT NULL,
            space TEXT NOT NULL, study TEXT NOT NULL, study_version INTEGER NOT NULL,
            settings TEXT NOT NULL) STRICT""",
        """CREATE TABLE reply (
            probe TEXT NOT NULL REFERENCES probe, item INTEGER NOT NULL, asked TEXT NOT NULL,
            given TEXT NOT NULL, gold TEXT NOT NULL, PRIMARY KEY (probe, item)
            ) STRICT, WITHOUT ROWID""",
    ):
        database.execute(statement)


def _dimensions_have_labels(database: sqlite3.Connection) -> None:
    database.execute(
        """CREATE TABLE label (
            cell TEXT NOT NULL REFERENCES cell, dimension INTEGER NOT NULL,
            property TEXT NOT NULL, correlation REAL NOT NULL, words TEXT NOT NULL,
            PRIMARY KEY (cell, dimension)) STRICT, WITHOUT ROWID"""
    )


def _controls_and_running_words(database: sqlite3.Connection) -> None:
    for statement in (
        "ALTER TABLE cell ADD COLUMN control TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE cell ADD COLUMN known INTEGER",
        "ALTER TABLE cell ADD COLUMN running INTEGER",
    ):
        database.execute(statement)


STEPS: tuple[Callable[[sqlite3.Connection], None], ...] = (
    _first,
    _failures_name_their_task,
    _datasets_and_labels_are_kept,
    _trials_on_made_languages,
    _dimensions_have_labels,
    _controls_and_running_words,
)


def bring_up_to_date(database: sqlite3.Connection, path: str) -> None:
    """Take the steps that this file has not taken; refuse one from a newer lexiscope."""
    taken = int(database.execute("PRAGMA user_version").fetchone()[0])
    if taken > len(STEPS):
        raise BadData(
            f"{path}: was written by a newer lexiscope (schema {taken}, this one knows "
            f"{len(STEPS)}). Upgrade lexiscope, or name another file with --store."
        )
    for number, step in enumerate(STEPS[taken:], taken + 1):
        database.execute("BEGIN IMMEDIATE")
        # Another process may have taken the step while this one waited for its turn.
        if int(database.execute("PRAGMA user_version").fetchone()[0]) < number:
            if number == 1 and database.execute("SELECT 1 FROM sqlite_master").fetchone():
                raise BadData(f"{path}: is a database of another program. Name another file.")
            step(database)
            database.execute(f"PRAGMA user_version = {number}")
        database.execute("COMMIT")
    # SQLite counts columns by what it has read of the tables before; another process may have taken
    # steps since then, and only reading makes it look again.
    database.execute("SELECT count(*) FROM sqlite_master").fetchone()
