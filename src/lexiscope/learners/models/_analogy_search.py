"""Search for the answers of analogy questions, in blocks of candidates.

A score combines the products of a candidate with the parts of a query. With one part, the score
is the product itself.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.learner import Indices

Matrix = NDArray[np.float32]

_WIDTH = 4096  # candidates in one product
_FIRST_WIDTH = 256  # most questions are decided by few candidates
_HEIGHT = 512  # questions in one product


def product(only: Matrix) -> Matrix:
    """The score of queries with one part."""
    return only


class Queries(NamedTuple):
    """Queries: each part is (questions, dimension); `combine` turns products into scores."""

    parts: tuple[Matrix, ...]
    combine: Callable[..., Matrix] = product

    def take(self, rows: Indices | slice) -> "Queries":
        """Some of the queries."""
        return Queries(tuple(part[rows] for part in self.parts), self.combine)

    def scores(self, candidates: Matrix) -> Matrix:
        """The scores of all candidates for each query (questions, candidates)."""
        return self.combine(*(part @ candidates.T for part in self.parts))

    def scores_of(self, words: Matrix) -> Matrix:
        """The score of one word for each query (questions,)."""
        return self.combine(*(np.einsum("ij,ij->i", part, words) for part in self.parts))


def highest(vectors: Matrix, queries: Queries, excluded: Indices) -> Indices:
    """The row with the highest score for each query; of equals, the first.

    `excluded` (questions, words) are rows that cannot be predicted.
    """
    best = np.full(len(excluded), -1, np.int64)
    for top in range(0, len(excluded), _HEIGHT):
        rows = slice(top, top + _HEIGHT)
        best[rows] = _highest(vectors, queries.take(rows), excluded[rows])
    return best


def _highest(vectors: Matrix, queries: Queries, excluded: Indices) -> Indices:
    score = np.full(len(excluded), -np.inf, np.float32)
    best = np.full(len(excluded), -1, np.int64)
    for start in range(0, len(vectors), _WIDTH):
        scores = queries.scores(vectors[start : start + _WIDTH])
        _exclude(scores, excluded - start)
        found = scores.argmax(axis=1)
        value = scores[np.arange(len(found)), found]
        higher = value > score
        score[higher], best[higher] = value[higher], found[higher] + start
    return best


def gold_is_highest(
    vectors: Matrix, queries: Queries, excluded: Indices, gold: Indices
) -> NDArray[np.bool_]:
    """Whether no candidate has a higher score than the gold answer, for each query.

    A question is dropped as soon as a candidate is better, so few products are needed.
    """
    masked = np.column_stack([excluded, gold])
    limit = queries.scores_of(vectors[gold])
    left = np.flatnonzero((excluded != gold[:, None]).all(axis=1))
    start, width = 0, _FIRST_WIDTH
    while start < len(vectors) and len(left):
        better = [
            _any_higher(
                queries.take(rows),
                vectors[start : start + width],
                masked[rows] - start,
                limit[rows],
            )
            for rows in np.array_split(left, -(-len(left) // _HEIGHT))
        ]
        left = left[~np.concatenate(better)]
        start, width = start + width, min(2 * width, _WIDTH)
    correct = np.zeros(len(gold), bool)
    correct[left] = True
    return correct


def _any_higher(
    queries: Queries, candidates: Matrix, masked: Indices, limit: Matrix
) -> NDArray[np.bool_]:
    scores = queries.scores(candidates)
    _exclude(scores, masked)
    return np.asarray(scores.max(axis=1) > limit)


def _exclude(scores: Matrix, columns: Indices) -> None:
    """Set the scores of these columns to minus infinity, if they are in the block."""
    question, word = np.nonzero((columns >= 0) & (columns < scores.shape[1]))
    scores[question, columns[question, word]] = -np.inf
