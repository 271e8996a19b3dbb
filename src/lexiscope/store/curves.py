"""Learning curves in the store: the predictions of every model at every training size."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.store.database import Database, now, to_json
from lexiscope.store.packed import check_finite, object_of, packed, unpacked

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

    def point(self, point: str, items: int | None = None, codes: int | None = None) -> PointRecord:
        """Return a stored point.

        `items` is the number of its predictions, and `codes` the number of what can be predicted,
        if they are known; another one is an error.
        """
        rows = self._records("SELECT * FROM curve_point WHERE id = ?", point)
        if not rows:
            raise self._changed("a point of a learning curve is missing")
        try:
            found = _record(rows[0])
            _check_predictions(found.predicted, items, codes)
        except ValueError as problem:
            raise self._changed(f"a point of a learning curve is damaged ({problem})") from None
        return found


def _record(row: dict[str, Any]) -> PointRecord:
    known = {name: value for name, value in row.items() if name != "finished"}
    known |= {name: object_of(row[name]) for name in _JSON}
    check_finite(row["validation"], row["bits"], row["seconds"])
    return PointRecord(**{**known, "predicted": _unpacked(row["predicted"])})


def _check_predictions(predicted: NDArray[Any], items: int | None, codes: int | None) -> None:
    if items is not None and len(predicted) != items:
        raise ValueError(f"{len(predicted)} predictions for {items} items")
    if predicted.dtype.kind == "f" and not np.isfinite(predicted).all():
        raise ValueError("predictions that are not finite")
    if codes is None:
        return
    if predicted.dtype.kind != "i" or predicted.min(initial=0) < -1:
        raise ValueError("predictions that are no codes")
    if predicted.max(initial=-1) >= codes:
        raise ValueError(f"the prediction {predicted.max()} of {codes}")


def _packed(values: NDArray[Any]) -> bytes:
    """Numbers as compressed little-endian bytes, after a letter for their type."""
    if values.dtype.kind in "iub":
        return b"i" + packed(values, "<i4")
    return b"f" + packed(values, "<f8")


def _unpacked(content: bytes) -> NDArray[Any]:
    kind = {b"i": "<i4", b"f": "<f8"}.get(content[:1])
    if kind is None:
        raise ValueError("predictions of an unknown type")
    return unpacked(content[1:], kind).astype(np.int64 if kind == "<i4" else np.float64)
