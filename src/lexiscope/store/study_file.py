"""A study in one SQLite file: items, judges, assignments, judgments and their revisions.

Every judgment is committed before it is acknowledged, with full synchronisation, so that a kill at
any moment loses none. The journal is a write-ahead log where SQLite is new enough: versions before
3.51.3 can corrupt a file if two connections reset the log at once. Platform ids are kept in a table
of their own.
"""

import os
import secrets
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self, cast

import msgspec

from lexiscope.core.errors import BadData
from lexiscope.core.study import (
    OPT_OUT,
    ClosingAnswers,
    Item,
    Judge,
    Judgment,
    Platform,
    Study,
    StudySettings,
)
from lexiscope.store import schema
from lexiscope.store.database import reason
from lexiscope.store.study_content import check_content

_WAIT = 30.0  # seconds for another writer to finish
APPLICATION = 0x4C455853  # "LEXS" in ASCII
VERSION = 2
JOURNAL = "WAL" if sqlite3.sqlite_version_info >= (3, 51, 3) else "TRUNCATE"

_TABLES = (
    "CREATE TABLE study (id INTEGER PRIMARY KEY CHECK (id = 0), content BLOB NOT NULL, "
    "secret BLOB NOT NULL, closed REAL) STRICT",
    "CREATE TABLE judge (id TEXT PRIMARY KEY, platform TEXT NOT NULL, "
    "started REAL NOT NULL, finished REAL, consent TEXT NOT NULL) STRICT",
    "CREATE TABLE platform_id (judge TEXT PRIMARY KEY REFERENCES judge ON DELETE CASCADE, "
    "person TEXT NOT NULL, session TEXT NOT NULL, UNIQUE (person, session)) STRICT",
    "CREATE TABLE assignment (judge TEXT NOT NULL REFERENCES judge ON DELETE CASCADE, "
    "position INTEGER NOT NULL, item TEXT NOT NULL, reserved REAL NOT NULL, shown REAL, "
    "PRIMARY KEY (judge, position), UNIQUE (judge, item)) STRICT, WITHOUT ROWID",
    "CREATE TABLE judgment (judge TEXT NOT NULL REFERENCES judge ON DELETE CASCADE, "
    "item TEXT NOT NULL, choice INTEGER NOT NULL, shown_order BLOB NOT NULL, seconds REAL, "
    "answered REAL NOT NULL, PRIMARY KEY (judge, item)) STRICT, WITHOUT ROWID",
    "CREATE TABLE revision (id INTEGER PRIMARY KEY, judge TEXT NOT NULL "
    "REFERENCES judge ON DELETE CASCADE, item TEXT NOT NULL, choice INTEGER NOT NULL, "
    "answered REAL NOT NULL) STRICT",
    "CREATE INDEX judgment_item ON judgment (item)",
    "CREATE INDEX assignment_item ON assignment (item)",
)
# What format 2 adds to format 1.
_CLOSING = (
    "CREATE TABLE IF NOT EXISTS closing (judge TEXT PRIMARY KEY "
    "REFERENCES judge ON DELETE CASCADE, first_language TEXT NOT NULL, other_help TEXT NOT NULL) "
    "STRICT"
)


class Assigned(NamedTuple):
    """An item of a judge: when it was reserved and first shown, and whether it is answered."""

    item: str
    reserved: float
    shown: float | None
    answered: bool


