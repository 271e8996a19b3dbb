"""Mean curves with confidence bands, areas under them, and description lengths."""

from collections.abc import Iterator, Sequence

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.task import Predictions
from lexiscope.core.errors import Undefined
from lexiscope.core.estimate import Estimate
from lexiscope.experiments.curves.best_models import CurveScores
from lexiscope.experiments.curves.results import Curve, DatasetScores, DescriptionLength
from lexiscope.metrics.accuracy import accuracy
from lexiscope.metrics.area_under_curve import Axis, area_under_curve
from lexiscope.metrics.correlation import spearman
from lexiscope.stats.curves.description_length import description_length
from lexiscope.stats.curves.repeats import corrected_means
from lexiscope.stats.intervals import confidence_interval


def summarised(found: DatasetScores, curve: CurveScores, seed: int) -> Curve:
    """Return the mean curve over repeats with its confidence band and its areas."""
    points = _band(found, curve, seed)
    every, paper = range(len(found.sizes)), found.paper_sizes if found.covers_paper else ()
    return Curve(
        found.dataset, found.family, found.metric, curve.embedding, curve.control, curve.model,
        curve.complexity, found.sizes, points, points[found.start], points[-1],
        _area(found, curve.scores, points, every, "log count"),
        _area(found, curve.scores, points, paper, "count"),
    )  # fmt: skip


def areas(found: DatasetScores, scores: Floats) -> Floats:
    """Compute the areas under curves (curves, sizes) over the logarithm of the training size.

    They are in the unit of the score: the area of a constant curve is its score.
    """
    return _areas(found, scores, range(len(found.sizes)), "log count")


def _areas(found: DatasetScores, scores: Floats, which: Sequence[int], axis: Axis) -> Floats:
    worst, best = found.bounds
    sizes = np.asarray(found.sizes, np.float64)[list(which)]
    normalised = area_under_curve(sizes, scores[:, list(which)], axis, best, worst)
    return worst + (best - worst) * normalised


def _area(
    found: DatasetScores,
    scores: Floats,
    points: Sequence[Estimate],
    which: Sequence[int],
    axis: Axis,
) -> Estimate:
    if not which:
        return Estimate(None, state="no training sizes of 30 and 100 %")
    try:
        values = _areas(found, scores, which, axis)
    except Undefined as reason:
        return Estimate(None, state=str(reason))
    estimated = over_repeats(values, found.test_ratio, found.bounds)
    if estimated.low != estimated.high or any(each.low is None for each in points):
        return estimated
    # Every repeat has the same area: the intervals of the points are those over test items.
    limits = np.array([[each.low for each in points], [each.high for each in points]], np.float64)
    low, high = _areas(found, limits, which, axis)
    return Estimate(estimated.value, float(low), float(high))


def over_repeats(
    values: Floats, test_ratio: float, bounds: tuple[float, float] | None = None
) -> Estimate:
    """Return the mean of one value per repeat with its corrected t interval."""
    try:
        means = corrected_means(values, test_ratio)
    except Undefined as reason:
        return Estimate(float(np.mean(values)), state=str(reason))
    low, high = means.interval(bounds)
    return Estimate(float(means.value), float(low), float(high))


def _band(found: DatasetScores, curve: CurveScores, seed: int) -> tuple[Estimate, ...]:
    """The mean score at every size with its interval.

    If all repeats have the same score, or there is only one, the interval is that over the
    distinct test items.
    """
    if found.repeats < 2:
        return tuple(_over_items(found, curve, size, seed) for size in range(len(found.sizes)))
    means = corrected_means(curve.scores, found.test_ratio)
    low, high = means.interval(found.bounds)
    return tuple(
        Estimate(float(means.value[n]), float(low[n]), float(high[n]))
        if means.error[n] > 0
        else _over_items(found, curve, n, seed)
        for n in range(len(found.sizes))
    )


def _over_items(found: DatasetScores, curve: CurveScores, size: int, seed: int) -> Estimate:
    """The mean score with the interval over distinct test items, each as first predicted."""
    value = float(curve.scores[:, size].mean())
    items, first = np.unique(np.concatenate(found.tests), return_index=True)
    predicted = np.concatenate([rows[size] for rows in curve.predicted])[first]
    units = None if found.units is None else found.units[items]
    predictions = Predictions(predicted, found.gold[items], units)
    metric = spearman if found.metric == "spearman" else accuracy
    try:
        low, high = confidence_interval(metric, predictions, np.random.default_rng(seed))
    except Undefined as reason:
        return Estimate(value, state=str(reason))
    return Estimate(value, min(low, value), max(high, value))


def description_lengths(found: DatasetScores) -> Iterator[DescriptionLength]:
    """Yield the online description length of the labels under every model with probabilities."""
    classes, labels = len(found.classes), found.sizes[-1]
    if classes < 2 or len(found.sizes) < 2:
        return
    uniform = labels * np.log2(classes)
    for each in found.entries:
        if np.isnan(each.bits[:, :-1]).any():
            continue
        lengths = description_length(each.bits, found.sizes[0], classes)
        bits, per_label, ratio = (
            over_repeats(values, found.test_ratio, (0.0, np.inf))
            for values in (lengths, lengths / labels, uniform / lengths)
        )
        yield DescriptionLength(
            found.dataset, each.embedding, each.control, each.model, labels, bits, per_label, ratio
        )
