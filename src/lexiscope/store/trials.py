"""Trials in the store: trainings on synthetic corpora, and the predictions of their probes."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from lexiscope.store.database import Database, now, storable_text, to_json
from lexiscope.store.packed import check_finite, object_of

_JSON = ("parameters", "settings", "versions")


@dataclass(frozen=True)
class TrialRecord:
    """A training on sentences that were sampled from a grammar."""

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
    """A probe of the vectors of a trial, with each prediction: (label, predicted, gold)."""

    id: str
    trial: str
    target: str
    space: str
    probe: str
    probe_version: int
    settings: dict[str, Any]
    predictions: tuple[tuple[str, str, str], ...]


class TrialTables(Database):
    """Writes and reads trials."""

    def add_trial(self, trial: TrialRecord, probes: Iterable[ProbeRecord]) -> None:
        """Store a trial with its probes, whole or not at all; what is stored already stays."""
        with self._transaction() as database:
            row = asdict(trial)
            texts = {key: to_json(row[key]) for key in _JSON}
            database.execute(
                "INSERT OR IGNORE INTO trial VALUES (:id, :grammar, :parameters, :sentences, "
                ":seed, :number, :corpus, :trainer, :trainer_version, :settings, :vectors, "
                ":seconds, :finished, :versions)",
                {**row, **texts, "finished": now()},
            )
            for probe in probes:
                database.execute(
                    "INSERT OR IGNORE INTO probe VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (probe.id, probe.trial, probe.target, probe.space, probe.probe,
                     probe.probe_version, to_json(probe.settings)),
                )  # fmt: skip
                database.executemany(
                    "INSERT OR IGNORE INTO probe_prediction VALUES (?, ?, ?, ?, ?)",
                    [
                        (probe.id, item, *map(storable_text, prediction))
                        for item, prediction in enumerate(probe.predictions)
                    ],
                )

    def probed(self, probes: Iterable[str]) -> set[str]:
        """Which of these probes are stored."""
        query = "SELECT 1 FROM probe WHERE id = ?"
        return {probe for probe in probes if self._rows(query, probe)}

    def probe_predictions(self, probe: str) -> list[tuple[str, str, str]]:
        """The predictions of a probe by item: (label, predicted, gold)."""
        rows = self._rows(
            "SELECT item, label, predicted, gold FROM probe_prediction WHERE probe = ? "
            "ORDER BY item",
            probe,
        )
        if not rows or [row[0] for row in rows] != list(range(len(rows))):
            raise self._changed("a probe lacks predictions")
        return [(row[1], row[2], row[3]) for row in rows]

    def trial(self, probe: str) -> dict[str, Any]:
        """The trial of a probe."""
        rows = self._records(
            "SELECT t.* FROM trial t JOIN probe p ON p.trial = t.id WHERE p.id = ?", probe
        )
        if not rows:
            raise self._changed("a training is missing")
        try:
            check_finite(rows[0]["seconds"])
            return {**rows[0], **{name: object_of(rows[0][name]) for name in _JSON}}
        except ValueError as problem:
            raise self._changed(f"a training is damaged ({problem})") from None
