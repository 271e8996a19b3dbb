"""What a table of scores says at a glance: means, sole winners, last places.

The rules behind table 1 of Schnabel et al. 2015. A table is (members, columns), higher is better.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Floats


class Tie(NamedTuple):
    """The members that share a place in a column."""

    column: int
    members: tuple[int, ...]


class Places(NamedTuple):
    """In how many columns each member has the place alone, and who shares it elsewhere."""

    alone: NDArray[np.int64]
    ties: tuple[Tie, ...]


def means(scores: Floats) -> Floats:
    """The plain mean over columns; every column weighs the same."""
    _must_be_full(scores)
    return np.asarray(scores.mean(axis=1))


def winners(scores: Floats) -> Places:
    """Who is best, column by column; a shared first place is a tie and nobody's win."""
    _must_be_full(scores)
    best = scores == scores.max(axis=0)
    shared = np.flatnonzero(best.sum(axis=0) > 1)
    alone = np.delete(best, shared, axis=1).sum(axis=1)
    ties = (Tie(int(c), tuple(np.flatnonzero(best[:, c]).tolist())) for c in shared)
    return Places(alone.astype(np.int64), tuple(ties))


def last_places(scores: Floats) -> Places:
    """Who is worst, column by column; a shared last place is a tie."""
    return winners(-scores)


def _must_be_full(scores: Floats) -> None:
    missing = np.argwhere(np.isnan(scores))
    if len(missing):
        member, column = missing[0]
        raise Undefined(
            f"member {member} has no score in column {column}: "
            "means and places over different columns cannot be compared"
        )
