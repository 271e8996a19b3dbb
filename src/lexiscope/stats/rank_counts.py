"""Summaries of a table of scores: means, and how often each member ranks first or last.

The rules behind table 1 of Schnabel et al. 2015, for comparisons of embeddings by human judgments.
A table is (members, columns), higher is better.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import Undefined


class Tie(NamedTuple):
    """The members that share the first or last rank in a column."""

    column: int
    members: tuple[int, ...]


class RankCounts(NamedTuple):
    """In how many columns each member has a rank without a tie, and the ties in the others."""

    untied: NDArray[np.int64]
    ties: tuple[Tie, ...]


def means(scores: Floats) -> Floats:
    """Average the scores over columns, with equal weights."""
    _check_complete(scores)
    return np.asarray(scores.mean(axis=1))


def first_ranks(scores: Floats) -> RankCounts:
    """Count the columns in which each member has the highest score; ties are not counted.

    >>> first_ranks(np.array([[0.9, 0.5], [0.1, 0.5]]))
    RankCounts(untied=array([1, 0]), ties=(Tie(column=1, members=(0, 1)),))
    """
    _check_complete(scores)
    best = scores == scores.max(axis=0)
    tied = np.flatnonzero(best.sum(axis=0) > 1)
    untied = np.delete(best, tied, axis=1).sum(axis=1)
    ties = (Tie(int(c), tuple(np.flatnonzero(best[:, c]).tolist())) for c in tied)
    return RankCounts(untied.astype(np.int64), tuple(ties))


def last_ranks(scores: Floats) -> RankCounts:
    """Count the columns in which each member has the lowest score; ties are not counted."""
    return first_ranks(-scores)


def _check_complete(scores: Floats) -> None:
    missing = np.argwhere(np.isnan(scores))
    if len(missing):
        member, column = missing[0]
        raise Undefined(
            f"member {member} has no score in column {column}: "
            "means and counts over different columns are not comparable"
        )
