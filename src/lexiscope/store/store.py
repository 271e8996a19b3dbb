"""One SQLite file: every finished cell is written at once and whole, or not at all.

The rollback journal with full synchronisation survives a kill at any moment. Readers may open
the file with any SQLite tool while lexiscope works.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from math import isnan
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.dataset import Dataset
from lexiscope.core.datasets import KINDS
from lexiscope.core.errors import BadData, UnknownName
from lexiscope.core.result import Comparison, Result, Score
from lexiscope.core.task import Label
from lexiscope.store.schema import bring_up_to_date

_WAIT = 60.0  # seconds for another writer to finish


@dataclass(frozen=True)
class CellRecord:
    """A finished cell as it is stored."""

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
    measure: str
    control: str = ""
    known: int | None = None
    running: int | None = None


@dataclass(frozen=True)
class TrialRecord:
    """A training on sentences of a grammar as it is stored."""

    id: str
    grammar: str
    parameters: dict[str, float]
    sentences: int
    seed: int
    number: int
    corpus: str
    trainer: str
    trainer_version: int
    settings: dict[str, Any]
    vectors: str
    seconds: float
    versions: dict[str, str]


@dataclass(frozen=True)
class ProbeRecord:
    """What a study asked vectors of a trial, with every reply: (asked, given, gold)."""

    id: str
    trial: str
    question: str
    space: str
    study: str
    study_version: int
    settings: dict[str, Any]
    replies: tuple[tuple[str, str, str], ...]


class Store:
    """The database of a project; `:memory:` keeps nothing."""

    def __init__(self, path: str | Path = ":memory:") -> None:
        self.path = str(path)
        try:
            self._database = sqlite3.connect(self.path, timeout=_WAIT, isolation_level=None)
        except sqlite3.Error as problem:
            raise BadData(f"{self.path}: cannot be opened as a store ({problem}).") from None
        try:
            self._database.execute("PRAGMA foreign_keys = ON")
            self._database.execute("PRAGMA synchronous = FULL")
            bring_up_to_date(self._database, self.path)
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
    def _writing(self) -> Iterator[sqlite3.Connection]:
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
                "the same command goes on from there."
            ) from None

    def begin(self, run: str, seed: int, policy: dict[str, Any], manifest: dict[str, Any]) -> None:
        """Open a run, or open it again."""
        with self._writing() as database:
            database.execute(
                "INSERT INTO run (id, started, seed, policy, manifest) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET started = excluded.started, "
                "manifest = excluded.manifest, finished = NULL",
                (run, _now(), seed, json.dumps(policy), json.dumps(manifest)),
            )

    def enlist(self, run: str, cells: Iterable[tuple[str, str, str]]) -> None:
        """Say which cells a run has: (cell, embedding's name, dataset's name), in order."""
        with self._writing() as database:
            # A run's cells never change, so the same run in two processes writes the same rows.
            database.executemany(
                "INSERT OR REPLACE INTO run_cell VALUES (?, ?, ?, ?, ?)",
                [(run, position, *cell) for position, cell in enumerate(cells)],
            )

    def done(self, cells: Iterable[str]) -> set[str]:
        """Which of these cells are already stored."""
        ask = "SELECT 1 FROM cell WHERE id = ?"
        return {cell for cell in cells if self._fetched(ask, cell)[1]}

    def add(
        self,
        cell: CellRecord,
        dataset: Dataset,
        items: NDArray[np.int64],
        given: NDArray[Any],
        scores: Iterable[Score],
        anew: bool = False,
        labels: Iterable[Label] = (),
    ) -> None:
        """Store a finished cell with every answer.

        A cell that is there already stays as it is, or is replaced in one step with `anew`.
        """
        with self._writing() as database:
            if anew:
                _forget(database, cell.id)
            self._add_items(database, dataset)
            row = asdict(cell)
            texts = {
                key: _json(row[key])
                for key in ("settings", "policy", "missing", "zero", "versions")
            }
            new = database.execute(
                "INSERT OR IGNORE INTO cell VALUES (:id, :task, :task_version, :settings, "
                ":embedding, :dataset, :policy, :seed, :used, :total, :missing, :zero, :seconds, "
                ":finished, :versions, :variant, :measure, :control, :known, :running)",
                {**row, **texts, "finished": _now()},
            ).rowcount
            if not new:
                return
            database.executemany(
                "INSERT INTO answer VALUES (?, ?, ?)",
                zip(
                    [cell.id] * len(items),
                    items.tolist(),
                    map(_storable, given.tolist()),
                    strict=True,
                ),
            )
            database.executemany(
                "INSERT INTO score VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(cell.id, place, *asdict(score).values()) for place, score in enumerate(scores)],
            )
            database.executemany(
                "INSERT INTO label VALUES (?, ?, ?, ?, ?)",
                [(cell.id, d, _shown(name), r, _json(words)) for d, name, r, words in labels],
            )

    def repeat(self, cell: str, as_cell: str, policy: dict[str, Any]) -> None:
        """Store a finished cell once more, for a policy under which it comes out the same."""
        with self._writing() as database:
            _forget(database, as_cell)
            columns = [row[1] for row in database.execute("PRAGMA table_info(cell)")]
            taken = ", ".join({"id": "?", "policy": "?"}.get(name, name) for name in columns)
            database.execute(
                f"INSERT INTO cell SELECT {taken} FROM cell WHERE id = ?",
                (as_cell, _json(policy), cell),
            )
            database.execute(
                "INSERT INTO answer SELECT ?, item, given FROM answer WHERE cell = ?",
                (as_cell, cell),
            )
            database.execute(
                "INSERT INTO score SELECT ?, position, measure, slice, value, low, high, used, "
                "total, state FROM score WHERE cell = ?",
                (as_cell, cell),
            )
            database.execute(
                "INSERT INTO label SELECT ?, dimension, property, correlation, words FROM label "
                "WHERE cell = ?",
                (as_cell, cell),
            )

    def _add_items(self, database: sqlite3.Connection, dataset: Dataset) -> None:
        new = database.execute(
            "INSERT OR IGNORE INTO dataset VALUES (?, ?, ?, ?)",
            (dataset.fingerprint, dataset.kind, len(dataset), _content(dataset)),
        ).rowcount
        database.execute(  # one stored before datasets were kept whole
            "UPDATE dataset SET content = ? WHERE fingerprint = ? AND content = ''",
            (_content(dataset), dataset.fingerprint),
        )
        if new:
            database.executemany(
                "INSERT INTO item VALUES (?, ?, ?, ?)",
                [
                    (dataset.fingerprint, item, _shown(label), _storable(gold))
                    for item, (label, gold) in enumerate(
                        zip(dataset.labels, dataset.gold.tolist(), strict=True)
                    )
                ],
            )

    def conclude(
        self, run: str, comparisons: Iterable[Comparison], failures: Iterable[tuple[int, str, str]]
    ) -> None:
        """Store what was found between the embeddings, and failures: (position, reason, task)."""
        with self._writing() as database:
            for table in ("comparison", "failure"):
                database.execute(f"DELETE FROM {table} WHERE run = ?", (run,))
            database.executemany(
                "INSERT INTO comparison VALUES (?, ?, ?)",
                [(run, place, _json(asdict(item))) for place, item in enumerate(comparisons)],
            )
            database.executemany(
                "INSERT INTO failure (run, position, reason, task) VALUES (?, ?, ?, ?)",
                [(run, *failure) for failure in failures],
            )
            database.execute("UPDATE run SET finished = ? WHERE id = ?", (_now(), run))

    def runs(self) -> list[dict[str, Any]]:
        """All runs, the newest first."""
        return self._rows("SELECT id, started, finished, seed FROM run ORDER BY started DESC, id")

    def run(self, run: str) -> dict[str, Any]:
        """A run with its policy and manifest."""
        rows = self._rows("SELECT * FROM run WHERE id = ?", run)
        if not rows:
            raise UnknownName("run", run, [known["id"] for known in self.runs()])
        row = rows[0]
        return {**row, "policy": json.loads(row["policy"]), "manifest": json.loads(row["manifest"])}

    def cells(self, run: str) -> list[dict[str, Any]]:
        """The cells of a run that are finished, in the run's order, without controls."""
        return [cell for cell in self._cells(run) if not cell["control"]]

    def controls(self, run: str) -> list[dict[str, Any]]:
        """The controls of a run that are finished, in the run's order."""
        return [cell for cell in self._cells(run) if cell["control"]]

    def _cells(self, run: str) -> list[dict[str, Any]]:
        rows = self._rows(
            "SELECT c.*, r.position, r.embedding AS embedding_name, r.dataset AS dataset_name "
            "FROM run_cell r JOIN cell c ON c.id = r.cell WHERE r.run = ? ORDER BY r.position",
            run,
        )
        texts = ("settings", "policy", "missing", "zero", "versions")
        return [{**row, **{key: json.loads(row[key]) for key in texts}} for row in rows]

    def scores(self, cell: str) -> list[Score]:
        """The scores of a cell, by measure and slice."""
        rows = self._rows(
            "SELECT measure, slice, value, low, high, used, total, state FROM score WHERE cell = ? "
            "ORDER BY position",
            cell,
        )
        return [Score(**row) for row in rows]

    def labels(self, cell: str) -> list[Label]:
        """What the dimensions of a cell's embedding stand for, in their order."""
        ask = "SELECT dimension, property, correlation, words FROM label WHERE cell = ?"
        rows = self._fetched(f"{ask} ORDER BY dimension", cell)[1]
        return [Label(d, name, r, tuple(json.loads(words))) for d, name, r, words in rows]

    def answers(self, cell: str) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """The items a cell answered and what it answered."""
        ask = "SELECT item, given FROM answer WHERE cell = ? ORDER BY item"
        rows = self._fetched(ask, cell)[1]
        return np.array([row[0] for row in rows], np.int64), _column([row[1] for row in rows])

    def items(self, dataset: str) -> tuple[list[str], NDArray[Any]]:
        """The labels and gold answers of a dataset."""
        ask = "SELECT label, gold FROM item WHERE dataset = ? ORDER BY item"
        rows = self._fetched(ask, dataset)[1]
        return [row[0] for row in rows], _column([row[1] for row in rows])

    def dataset(self, fingerprint: str, name: str) -> Dataset | None:
        """A dataset as it was asked; None for one stored before datasets were kept whole."""
        ask = "SELECT kind, content FROM dataset WHERE fingerprint = ?"
        found = self._fetched(ask, fingerprint)[1]
        if not found or not found[0][1] or found[0][0] not in KINDS:
            return None
        columns = {key: _restored(values) for key, values in json.loads(found[0][1]).items()}
        return KINDS[found[0][0]](name, **columns)

    def describe(self, run: str, parts: Iterable[Result]) -> None:
        """Store the scores of parts of datasets that a run was asked to look at."""
        with self._writing() as database:
            database.execute("DELETE FROM part WHERE run = ?", (run,))
            database.executemany(
                "INSERT INTO part VALUES (?, ?, ?)",
                [(run, place, _json(asdict(part))) for place, part in enumerate(parts)],
            )

    def parts(self, run: str) -> list[Result]:
        """The scores of parts of datasets."""
        rows = self._rows("SELECT content FROM part WHERE run = ? ORDER BY position", run)
        return [Result(**json.loads(row["content"])) for row in rows]

    def comparisons(self, run: str) -> list[Comparison]:
        """The comparisons of a run."""
        rows = self._rows("SELECT content FROM comparison WHERE run = ? ORDER BY position", run)
        return [Comparison(**json.loads(row["content"])) for row in rows]

    def failures(self, run: str) -> list[dict[str, Any]]:
        """The cells of a run that failed."""
        return self._rows(
            "SELECT r.embedding, f.task, r.dataset, f.reason FROM failure f "
            "JOIN run_cell r ON r.run = f.run AND r.position = f.position WHERE f.run = ? "
            "ORDER BY f.position",
            run,
        )

    def add_trial(self, trial: TrialRecord, probes: Iterable[ProbeRecord]) -> None:
        """Store a training with what it was asked, whole or not at all; what is there stays."""
        with self._writing() as database:
            row = asdict(trial)
            texts = {key: _json(row[key]) for key in ("parameters", "settings", "versions")}
            database.execute(
                "INSERT OR IGNORE INTO trial VALUES (:id, :grammar, :parameters, :sentences, "
                ":seed, :number, :corpus, :trainer, :trainer_version, :settings, :vectors, "
                ":seconds, :finished, :versions)",
                {**row, **texts, "finished": _now()},
            )
            for probe in probes:
                database.execute(
                    "INSERT OR IGNORE INTO probe VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (probe.id, probe.trial, probe.question, probe.space, probe.study,
                     probe.study_version, _json(probe.settings)),
                )  # fmt: skip
                database.executemany(
                    "INSERT OR IGNORE INTO reply VALUES (?, ?, ?, ?, ?)",
                    [(probe.id, n, *map(_shown, each)) for n, each in enumerate(probe.replies)],
                )

    def probed(self, probes: Iterable[str]) -> set[str]:
        """Which of these probes are already stored."""
        ask = "SELECT 1 FROM probe WHERE id = ?"
        return {probe for probe in probes if self._fetched(ask, probe)[1]}

    def replies(self, probe: str) -> list[tuple[str, str, str]]:
        """What was asked, given and right, item by item."""
        ask = "SELECT asked, given, gold FROM reply WHERE probe = ? ORDER BY item"
        return [(row[0], row[1], row[2]) for row in self._fetched(ask, probe)[1]]

    def trial(self, probe: str) -> dict[str, Any]:
        """The training behind a probe."""
        (row,) = self._rows(
            "SELECT t.* FROM trial t JOIN probe p ON p.trial = t.id WHERE p.id = ?", probe
        )
        texts = ("parameters", "settings", "versions")
        return {**row, **{key: json.loads(row[key]) for key in texts}}

    def _rows(self, ask: str, *values: Any) -> list[dict[str, Any]]:
        names, rows = self._fetched(ask, *values)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def _fetched(self, ask: str, *values: Any) -> tuple[list[str], list[tuple[Any, ...]]]:
        try:
            cursor = self._database.execute(ask, values)
            return [column[0] for column in cursor.description], cursor.fetchall()
        except sqlite3.Error as problem:
            raise BadData(f"{self.path}: could not be read ({problem}).") from None


