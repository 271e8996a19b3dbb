"""Runs in the store: their cells, and what was found between embeddings."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, NamedTuple

from lexiscope.core.display import shown
from lexiscope.core.errors import UnknownName
from lexiscope.store.cells import CellTables
from lexiscope.store.database import from_json, now, to_json

_CELL_COLUMNS = ("settings", "policy", "missing", "zero", "versions")
_PART = "part"  # the kind of findings in an unfinished run


class RunCell(NamedTuple):
    """A cell of a run, under the names that the run gives embedding and dataset.

    `embedding` is empty for the control without vectors.
    """

    cell: str
    embedding: str
    dataset: str
    variant: str
    control: str = ""


class StoredRun(NamedTuple):
    """A run as it is stored.

    `cells` and `controls` are finished cells with their scores and labels, in the order of the run;
    `findings` are the fields of dataclasses by kind; `failures` are cells with a reason.
    """

    about: dict[str, Any]
    cells: list[dict[str, Any]]
    controls: list[dict[str, Any]]
    findings: dict[str, list[dict[str, Any]]]
    failures: list[dict[str, Any]]


class RunTables(CellTables):
    """Writes and reads runs."""

    def begin(
        self,
        run: str,
        seed: int,
        policy: dict[str, Any],
        manifest: dict[str, Any],
        cells: Iterable[RunCell] = (),
    ) -> None:
        """Open a run with its cells, in order, or open it again."""
        with self._transaction() as database:
            database.execute(
                "INSERT INTO run (id, started, seed, policy, manifest) VALUES (?, ?, ?, ?, ?) "
                # The rowid numbers the beginnings, because clocks are set back.
                "ON CONFLICT (id) DO UPDATE SET started = excluded.started, "
                "manifest = excluded.manifest, finished = NULL, "
                "rowid = (SELECT max(rowid) + 1 FROM run)",
                (run, now(), seed, to_json(policy), to_json(manifest)),
            )
            # A run's cells never change, so the same run in two processes writes the same rows.
            database.executemany(
                "INSERT OR REPLACE INTO run_cell VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(run, position, *cell) for position, cell in enumerate(cells)],
            )

    def finish(
        self, run: str, findings: Mapping[str, Sequence[Any]], failures: Mapping[int, str]
    ) -> None:
        """Close a run with its findings and its failures.

        `findings` are dataclasses by kind, such as comparisons; `failures` are reasons by the
        position of the cell in the run.
        """
        with self._transaction() as database:
            for table in ("finding", "failure"):
                database.execute(f"DELETE FROM {table} WHERE run = ?", (run,))
            database.executemany(
                "INSERT INTO finding VALUES (?, ?, ?, ?)",
                [
                    (run, kind, position, to_json(asdict(found)))
                    for kind, all_found in findings.items()
                    for position, found in enumerate(all_found)
                ],
            )
            database.executemany(
                "INSERT INTO failure VALUES (?, ?, ?)",
                [(run, position, reason) for position, reason in failures.items()],
            )
            database.execute("UPDATE run SET finished = ? WHERE id = ?", (now(), run))

    def keep_part(self, run: str, key: str, found: Mapping[str, Sequence[Any]]) -> None:
        """Store the findings of one evaluation until the run is finished."""
        content = {kind: [asdict(each) for each in all_found] for kind, all_found in found.items()}
        with self._transaction() as database:
            database.execute(
                "INSERT INTO finding SELECT ?, ?, coalesce(max(position) + 1, 0), ? FROM finding "
                "WHERE run = ? AND kind = ?",
                (run, _PART, to_json({"key": key, "found": content}), run, _PART),
            )

    def parts(self, run: str) -> dict[str, Any]:
        """The findings of evaluations in an unfinished run, by their keys."""
        query = "SELECT content FROM finding WHERE run = ? AND kind = ?"
        with self._validated(f"the run '{shown(run)}'"):
            found = [json.loads(content) for (content,) in self._rows(query, run, _PART)]
            return {each["key"]: each["found"] for each in found}

    def runs(self) -> list[dict[str, Any]]:
        """All runs, the one that began last first."""
        rows = self._records("SELECT id, started, finished, seed FROM run ORDER BY rowid DESC")
        for row in rows:
            with self._validated(f"the run '{shown(row['id'])}'"):
                datetime.fromisoformat(row["started"])
                datetime.fromisoformat(row["finished"] or row["started"])
        return rows

    def run(self, run: str) -> dict[str, Any]:
        """A run with its policy and manifest."""
        rows = self._records("SELECT * FROM run WHERE id = ?", run)
        if not rows:
            raise UnknownName("run", run, [known["id"] for known in self.runs()])
        with self._validated(f"the run '{shown(run)}'"):
            return from_json(rows[0], "policy", "manifest")

    def embedding_names(self, run: str) -> list[str]:
        """The names of the embeddings of a run."""
        with self._validated(f"the run '{shown(run)}'"):
            return [str(each["name"]) for each in self.run(run)["manifest"]["embeddings"]]

    def load(self, run: str) -> StoredRun:
        """A run with everything but its predictions."""
        about = self.run(run)
        found = [
            {**cell, "scores": self.scores(cell["id"]), "labels": self.labels(cell["id"])}
            for cell in self.cells_and_controls(run)
        ]
        return StoredRun(
            about,
            [cell for cell in found if not cell["control"]],
            [cell for cell in found if cell["control"]],
            self.findings(run),
            self.failures(run),
        )

    def cells(self, run: str) -> list[dict[str, Any]]:
        """The finished cells of a run, in its order, without controls."""
        return [cell for cell in self.cells_and_controls(run) if not cell["control"]]

    def cells_and_controls(self, run: str) -> list[dict[str, Any]]:
        """The finished cells of a run, in its order."""
        rows = self._records(
            "SELECT c.*, r.position, r.embedding AS embedding_name, r.dataset AS dataset_name "
            "FROM run_cell r JOIN cell c ON c.id = r.cell WHERE r.run = ? ORDER BY r.position",
            run,
        )
        with self._validated(f"the run '{shown(run)}'"):
            return [from_json(row, *_CELL_COLUMNS) for row in rows]

    def findings(self, run: str) -> dict[str, list[dict[str, Any]]]:
        """The findings of a run by kind, as the fields of their dataclasses."""
        found: dict[str, list[dict[str, Any]]] = {}
        query = (
            "SELECT kind, content FROM finding WHERE run = ? AND kind != ? ORDER BY kind, position"
        )
        for kind, content in self._rows(query, run, _PART):
            with self._validated(f"the run '{shown(run)}'"):
                found.setdefault(kind, []).append(json.loads(content))
        return found

    def failures(self, run: str) -> list[dict[str, Any]]:
        """The failed cells of a run, with the reason."""
        return self._records(
            "SELECT r.embedding, r.variant, r.dataset, r.control, f.reason FROM failure f "
            "JOIN run_cell r ON r.run = f.run AND r.position = f.position WHERE f.run = ? "
            "ORDER BY f.position",
            run,
        )
