"""Summaries of a table of scores: means, wins and last places.

The rules behind table 1 of Schnabel et al. 2015, for comparisons of embeddings by human judgments.
A table is (members, columns), higher is better.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import Undefined


class Tie(NamedTuple):
    """The members that are tied for a place in a column."""

    column: int
    members: tuple[int, ...]


class PlaceCounts(NamedTuple):
    """In how many columns each member has the place without a tie, and the ties in the others."""

    untied: NDArray[np.int64]
    ties: tuple[Tie, ...]


def means(scores: Floats) -> Floats:
    """Average the scores over columns, with equal weights."""
    _check_complete(scores)
    return np.asarray(scores.mean(axis=1))


def winners(scores: Floats) -> PlaceCounts:
    """Count wins per column. Tied members do not win.

    >>> winners(np.array([[0.9, 0.5], [0.1, 0.5]]))
    PlaceCounts(untied=array([1, 0]), ties=(Tie(column=1, members=(0, 1)),))
    """
    _check_complete(scores)
    best = scores == scores.max(axis=0)
    tied = np.flatnonzero(best.sum(axis=0) > 1)
    untied = np.delete(best, tied, axis=1).sum(axis=1)
    ties = (Tie(int(c), tuple(np.flatnonzero(best[:, c]).tolist())) for c in tied)
    return PlaceCounts(untied.astype(np.int64), tuple(ties))


def last_places(scores: Floats) -> PlaceCounts:
    """Count last places per column; tied members are not counted."""
    return winners(-scores)


def _check_complete(scores: Floats) -> None:
    missing = np.argwhere(np.isnan(scores))
    if len(missing):
        member, column = missing[0]
        raise Undefined(
            f"member {member} has no score in column {column}: "
            "means and counts over different columns are not comparable"
        )
