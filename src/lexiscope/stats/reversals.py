"""Agreement of two rankings of the same members, and the pairs that they rank in opposite order.

Yaghoobzadeh and Schütze 2016, section 5.2: two classifiers of the same vectors rank models
differently.
"""

from itertools import combinations
from typing import NamedTuple

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import Undefined
from lexiscope.metrics.correlation import spearman


class Reversal(NamedTuple):
    """The first member scores higher by `gain` with one method, and lower by `loss` with the other.

    Members are indices into the scores.
    """

    first: int
    second: int
    gain: float
    loss: float


def reversals(one: Floats, other: Floats) -> list[Reversal]:
    """List the pairs that two methods rank in opposite order, the largest reversal first.

    The size of a reversal is the smaller of its two differences. Ties are not ranked.

    >>> import numpy as np
    >>> reversals(np.array([0.3, 0.2, 0.1]), np.array([0.5, 0.7, 0.1]))[0][:2]
    (0, 1)
    """
    found = [
        Reversal(*((a, b) if one[a] > one[b] else (b, a)), abs(one[a] - one[b]),
                 abs(other[a] - other[b]))
        for a, b in combinations(range(len(one)), 2)
        if (one[a] - one[b]) * (other[a] - other[b]) < 0
    ]  # fmt: skip
    return sorted(found, key=lambda pair: -min(pair.gain, pair.loss))


def agreement(one: Floats, other: Floats) -> float | None:
    """Compute Spearman's correlation of the scores; None if it does not exist."""
    try:
        return spearman(one, other)
    except Undefined:
        return None