def _forget(database: sqlite3.Connection, cell: str) -> None:
    for table, column in (("answer", "cell"), ("score", "cell"), ("label", "cell"), ("cell", "id")):
        database.execute(f"DELETE FROM {table} WHERE {column} = ?", (cell,))


def _content(dataset: Dataset) -> str:
    if not dataset.kept:
        return ""
    columns = {name: getattr(dataset, name).tolist() for name in dataset.columns()}
    return _json({name: list(map(_known, values)) for name, values in columns.items()})


def _known(value: Any) -> Any:
    """The value itself; None for a number that nobody knows, because JSON has no NaN."""
    return None if isinstance(value, float) and isnan(value) else value


def _restored(values: list[Any]) -> NDArray[Any]:
    if values and isinstance(values[0], int | float | None):
        return np.array(values, np.float64)
    array = np.empty(len(values), object)
    array[:] = [tuple(value) if isinstance(value, list) else value for value in values]
    return array


def _storable(value: Any) -> Any:
    """The value itself; a word that UTF-8 cannot hold (half a surrogate pair) as its bytes."""
    if isinstance(value, str) and not value.isascii() and _shown(value) != value:
        return value.encode("utf-8", "surrogatepass")
    return value


def _shown(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _column(values: list[Any]) -> NDArray[Any]:
    if values and isinstance(values[0], str | bytes):
        array = np.empty(len(values), object)
        array[:] = [
            value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value
            for value in values
        ]
        return array
    return np.array(values, np.float64)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
