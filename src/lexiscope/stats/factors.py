"""The strongest directions of a sparse matrix: a truncated singular value decomposition.

Small matrices are decomposed exactly, large ones by a block Krylov method (`krylov.py`), which
stops when the singular values stand still.
"""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from lexiscope.core.errors import BadUsage
from lexiscope.core.progress import Progress, silent
from lexiscope.core.vectors import Sparse
from lexiscope.stats.krylov import Operator, span, strongest
from lexiscope.stats.threaded import Double, Single, one_core_each, rows_of

_SMALL = 1024
_RANK = 1e-6  # of the largest singular value: less than that is rounding


class Factors(NamedTuple):
    """left * values @ right.T is the matrix, as far as its strongest directions go.

    `left` (rows, dimension), `values` (dimension,) falling, `right` (columns, dimension).
    Directions beyond the rank of the matrix are zero, not arbitrary.
    """

    left: Single
    values: Double
    right: Single


def truncated(
    matrix: Sparse,
    dimension: int,
    rng: Generator,
    means: Double | None = None,
    tell: Progress = silent,
) -> Factors:
    """The `dimension` strongest directions of a matrix, `means` (columns,) off each of its rows.

    The largest entry of each left vector is positive. The same generator gives the same bytes,
    whatever the number of threads.
    """
    smaller = min(matrix.shape)
    if not 1 <= dimension <= smaller:
        raise BadUsage(f"Found {smaller} directions at most, of which {dimension} are asked for.")
    with one_core_each():
        if smaller <= max(_SMALL, 5 * dimension):
            return _settled(*_exact(matrix.astype(np.float64), dimension, means), dimension)
        operator = Operator(rows_of(matrix), rows_of(matrix.T), means)
        found = span(operator, dimension, rng, tell)
        return _settled(*strongest(operator, found, dimension), dimension)


def must_fit(dimension: int, words: int) -> None:
    """Refuse more directions than words, saying what to do."""
    if dimension > words:
        raise BadUsage(
            f"dimension {dimension} needs {dimension} words or more; the corpus has {words}. "
            f"Use a dimension of {words} or less."
        )


def _exact(matrix: Sparse, dimension: int, means: Double | None) -> tuple[Double, Double, Double]:
    """Left, values and right by the eigenvectors of the smaller of the two squares."""
    means = np.zeros(matrix.shape[1]) if means is None else means
    if matrix.shape[0] > matrix.shape[1]:
        ones, sums = matrix.shape[0], matrix.sum(axis=0)
        square = (matrix.T @ matrix).toarray() - np.outer(sums, means) - np.outer(means, sums)
        squares, right = _top(square + ones * np.outer(means, means), dimension)
        left = matrix @ right - means @ right
        return _scaled(left, squares), squares, right
    crossed = matrix @ means
    square = (matrix @ matrix.T).toarray() - crossed - crossed[:, None] + means @ means
    values, left = _top(square, dimension)
    right = matrix.T @ left - np.outer(means, left.sum(axis=0))
    return left, values, _scaled(right, values)


def _top(square: Double, dimension: int) -> tuple[Double, Double]:
    """The roots of the largest eigenvalues, falling, and their vectors."""
    squares, vectors = np.linalg.eigh(square)
    return np.sqrt(np.maximum(squares[::-1][:dimension], 0)), vectors[:, ::-1][:, :dimension]


def _scaled(vectors: Double, values: Double) -> Double:
    scales = np.divide(1, values, out=np.zeros_like(values), where=values > 0)
    return np.asarray(vectors * scales)


def _settled(
    left: Double | Single, values: Double, right: Double | Single, dimension: int
) -> Factors:
    """Factors with their signs fixed, and with zeros where there is nothing but rounding."""
    real = values > _RANK * values.max(initial=0.0)
    left, values, right = left[:, real], values[real], right[:, real]
    largest = np.abs(left).argmax(axis=0)
    signs = np.where(left[largest, np.arange(len(values))] < 0, -1, 1)
    missing = (0, 0), (0, dimension - len(values))
    return Factors(
        np.pad(left * signs, missing).astype(np.float32),
        np.pad(values, missing[1]),
        np.pad(right * signs, missing).astype(np.float32),
    )
