"""The items that embeddings answered most differently."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.bench.compare import Answered, Column
from lexiscope.bench.stored import StoredColumn
from lexiscope.core.dataset import Dataset
from lexiscope.core.measure import Floats, Measure
from lexiscope.core.result import Disagreement

_SHOWN = 10


def disagreements(columns: Iterable[StoredColumn]) -> list[Disagreement]:
    """The largest gaps of every column."""
    return [found for stored in columns for found in _of(stored.column, stored.dataset)]


def _of(column: Column, dataset: Dataset) -> list[Disagreement]:
    """The items of a column with the largest gap between embeddings, the largest first.

    Numbers are compared by their rank among the embedding's own answers, because cosines of two
    embeddings are not on one scale; other answers by whether they are right.
    """
    answered = [a for a in column.answered if len(a.items)]
    if len(answered) < 2:
        return []
    items = _common(answered)
    if not len(items):
        return []
    places = np.array([_worth(column, a)[np.searchsorted(a.items, items)] for a in answered])
    gaps = np.ptp(places, axis=0)
    order = np.argsort(-gaps, kind="stable")[:_SHOWN]
    labels = dataset.labels
    return [
        Disagreement(
            column.variant,
            column.dataset,
            labels[items[k]],
            _text(column.gold[items[k]]),
            {
                a.embedding: _said(column.measure, a, items[k], place)
                for a, place in zip(answered, places[:, k], strict=True)
            },
            float(gaps[k]),
        )
        for k in order
        if gaps[k] > 0
    ]


def _common(answered: Sequence[Answered]) -> NDArray[np.int64]:
    common = answered[0].items
    for other in answered[1:]:
        common = np.intersect1d(common, other.items, assume_unique=True)
    return common


def _worth(column: Column, answered: Answered) -> Floats:
    """A number from 0 to 1 per answer: its rank, or whether (how often) it is right."""
    if column.measure.per_item is not None and answered.given.dtype.kind != "f":
        return column.measure.per_item(answered.given, column.gold[answered.items])
    from scipy.stats import rankdata

    return np.asarray((rankdata(answered.given) - 0.5) / len(answered.given))


def _said(measure: Measure, answered: Answered, item: int, worth: float) -> str:
    if measure.per_run is not None:
        return f"among its own in {worth:.0%} of clusterings"
    given = answered.given[np.searchsorted(answered.items, item)]
    if isinstance(given, str):
        return given
    return f"{float(given):.3f} (rank {worth:.0%})"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else f"{float(value):g}"
