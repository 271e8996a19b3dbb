"""The measures: what a list of answers is worth."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Floats, Measure, Values

_FEWEST = 3  # two points always lie on a line
NOISE = 1e-13  # cosines of parallel vectors differ in their last bits: that is no order


def average_ranks(values: Values) -> Floats:
    """Ranks from 1; equal values share the mean of their ranks."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(values), np.float64)


def _as_floats(values: Values) -> Floats:
    return np.asarray(values, np.float64)


def _hits(given: Values, gold: Values) -> Floats:
    return np.asarray(given == gold, np.float64)


def _spearman(given: NDArray[Any], gold: NDArray[Any]) -> float:
    from scipy.stats import spearmanr

    _must_vary(given, gold)
    return float(spearmanr(given, gold).statistic)


def _pearson(given: NDArray[Any], gold: NDArray[Any]) -> float:
    from scipy.stats import pearsonr

    _must_vary(given, gold)
    return float(pearsonr(given, gold).statistic)


def _accuracy(given: Values, gold: Values) -> float:
    if len(given) == 0:
        raise Undefined("no item could be asked")
    return float(np.mean(given == gold))


def _must_vary(given: Values, gold: Values) -> None:
    if len(given) < _FEWEST:
        raise Undefined(f"only {len(given)} items could be asked, at least {_FEWEST} are needed")
    for values, whose in ((given, "the answers"), (gold, "the gold ratings")):
        if np.ptp(values) <= NOISE * np.max(np.abs(values)):
            raise Undefined(f"{whose} are all equal, so there is no order to compare")


def summed(
    name: str, counts: Callable[[Values, Values], Floats], of_totals: Callable[[Floats], Floats]
) -> Measure:
    """A measure that is a function of the sums of rows of counts."""

    def function(given: Values, gold: Values) -> float:
        value = float(of_totals(counts(given, gold).sum(axis=0)))
        if np.isnan(value):
            raise Undefined("there is nothing to find in these items")
        return value

    return Measure(function, name, counts=counts, of_totals=of_totals)


spearman = Measure(_spearman, "spearman", scale=average_ranks)
pearson = Measure(_pearson, "pearson", scale=_as_floats)
accuracy = Measure(_accuracy, "accuracy", per_item=_hits)
accuracy_of_all = accuracy.over_all_items("accuracy_of_all")
