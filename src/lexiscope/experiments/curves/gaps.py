"""How much better the best non-linear model is than the best linear one (figure 1 of S4)."""

from collections.abc import Iterator, Sequence

import numpy as np

from lexiscope.core.estimate import Estimate
from lexiscope.experiments.curves.best_models import CurveScores
from lexiscope.experiments.curves.results import (
    BEST_LINEAR,
    BEST_NON_LINEAR,
    DatasetScores,
    Gap,
    MeanGap,
)
from lexiscope.stats.curves.repeats import corrected_means


def gaps(found: DatasetScores, curves: Sequence[CurveScores]) -> Iterator[Gap]:
    """Yield the normalised difference of every embedding that has both classes of models."""
    ends = {(c.embedding, c.model): float(c.scores[:, -1].mean()) for c in curves}
    for name in found.embeddings:
        linear, other = ends.get((name, BEST_LINEAR)), ends.get((name, BEST_NON_LINEAR))
        if linear is None or other is None:
            continue
        value = normalised_difference(other, linear)
        control = name in found.controls
        yield Gap(found.dataset, found.family, name, control, linear, other, value)


def normalised_difference(one: float, other: float) -> float:
    """Divide a difference of scores by the larger absolute score; 0 if both are 0.

    >>> normalised_difference(0.8, 0.6)
    0.25
    """
    scale = max(abs(one), abs(other))
    return round((one - other) / scale, 12) if scale else 0.0


def mean_gaps(found: Sequence[Gap]) -> Iterator[MeanGap]:
    """Yield the mean normalised difference of every embedding, with a t interval over datasets."""
    for name in dict.fromkeys(each.embedding for each in found):
        own = [each for each in found if each.embedding == name]
        values = np.array([each.value for each in own])
        if len(values) < 2:
            mean = Estimate(float(values[0]), state="one dataset has no interval over datasets")
        else:
            means = corrected_means(values, 0.0)
            low, high = means.interval()
            mean = Estimate(float(means.value), float(low), float(high))
        yield MeanGap(name, own[0].control, len(own), mean)
