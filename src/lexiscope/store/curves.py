"""Learning curves in the store: the predictions of every model at every training size."""

import zlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.store.database import Database, from_json, now, to_json

_JSON = ("settings", "selected", "versions")


@dataclass(frozen=True, eq=False)
class PointRecord:
    """A model trained at one size of a learning curve, and its predictions of the test items.

    `embedding` and `dataset` are fingerprints; `split` is the id of the split, that is of the
    items, the protocol, the seed and the repeat. `predicted` are numbers: class codes,
    ratings, or indices of words.
    """

    id: str
    split: str
    embedding: str
    dataset: str
    repeat: int
    seed: int
    model: str
    model_version: int
    settings: dict[str, Any]
    size: int
    selected: dict[str, Any]
    validation: float | None
    bits: float | None
    seconds: float
    versions: dict[str, str]
    predicted: NDArray[Any]


class CurveTables(Database):
    """Writes and reads points of learning curves."""

    def add_points(self, points: Iterable[PointRecord], force: bool = False) -> None:
        """Store points, all or none; what is stored already stays, unless `force`."""
        with self._transaction() as database:
            for point in points:
                if force:
                    database.execute("DELETE FROM curve_point WHERE id = ?", (point.id,))
                row = {**asdict(point), "predicted": _packed(point.predicted), "finished": now()}
                texts = {key: to_json(row[key]) for key in _JSON}
                database.execute(
                    "INSERT INTO curve_point VALUES (:id, :split, :embedding, :dataset, "
                    ":repeat, :seed, :model, :model_version, :settings, :size, :selected, "
                    ":validation, :bits, :seconds, :finished, :versions, :predicted) "
                    "ON CONFLICT (id) DO NOTHING",
                    {**row, **texts},
                )

    def stored_points(self, points: Iterable[str]) -> set[str]:
        """Which of these points are stored."""
        query = "SELECT 1 FROM curve_point WHERE id = ?"
        return {point for point in points if self._rows(query, point)}

    def point(self, point: str) -> PointRecord:
        """Return a stored point."""
        (row,) = self._records("SELECT * FROM curve_point WHERE id = ?", point)
        row = from_json(row, *_JSON)
        del row["finished"]
        return PointRecord(**{**row, "predicted": _unpacked(row["predicted"])})


def _packed(values: NDArray[Any]) -> bytes:
    """Numbers as compressed little-endian bytes, after a letter for their type."""
    if values.dtype.kind in "iub":
        return b"i" + zlib.compress(values.astype("<i4").tobytes())
    return b"f" + zlib.compress(values.astype("<f8").tobytes())


def _unpacked(packed: bytes) -> NDArray[Any]:
    kind = {b"i": "<i4", b"f": "<f8"}[packed[:1]]
    values = np.frombuffer(zlib.decompress(packed[1:]), kind)
    return values.astype(np.int64 if kind == "<i4" else np.float64)
