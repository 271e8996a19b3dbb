"""Do two methods put members in the same order, and whom do they put in opposite orders?

Yaghoobzadeh and Schütze 2016, section 5.2: two classifiers of the same vectors rank models
differently.
"""

from itertools import combinations
from typing import NamedTuple

from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Floats
from lexiscope.stats.measures import spearman


class Reversal(NamedTuple):
    """The first member beats the second by `gain` under one method, loses by `loss` under another.

    Members are places in the scores.
    """

    first: int
    second: int
    gain: float
    loss: float


def reversals(one: Floats, other: Floats) -> list[Reversal]:
    """The pairs that two methods put in opposite orders, the clearest first.

    A reversal is as clear as the smaller of its two gaps. Equal scores are no order.
    """
    found = [
        Reversal(*((a, b) if one[a] > one[b] else (b, a)), abs(one[a] - one[b]),
                 abs(other[a] - other[b]))
        for a, b in combinations(range(len(one)), 2)
        if (one[a] - one[b]) * (other[a] - other[b]) < 0
    ]  # fmt: skip
    return sorted(found, key=lambda pair: -min(pair.gain, pair.loss))


def agreement(one: Floats, other: Floats) -> float | None:
    """Spearman's correlation of the scores, average ranks for ties; None where there is none."""
    try:
        return spearman(one, other)
    except Undefined:
        return None