class StudyFile:
    """An open study file. Methods may be called from several threads."""

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        if not Path(path).is_file():
            raise BadData(f"{path}: no such study file. 'lexiscope study new' creates one.")
        self._lock = threading.RLock()
        self._database = _connect(self.path)
        try:
            _check_format(self._database, self.path)
            self._database.execute(f"PRAGMA journal_mode = {JOURNAL}")
            self._database.execute("PRAGMA synchronous = FULL")
            self._database.execute("PRAGMA foreign_keys = ON")
            self._database.execute("PRAGMA trusted_schema = OFF")
            row = self._database.execute("SELECT content, secret FROM study").fetchone()
            self.study = _decoded(row, self.path)
            self.items: Mapping[str, Item] = {item.id: item for item in self.study.items}
            _add_closing(self._database)
            check_content(self._database, self.path, self.items)
        except sqlite3.Error as problem:
            self._database.close()
            raise BadData(f"{path}: cannot be read as a study ({reason(problem)}).") from None
        except BadData:
            self._database.close()
            raise
        self.secret: bytes = row[1]

    @classmethod
    def create(cls, path: str | Path, study: Study) -> Self:
        """Write a new study; an existing file is never replaced."""
        target = Path(path)
        try:
            os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            raise BadData(
                f"{path}: exists already. Judgments are never overwritten: choose another file."
            ) from None
        except OSError as problem:
            raise BadData(f"{path}: cannot be written ({problem.strerror}).") from None
        try:
            _create(str(target), study)
        except sqlite3.Error as problem:
            target.unlink()
            raise BadData(f"{path}: cannot be written ({reason(problem)}).") from None
        return cls(target)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, and delete an empty journal unless someone else still writes."""
        with self._lock:
            if JOURNAL != "WAL":
                with suppress(sqlite3.Error):
                    self._database.execute("PRAGMA journal_mode = DELETE")
            self._database.close()

    # Judges

    def add_judge(
        self, platform: Platform, now: float, *, person: str = "", session: str = "",
        consent: str = "", judge_id: str = "",
    ) -> Judge:  # fmt: skip
        """Add a judge.

        `person` and `session` are ids of a platform. `judge_id` is for imports; it must be new.
        """
        judge = Judge(judge_id or secrets.token_hex(8), platform, now, None, consent)
        with self._transaction() as database:
            database.execute(
                "INSERT INTO judge (id, platform, started, consent) VALUES (?, ?, ?, ?)",
                (judge.id, platform, now, consent),
            )
            if person or session:
                database.execute(
                    "INSERT INTO platform_id VALUES (?, ?, ?)", (judge.id, person, session)
                )
        return judge

    def judge_of_session(self, person: str, session: str) -> Judge | None:
        """Return the judge with these ids of a platform."""
        return self._judge(
            "id = (SELECT judge FROM platform_id WHERE person = ? AND session = ?)", person, session
        )

    def judge(self, judge: str) -> Judge | None:
        """Return a judge by id."""
        return self._judge("id = ?", judge)

    def judges(self) -> tuple[Judge, ...]:
        """Return all judges, in order of arrival."""
        return tuple(map(_judge, self._rows(f"{_JUDGES} ORDER BY started, id")))

    def judges_of_person(self, person: str) -> tuple[Judge, ...]:
        """Return the judges with this platform id of a person, in order of arrival."""
        rows = self._rows(
            f"{_JUDGES} WHERE id IN (SELECT judge FROM platform_id WHERE person = ?) "
            "ORDER BY started, id",
            person,
        )
        return tuple(map(_judge, rows))

    def platform_ids(self) -> Mapping[str, tuple[str, str]]:
        """Return the platform's ids of person and session, by judge."""
        rows = self._rows("SELECT judge, person, session FROM platform_id")
        return {judge: (person, session) for judge, person, session in rows}

    def finish(self, judge: str, now: float) -> None:
        """Record that a judge has answered all items; the first time counts."""
        with self._transaction() as database:
            database.execute(
                "UPDATE judge SET finished = ? WHERE id = ? AND finished IS NULL", (now, judge)
            )

    def close_judge(self, judge: str, answers: ClosingAnswers) -> None:
        """Store what a judge says after the last item; it replaces what they said before.

        Of a judge who has been deleted, nothing is stored.
        """
        with self._transaction() as database:
            database.execute(
                "INSERT OR REPLACE INTO closing SELECT id, ?, ? FROM judge WHERE id = ?",
                (answers.first_language, answers.other_help, judge),
            )

    def discard(self, judge: str) -> None:
        """Delete a judge who has answered nothing; one with answers stays."""
        with self._transaction() as database:
            database.execute(
                "DELETE FROM judge WHERE id = ?1 AND NOT EXISTS "
                "(SELECT 1 FROM judgment WHERE judge = ?1)",
                (judge,),
            )

    def forget(self, judge: str) -> int:
        """Delete a judge and everything they answered; returns the number of judgments."""
        with self._transaction() as database:
            if database.execute("SELECT 1 FROM judge WHERE id = ?", (judge,)).fetchone() is None:
                raise BadData(f"{self.path}: no judge with the id '{judge}'.")
            query = "SELECT COUNT(*) FROM judgment WHERE judge = ?"
            number = int(database.execute(query, (judge,)).fetchone()[0])
            database.execute("DELETE FROM judge WHERE id = ?", (judge,))
        self._purge()
        return number

    def forget_platform_ids(self) -> int:
        """Delete all ids of platforms; judgments stay. Returns the number of deleted ids."""
        with self._transaction() as database:
            number = database.execute("DELETE FROM platform_id").rowcount
        self._purge()
        return number

    # Assignments

    def assigned(self, judge: str) -> tuple[Assigned, ...]:
        """Return the items of a judge, in order."""
        rows = self._rows(
            "SELECT a.item, a.reserved, a.shown, j.item IS NOT NULL FROM assignment a "
            "LEFT JOIN judgment j ON j.judge = a.judge AND j.item = a.item "
            "WHERE a.judge = ? ORDER BY a.position",
            judge,
        )
        return tuple(Assigned(item, at, shown, bool(done)) for item, at, shown, done in rows)

    def loads(self, now: float, without: str = "") -> Mapping[str, int]:
        """Return the number of judgments and of reservations that have not expired, by item.

        Items that have none are left out; so are the reservations of the judge `without`.
        """
        since = now - 60.0 * self.study.settings.reservation_minutes
        rows = self._rows(
            "SELECT item, SUM(n) FROM (SELECT item, COUNT(*) AS n FROM judgment GROUP BY item "
            "UNION ALL SELECT a.item, COUNT(*) AS n FROM assignment a LEFT JOIN judgment j "
            "ON j.judge = a.judge AND j.item = a.item WHERE j.item IS NULL AND a.reserved > ? "
            "AND a.judge <> ? GROUP BY a.item) GROUP BY item",
            since,
            without,
        )
        return {item: int(number) for item, number in rows}

    def assign(self, judge: str, items: Sequence[str], now: float) -> None:
        """Replace the items that a judge has not answered; answered ones keep their order."""
        with self._transaction() as database:
            database.execute(
                "DELETE FROM assignment WHERE judge = ?1 AND item NOT IN "
                "(SELECT item FROM judgment WHERE judge = ?1)",
                (judge,),
            )
            query = "SELECT COALESCE(MAX(position), -1) FROM assignment WHERE judge = ?"
            first = 1 + int(database.execute(query, (judge,)).fetchone()[0])
            database.executemany(
                "INSERT INTO assignment VALUES (?, ?, ?, ?, NULL)",
                [(judge, first + k, item, now) for k, item in enumerate(items)],
            )

    def reserve_again(self, judge: str, now: float) -> None:
        """Extend the reservation of the items that a judge has not answered."""
        with self._transaction() as database:
            database.execute("UPDATE assignment SET reserved = ? WHERE judge = ?", (now, judge))

    def show(self, judge: str, item: str, now: float) -> None:
        """Record when an item was shown first."""
        with self._transaction() as database:
            database.execute(
                "UPDATE assignment SET shown = ? WHERE judge = ? AND item = ? AND shown IS NULL",
                (now, judge, item),
            )

    # Judgments

    def record(self, judgment: Judgment) -> bool:
        """Store a judgment durably; returns whether it is new or changed.

        A different answer to the same item replaces the earlier one, which is kept as a revision.
        """
        with self._transaction() as database:
            return _record(database, self.items, judgment)

    def record_all(self, judgments: Sequence[Judgment]) -> int:
        """Store judgments in one transaction, all or none; returns how many are new or changed."""
        with self._transaction() as database:
            return sum(_record(database, self.items, each) for each in judgments)

    def judgment(self, judge: str, item: str) -> Judgment | None:
        """Return the answer of a judge to an item."""
        rows = self._rows(f"{_JUDGMENTS} WHERE judge = ? AND item = ?", judge, item)
        return _judgment(rows[0]) if rows else None

    def judgments(self) -> tuple[Judgment, ...]:
        """Return all judgments, sorted by judge and item."""
        return tuple(map(_judgment, self._rows(f"{_JUDGMENTS} ORDER BY judge, item")))

    def judgments_per_judge(self) -> Mapping[str, int]:
        """Return the number of judgments of each judge who has any."""
        return dict(self._rows("SELECT judge, COUNT(*) FROM judgment GROUP BY judge"))

    def judgments_per_item(self) -> Mapping[str, int]:
        """Return the number of judgments of each item that has any."""
        return dict(self._rows("SELECT item, COUNT(*) FROM judgment GROUP BY item"))

    def revisions(self) -> tuple[tuple[str, str, int, float], ...]:
        """Return replaced answers: judge, item, choice, time."""
        rows = self._rows("SELECT judge, item, choice, answered FROM revision ORDER BY id")
        return tuple((judge, item, choice, at) for judge, item, choice, at in rows)

    def add_revisions(self, rows: Sequence[tuple[str, str, int, float]]) -> None:
        """Add replaced answers of judges whose judgments are imported."""
        with self._transaction() as database:
            database.executemany(
                "INSERT INTO revision (judge, item, choice, answered) VALUES (?, ?, ?, ?)", rows
            )

    # The study

    @property
    def closed(self) -> float | None:
        """When the study was closed; None while it is open."""
        return cast("float | None", self._rows("SELECT closed FROM study")[0][0])

    def close_study(self, now: float | None) -> None:
        """Close the study for judges, or open it again with None."""
        with self._transaction() as database:
            database.execute("UPDATE study SET closed = ?", (now,))

    def change_settings(self, settings: StudySettings) -> None:
        """Replace the settings of the study; its items stay."""
        study = replace(self.study, settings=settings)
        with self._transaction() as database:
            database.execute("UPDATE study SET content = ?", (msgspec.json.encode(study),))
        self.study = study

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit all writes inside the block together, or none of them.

        One commit for many writes is faster; none of them is durable before the block ends.
        """
        with self._transaction():
            yield

    def _judge(self, condition: str, *values: Any) -> Judge | None:
        rows = self._rows(f"{_JUDGES} WHERE {condition}", *values)
        return _judge(rows[0]) if rows else None

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._database.execute(query, values).fetchall()
            except sqlite3.Error as problem:
                raise BadData(f"{self.path}: could not be read ({reason(problem)}).") from None

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Write everything inside the block, or nothing; a nested block joins the outer one."""
        with self._lock:
            if self._database.in_transaction:
                yield self._database
                return
            try:
                self._database.execute("BEGIN IMMEDIATE")
                try:
                    yield self._database
                    self._database.execute("COMMIT")
                finally:
                    if _is_open(self._database):
                        self._database.execute("ROLLBACK")
            except sqlite3.Error as problem:
                raise BadData(f"{self.path}: could not be written ({reason(problem)}).") from None

    def _purge(self) -> None:
        """Remove deleted content from the file itself, not only from its tables."""
        with self._lock:
            try:
                self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                self._database.execute("VACUUM")
                self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.Error as problem:
                raise BadData(
                    f"{self.path}: the data were deleted, but free pages of the file may still "
                    f"hold them ({reason(problem)}). Stop the server and run the command again."
                ) from None


