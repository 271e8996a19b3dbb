"""Vectors of terms in the store, one row per model and term with the vectors of all samples."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.store.database import Database, now, storable_text, to_json
from lexiscope.store.packed import packed, unpacked


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
                texts = {name: to_json(getattr(record, name)) for name in ("settings", "versions")}
                row = {
                    **asdict(record), **texts, "term": storable_text(record.term),
                    "samples": samples, "dimension": dimension, "finished": now(),
                    "vectors": packed(record.vectors, "<f8"),
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
            for row in self._rows(query, each):
                try:
                    found[each] = _vectors(*row)
                except ValueError as problem:
                    raise self._changed(f"vectors of a term are damaged ({problem})") from None
        return found


def _vectors(samples: int, dimension: int, content: bytes) -> Floats:
    if samples < 0 or dimension < 0:
        raise ValueError(f"a table of {samples} x {dimension}")
    values = unpacked(content, "<f8", samples * dimension)
    if np.isinf(values).any():
        raise ValueError("a number that is not finite")
    return values.reshape(samples, dimension).astype(np.float64)
