"""Rank and linear correlation between predictions and gold ratings.

Examples
--------
>>> import numpy as np
>>> predicted, gold = np.array([0.1, 0.4, 0.3, 0.9]), np.array([1.0, 2.0, 3.0, 4.0])
>>> round(spearman(predicted, gold), 2)
0.8
>>> round(pearson(predicted, gold), 2)
0.87
"""

import numpy as np

from lexiscope.core.contracts.metric import Floats, Metric, Values
from lexiscope.core.errors import Undefined

_MIN_ITEMS = 3  # two points always lie on a line
RELATIVE_TOLERANCE = 1e-13  # cosines of parallel vectors differ in their last bits


def average_ranks(values: Values) -> Floats:
    """Rank values from 1; ties get the mean of their ranks.

    >>> average_ranks(np.array([0.5, 0.1, 0.5])).tolist()
    [2.5, 1.0, 2.5]
    """
    from scipy.stats import rankdata

    return np.asarray(rankdata(values), np.float64)


def _as_floats(values: Values) -> Floats:
    return np.asarray(values, np.float64)


def _spearman(predicted: Values, gold: Values) -> float:
    from scipy.stats import spearmanr

    _require_variation(predicted, gold)
    return float(spearmanr(predicted, gold).statistic)


def _pearson(predicted: Values, gold: Values) -> float:
    from scipy.stats import pearsonr

    _require_variation(predicted, gold)
    return float(pearsonr(predicted, gold).statistic)


def _require_variation(predicted: Values, gold: Values) -> None:
    if len(predicted) < _MIN_ITEMS:
        raise Undefined(
            f"only {len(predicted)} items are covered, at least {_MIN_ITEMS} are needed"
        )
    for values, name in ((predicted, "predictions"), (gold, "gold ratings")):
        if np.ptp(values) <= RELATIVE_TOLERANCE * np.max(np.abs(values)):
            raise Undefined(f"the {name} are all equal, so they cannot be ranked")


spearman = Metric(_spearman, "spearman", transform=average_ranks, bounds=(-1.0, 1.0))
pearson = Metric(_pearson, "pearson", transform=_as_floats, bounds=(-1.0, 1.0))