_JUDGES = (
    "SELECT id, platform, started, finished, consent, first_language, other_help "
    "FROM judge LEFT JOIN closing ON closing.judge = judge.id"
)
_JUDGMENTS = "SELECT judge, item, choice, shown_order, seconds, answered FROM judgment"


def _judge(row: tuple[Any, ...]) -> Judge:
    *known, language, other_help = row
    closing = None if language is None else ClosingAnswers(language, other_help)
    return replace(Judge(*known), closing=closing)


def _judgment(row: tuple[Any, ...]) -> Judgment:
    judge, item, choice, order, seconds, answered = row
    return Judgment(judge, item, choice, tuple(order), seconds, answered)


def _record(database: sqlite3.Connection, items: Mapping[str, Item], new: Judgment) -> bool:
    item = items.get(new.item)
    if item is None:
        raise BadData(f"The study has no item '{new.item}'.")
    if new.choice != OPT_OUT and not 0 <= new.choice < len(item.options):
        raise BadData(f"Item {new.item} has no option {new.choice}.")
    if sorted(new.order) != list(range(len(item.options))):
        raise BadData(f"Item {new.item}: the order {new.order} is no permutation of its options.")
    key = (new.judge, new.item)
    old = database.execute(
        "SELECT choice, answered FROM judgment WHERE judge = ? AND item = ?", key
    ).fetchone()
    if old and old[0] == new.choice:
        return False
    if old:
        database.execute(
            "INSERT INTO revision (judge, item, choice, answered) VALUES (?, ?, ?, ?)", (*key, *old)
        )
        database.execute("DELETE FROM judgment WHERE judge = ? AND item = ?", key)
    database.execute(
        "INSERT INTO judgment VALUES (?, ?, ?, ?, ?, ?)",
        (*key, new.choice, bytes(new.order), new.seconds, new.answered),
    )
    return True


