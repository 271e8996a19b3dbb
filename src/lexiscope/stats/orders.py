"""One order from several rankings.

Kemeny-Young: the orders that disagree least with the rankings, pair by pair (Kemeny 1959; Tsvetkov
et al. 2015, section 5). Borda: who is preferred more often than not; cheap, for any number.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.core.measure import Floats

Numbers = NDArray[np.int64]

MOST_MEMBERS = 16  # 2^16 sets of members are gone through
MOST_ORDERS = 10_000


class Orders(NamedTuple):
    """All best orders (orders, members), and with how many preferences each disagrees.

    A row holds numbers of members, the best first; rows stand in the order of those numbers.
    """

    orders: Numbers
    disagreements: int


def preferences(scores: Floats) -> Numbers:
    """How many rankings put one member above the other (members, members).

    `scores` (rankings, members), higher is better; for ranks give -ranks. A tie is no preference,
    nor is a member that a ranking lacks (NaN).
    """
    values = np.asarray(scores, np.float64)
    return np.asarray((values[:, :, None] > values[:, None, :]).sum(axis=0), np.int64)


def borda(scores: Floats) -> Numbers:
    """How often each member is preferred, less how often another is preferred to it."""
    above = preferences(scores)
    return np.asarray(above.sum(axis=1) - above.sum(axis=0), np.int64)


def kemeny(scores: Floats) -> Orders:
    """Every order with the fewest disagreements; there may be several (`scores` as above)."""
    above = preferences(scores)
    if len(above) > MOST_MEMBERS:
        raise BadUsage(
            f"Kemeny's orders are searched among up to {MOST_MEMBERS} members, "
            f"found {len(above)}. Leave some out, or take Borda's points."
        )
    search = _search(above)
    if search.ways[-1] > MOST_ORDERS:
        raise Undefined(
            f"{search.ways[-1]:,} orders are equally good, more than {MOST_ORDERS:,}: "
            "the rankings hardly prefer anyone"
        )
    return Orders(_all_best(search.last), int(search.fewest[-1]))


class _Search(NamedTuple):
    """For each set of members that stands first: its fewest disagreements, in how many orders, and
    who can stand last among them (sets, members). A set is a number, its members the bits.
    """

    fewest: Numbers
    ways: Numbers
    last: NDArray[np.bool_]


def _search(above: Numbers) -> _Search:
    """Dynamic programming over sets, by their size."""
    bits = 1 << np.arange(len(above))
    sets = np.arange(1 << len(above))
    inside = (sets[:, None] & bits) > 0
    # A member put behind a set's others and before everyone else disagrees with who prefers those.
    costs = above.sum(axis=0) - inside.astype(np.int64) @ above
    found = _Search(np.zeros_like(sets), np.ones_like(sets), inside.copy())
    for size in range(1, len(above) + 1):
        same = np.flatnonzero(inside.sum(axis=1) == size)
        before = same[:, None] & ~bits
        sums = np.where(inside[same], found.fewest[before] + costs[same], above.sum() + 1)
        found.fewest[same] = sums.min(axis=1)
        found.last[same] = sums == sums.min(axis=1, keepdims=True)
        found.ways[same] = np.sum(found.ways[before] * found.last[same], axis=1)
    return found


def _all_best(last: NDArray[np.bool_]) -> Numbers:
    found: list[tuple[int, ...]] = []

    def back(some: int, behind: tuple[int, ...]) -> None:
        if not some:
            found.append(behind)
        for member in np.flatnonzero(last[some]).tolist():
            back(some & ~(1 << member), (member, *behind))

    back(len(last) - 1, ())
    return np.array(sorted(found), np.int64).reshape(-1, last.shape[1])
