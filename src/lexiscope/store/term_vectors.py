"""Vectors of terms in the store, one row per model and term with the vectors of all samples."""

import zlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.store.database import Database, now, storable_text, to_json


@dataclass(frozen=True, eq=False)
class TermVectorRecord:
    """The vectors that a model learned for a term (samples, dimension); NaN without context.

    `text` and `background` are fingerprints.
    """

    id: str
    text: str
    background: str
    model: str
    model_version: int
    settings: dict[str, Any]
    split: str
    seed: int
    term: str
    seconds: float
    versions: dict[str, str]
    vectors: Floats


class TermVectorTables(Database):
    """Writes and reads vectors of terms."""

    def add_term_vectors(self, records: Iterable[TermVectorRecord]) -> None:
        """Store vectors, all or none; what is stored already stays."""
        with self._transaction() as database:
            for record in records:
                samples, dimension = record.vectors.shape
                packed = zlib.compress(record.vectors.astype("<f8").tobytes())
                texts = {name: to_json(getattr(record, name)) for name in ("settings", "versions")}
                row = {
                    **asdict(record), **texts, "term": storable_text(record.term),
                    "samples": samples, "dimension": dimension, "finished": now(),
                    "vectors": packed,
                }  # fmt: skip
                database.execute(
                    "INSERT INTO term_vectors VALUES (:id, :text, :background, :model, "
                    ":model_version, :settings, :split, :seed, :term, :samples, :dimension, "
                    ":seconds, :finished, :versions, :vectors) ON CONFLICT (id) DO NOTHING",
                    row,
                )

    def term_vectors(self, ids: Iterable[str]) -> dict[str, Floats]:
        """Return the stored vectors of these ids."""
        query = "SELECT samples, dimension, vectors FROM term_vectors WHERE id = ?"
        found = {}
        for each in ids:
            for samples, dimension, packed in self._rows(query, each):
                values = np.frombuffer(zlib.decompress(packed), "<f8")
                found[each] = values.reshape(samples, dimension).astype(np.float64)
        return found