def _is_open(database: sqlite3.Connection) -> bool:
    """Whether a transaction is open; after COMMIT nothing is left to undo."""
    return database.in_transaction


def _connect(path: str) -> sqlite3.Connection:
    try:
        return sqlite3.connect(path, timeout=_WAIT, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as problem:
        raise BadData(f"{path}: cannot be opened as a study ({reason(problem)}).") from None


def _create(path: str, study: Study) -> None:
    database = _connect(path)
    try:
        database.execute("BEGIN IMMEDIATE")
        for statement in (*_TABLES, _CLOSING):
            database.execute(statement)
        database.execute(
            "INSERT INTO study VALUES (0, ?, ?, NULL)",
            (msgspec.json.encode(study), secrets.token_bytes(32)),
        )
        database.execute(f"PRAGMA application_id = {APPLICATION}")
        database.execute(f"PRAGMA user_version = {VERSION}")
        database.execute("COMMIT")
    finally:
        database.close()


def _check_format(database: sqlite3.Connection, path: str) -> None:
    application, version = (
        int(database.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("application_id", "user_version")
    )
    if application != APPLICATION:
        raise BadData(f"{path}: is not a study file. 'lexiscope study new' creates one.")
    if version > VERSION:
        raise BadData(
            f"{path}: was written by a newer lexiscope (format {version}, this version reads "
            f"{VERSION}). Upgrade lexiscope."
        )
    tables = _TABLES if version < VERSION else (*_TABLES, _CLOSING)
    schema.check_tables(database, path, tables, "a study file")


def _add_closing(database: sqlite3.Connection) -> None:
    """Extend a study file of the first format."""
    if database.execute("PRAGMA user_version").fetchone()[0] == VERSION:
        return
    database.execute("BEGIN IMMEDIATE")
    database.execute(_CLOSING)
    database.execute(f"PRAGMA user_version = {VERSION}")
    database.execute("COMMIT")


def _decoded(row: tuple[Any, ...] | None, path: str) -> Study:
    if row is None or not isinstance(row[1], bytes):
        raise BadData(f"{path}: the study is empty.")
    try:
        return msgspec.json.decode(row[0], type=Study)
    except (msgspec.MsgspecError, TypeError, UnicodeDecodeError, BadData) as problem:
        raise BadData(f"{path}: the study cannot be read ({reason(problem)}).") from None
