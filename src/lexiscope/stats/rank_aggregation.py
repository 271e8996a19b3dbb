"""Rank aggregation: a consensus ranking from several rankings.

Kemeny-Young: the rankings with the fewest pairwise disagreements (Kemeny 1959; Tsvetkov et al.
2015, section 5). Borda: the net number of pairwise preferences; fast for any number of members.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import BadUsage, Undefined

Numbers = NDArray[np.int64]

MAX_MEMBERS = 16  # 2^16 sets of members are searched
MAX_RANKINGS = 10_000


class ConsensusRankings(NamedTuple):
    """All optimal rankings (rankings, members), and the number of disagreements of each.

    A row lists the indices of members, the best first. Rows are sorted.
    """

    rankings: Numbers
    disagreements: int


def preferences(scores: Floats) -> Numbers:
    """Count how many rankings prefer one member to the other (members, members).

    `scores` (rankings, members): higher is better; negate ranks. A tie is no preference, nor is a
    member that a ranking lacks (NaN).
    """
    values = np.asarray(scores, np.float64)
    return np.asarray((values[:, :, None] > values[:, None, :]).sum(axis=0), np.int64)


def borda(scores: Floats) -> Numbers:
    """Compute Borda points: preferences for each member minus preferences for others over it.

    >>> borda(np.array([[3.0, 2.0, 1.0], [3.0, 1.0, 2.0]])).tolist()
    [4, -2, -2]
    """
    above = preferences(scores)
    return np.asarray(above.sum(axis=1) - above.sum(axis=0), np.int64)


def kemeny(scores: Floats) -> ConsensusRankings:
    """Find all rankings with the fewest disagreements; `scores` as for `preferences`.

    >>> kemeny(np.array([[3.0, 2.0, 1.0], [3.0, 1.0, 2.0], [2.0, 3.0, 1.0]])).rankings.tolist()
    [[0, 1, 2]]
    """
    above = preferences(scores)
    if len(above) > MAX_MEMBERS:
        raise BadUsage(
            f"Kemeny's consensus ranking takes at most {MAX_MEMBERS} members, "
            f"found {len(above)}. Leave some out, or use Borda points."
        )
    search = _search(above)
    if search.ways[-1] > MAX_RANKINGS:
        raise Undefined(
            f"{search.ways[-1]:,} consensus rankings are equally good, more than {MAX_RANKINGS:,}: "
            "the rankings have hardly any preferences"
        )
    return ConsensusRankings(_all_best(search.last), int(search.fewest[-1]))


class _Search(NamedTuple):
    """For each set of top members: its fewest disagreements, the number of optimal rankings of it,
    and which members can be last in them (sets, members). A set is an integer with a bit for each
    member.
    """

    fewest: Numbers
    ways: Numbers
    last: NDArray[np.bool_]


def _search(above: Numbers) -> _Search:
    """Dynamic programming over sets by size."""
    bits = 1 << np.arange(len(above))
    sets = np.arange(1 << len(above))
    inside = (sets[:, None] & bits) > 0
    # Ranking a member below the rest of its set disagrees with preferences for all others over it.
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

    def extend(some: int, behind: tuple[int, ...]) -> None:
        if not some:
            found.append(behind)
        for member in np.flatnonzero(last[some]).tolist():
            extend(some & ~(1 << member), (member, *behind))

    extend(len(last) - 1, ())
    return np.array(sorted(found), np.int64).reshape(-1, last.shape[1])
