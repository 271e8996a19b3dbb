"""F1 from counts that are summed over items, and macro-averaged F1 over classes."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats, Metric, Values
from lexiscope.core.errors import Undefined


def metric_of_totals(
    name: str, counts: Callable[[Values, Values], Floats], of_totals: Callable[[Floats], Floats]
) -> Metric:
    """Return a metric that is a function of counts summed over items, such as micro F1."""

    def function(predicted: Values, gold: Values) -> float:
        value = float(of_totals(counts(predicted, gold).sum(axis=0)))
        if np.isnan(value):
            raise Undefined("the denominator is zero: these items have no positives")
        return value

    return Metric(function, name, counts=counts, of_totals=of_totals, bounds=(0.0, 1.0))


def f1_of_totals(totals: NDArray[Any]) -> Floats:
    """Compute F1 from true positives, false positives and false negatives, shape (..., 3).

    It is NaN where all three are 0.

    >>> f1_of_totals(np.array([[2, 1, 1], [0, 3, 1]])).round(2).tolist()
    [0.67, 0.0]
    """
    right, wrong, missed = np.moveaxis(np.asarray(totals, np.float64), -1, 0)
    return ratio(2 * right, 2 * right + wrong + missed)


def ratio(part: Floats, whole: Floats) -> Floats:
    """Divide part by whole; NaN where the whole is 0."""
    nan = np.full(np.shape(whole), np.nan)
    return np.asarray(np.divide(part, whole, out=nan, where=np.asarray(whole) > 0))


def _confusion(predicted: Values, gold: Values) -> Floats:
    """One-hot cells of the confusion matrix, gold by predicted (items, classes squared)."""
    classes, codes = np.unique(np.append(gold, predicted), return_inverse=True)
    theirs, ours = codes.reshape(2, -1)
    return np.asarray(np.eye(len(classes) ** 2)[theirs * len(classes) + ours])


def _macro_f1(totals: Floats) -> Floats:
    """The mean F1 over the classes that occur in the predictions or in the gold values."""
    size = round(totals.shape[-1] ** 0.5)
    cells = totals.reshape(*totals.shape[:-1], size, size)
    right = np.diagonal(cells, axis1=-2, axis2=-1)
    both = cells.sum(axis=-1) + cells.sum(axis=-2)
    scores = ratio(2 * right, both)
    occurs = np.isfinite(scores)
    return ratio(np.where(occurs, scores, 0).sum(axis=-1), occurs.sum(axis=-1).astype(np.float64))


macro_f1 = metric_of_totals("macro_f1", _confusion, _macro_f1)
