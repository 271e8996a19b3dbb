"""From stored predictions to the scores of every model at every training size."""

from collections.abc import Iterator
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.learner import Indices
from lexiscope.core.contracts.metric import Floats, Metric
from lexiscope.core.errors import Undefined
from lexiscope.core.progress import Progress, silent
from lexiscope.experiments.curves.items import CurveItems
from lexiscope.experiments.curves.plan import CurvePlan
from lexiscope.experiments.curves.protocol import paper_sizes
from lexiscope.experiments.curves.results import DatasetScores, ModelScores
from lexiscope.experiments.curves.sweep import Key, point_ids
from lexiscope.metrics.accuracy import accuracy
from lexiscope.metrics.correlation import spearman
from lexiscope.store.store import PointRecord, Store


def scores(plan: CurvePlan, store: Store, progress: Progress = silent) -> tuple[DatasetScores, ...]:
    """Score all stored predictions of a plan."""
    found = []
    for number in range(len(plan.items)):
        progress("Scoring", number, len(plan.items))
        found.append(_dataset_scores(plan, number, store))
    progress("Scoring", len(plan.items), len(plan.items))
    return tuple(found)


def metric_of(items: CurveItems) -> Metric:
    """Return the metric of a family: Spearman correlation for ratings, else accuracy."""
    return spearman if items.family == "pairs" else accuracy


def _dataset_scores(plan: CurvePlan, number: int, store: Store) -> DatasetScores:
    items, splits = plan.items[number], plan.splits[number]
    balance = (
        np.bincount(items.gold, minlength=len(items.classes)).tolist() if items.classes else []
    )
    return DatasetScores(
        dataset=items.dataset,
        family=items.family,
        metric=metric_of(items).name,
        items=len(items),
        classes=items.classes,
        balance=tuple(balance),
        sizes=splits.sizes,
        pool=splits.pool,
        paper_sizes=paper_sizes(splits.sizes, splits.pool),
        tests=tuple(split.test for split in splits.splits),
        gold=items.gold,
        units=items.word_codes,
        chance=max(balance, default=0) / len(items),
        entries=tuple(_entries(plan, number, store)),
    )


def _entries(plan: CurvePlan, number: int, store: Store) -> Iterator[ModelScores]:
    items, splits = plan.items[number], plan.splits[number].splits
    split_ids = [plan.split_id(number, repeat) for repeat in range(plan.protocol.repeats)]
    for index, vectors in enumerate(plan.vectors):
        for name, model in plan.models_of(items.family).items():
            points = [
                [
                    store.point(point, len(splits[repeat].test), _codes(items))
                    for point in point_ids(plan, Key(index, number, repeat, name), split_id)
                ]
                for repeat, split_id in enumerate(split_ids)
            ]
            yield ModelScores(
                vectors.name, vectors.control, name, model.complexity,
                tuple(np.array([point.predicted for point in row]) for row in points),
                _scored(plan, number, points),
                _column(points, "validation"), _column(points, "bits"),
                tuple(tuple(point.selected for point in row) for row in points),
            )  # fmt: skip


def _codes(items: CurveItems) -> int | None:
    """How many classes or words can be predicted; None for ratings."""
    return None if items.family == "pairs" else len(items.classes or items.candidates)


def _scored(plan: CurvePlan, number: int, points: list[list[PointRecord]]) -> Floats:
    items, splits = plan.items[number], plan.splits[number].splits
    metric = metric_of(items)
    return np.array([
        [_score(metric, point.predicted, items.gold, split.test) for point in row]
        for row, split in zip(points, splits, strict=True)
    ])  # fmt: skip


def _score(metric: Metric, predicted: NDArray[Any], gold: NDArray[Any], test: Indices) -> float:
    """The score of the test items; a correlation with constant predictions counts as 0."""
    try:
        return metric(predicted, gold[test])
    except Undefined:
        return 0.0


def _column(points: list[list[PointRecord]], name: str) -> Floats:
    rows = [[getattr(point, name) for point in row] for row in points]
    return np.array([[nan if value is None else value for value in row] for row in rows])
