"""A measure of many samples of the same items."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Floats, Measure
from lexiscope.core.task import Answers

Samples = NDArray[np.int64]


def of_samples(measure: Measure, answers: Answers) -> Callable[[Samples], Floats]:
    """A function of rows of item numbers that gives the measure of each; NaN where undefined."""
    from lexiscope.stats.measures import pearson, spearman

    if measure.per_item is not None:
        values = measure.per_item(answers.given, answers.gold)
        return lambda samples: np.asarray(values[samples].mean(axis=1))
    if measure.scale is spearman.scale:
        return _spearmans(answers)
    if measure.scale is pearson.scale:
        return _pearsons(answers)
    return lambda samples: np.array([_one(measure, answers, sample) for sample in samples])


def left_out(measure: Measure, answers: Answers) -> Floats:
    """The measure without each item in turn; NaN where undefined."""
    items = np.arange(len(answers.given))
    others = [np.delete(items, item) for item in items]
    return of_samples(measure, answers)(np.array(others))


def _one(measure: Measure, answers: Answers, sample: Samples) -> float:
    try:
        return measure(answers.given[sample], answers.gold[sample])
    except Undefined:
        return np.nan


def _spearmans(answers: Answers) -> Callable[[Samples], Floats]:
    from lexiscope.kernels.ranks import resampled_spearman

    columns = *_sorted(answers.given), *_sorted(answers.gold)

    def measured(samples: Samples) -> Floats:
        out = np.empty(len(samples))
        resampled_spearman(*columns, samples, out)
        return out

    return measured


def _pearsons(answers: Answers) -> Callable[[Samples], Floats]:
    from lexiscope.kernels.ranks import resampled_pearson

    columns = _floats(answers)

    def measured(samples: Samples) -> Floats:
        out = np.empty(len(samples))
        resampled_pearson(*columns, samples, out)
        return out

    return measured


def _floats(answers: Answers) -> tuple[Floats, Floats]:
    return np.asarray(answers.given, np.float64), np.asarray(answers.gold, np.float64)


def _sorted(values: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    order = np.argsort(values, kind="stable")
    arranged = values[order]
    return order, np.concatenate([[False], arranged[1:] == arranged[:-1]])
