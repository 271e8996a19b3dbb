"""Truncated singular value decomposition of sparse matrices.

Small matrices are decomposed exactly, large ones by a block Krylov method (`block_krylov`), which
stops when the singular values converge. Why not a library: docs/decisions/0009.
"""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from lexiscope.core.errors import BadUsage
from lexiscope.core.progress import Progress, silent
from lexiscope.core.vectors import Sparse
from lexiscope.linalg.block_krylov import Operator, krylov_subspace, leading_triplets
from lexiscope.linalg.deterministic_products import Double, Single, csr_rows, single_threaded_blas

_MAX_EXACT_SIZE = 1024
_RANK_TOLERANCE = 1e-6  # relative to the largest singular value: rounding error


class Factors(NamedTuple):
    """The leading singular triplets: left * values @ right.T approximates the matrix.

    `left` (rows, dimension), `values` (dimension,) descending, `right` (columns, dimension).
    Triplets beyond the rank of the matrix are zero.
    """

    left: Single
    values: Double
    right: Single


def truncated_svd(
    matrix: Sparse,
    dimension: int,
    rng: Generator,
    means: Double | None = None,
    progress: Progress = silent,
) -> Factors:
    """The `dimension` leading singular triplets of a matrix minus `means` (columns,) in each row.

    The entry of each left vector with the largest absolute value is positive. The result depends
    on the generator, not on the number of threads.
    """
    smaller = min(matrix.shape)
    if not 1 <= dimension <= smaller:
        raise BadUsage(
            f"The matrix has at most {smaller} singular vectors, found dimension {dimension}."
        )
    with single_threaded_blas():
        if smaller <= max(_MAX_EXACT_SIZE, 5 * dimension):
            return _with_fixed_signs(
                *_exact(matrix.astype(np.float64), dimension, means), dimension
            )
        operator = Operator(csr_rows(matrix), csr_rows(matrix.T), means)
        subspace = krylov_subspace(operator, dimension, rng, progress)
        return _with_fixed_signs(*leading_triplets(operator, subspace, dimension), dimension)


def check_dimension(dimension: int, words: int) -> None:
    """Raise an error if `dimension` exceeds the number of words."""
    if dimension > words:
        raise BadUsage(
            f"dimension {dimension} needs {dimension} words or more; the corpus has {words}. "
            f"Use a dimension of {words} or less."
        )


def _exact(matrix: Sparse, dimension: int, means: Double | None) -> tuple[Double, Double, Double]:
    """Triplets from the eigenvectors of the smaller of A A^T and A^T A."""
    means = np.zeros(matrix.shape[1]) if means is None else means
    if matrix.shape[0] > matrix.shape[1]:
        rows, sums = matrix.shape[0], matrix.sum(axis=0)
        square = (matrix.T @ matrix).toarray() - np.outer(sums, means) - np.outer(means, sums)
        values, right = _leading_eigenvectors(square + rows * np.outer(means, means), dimension)
        left = matrix @ right - means @ right
        return _scaled(left, values), values, right
    crossed = matrix @ means
    square = (matrix @ matrix.T).toarray() - crossed - crossed[:, None] + means @ means
    values, left = _leading_eigenvectors(square, dimension)
    right = matrix.T @ left - np.outer(means, left.sum(axis=0))
    return left, values, _scaled(right, values)


def _leading_eigenvectors(square: Double, dimension: int) -> tuple[Double, Double]:
    """Square roots of the largest eigenvalues, descending, and their eigenvectors."""
    squares, vectors = np.linalg.eigh(square)
    return np.sqrt(np.maximum(squares[::-1][:dimension], 0)), vectors[:, ::-1][:, :dimension]


def _scaled(vectors: Double, values: Double) -> Double:
    scales = np.divide(1, values, out=np.zeros_like(values), where=values > 0)
    return np.asarray(vectors * scales)


def _with_fixed_signs(
    left: Double | Single, values: Double, right: Double | Single, dimension: int
) -> Factors:
    """Factors with fixed signs, zero beyond the numerical rank."""
    significant = values > _RANK_TOLERANCE * values.max(initial=0.0)
    left, values, right = left[:, significant], values[significant], right[:, significant]
    largest = np.abs(left).argmax(axis=0)
    signs = np.where(left[largest, np.arange(len(values))] < 0, -1, 1)
    missing = (0, 0), (0, dimension - len(values))
    return Factors(
        np.pad(left * signs, missing).astype(np.float32),
        np.pad(values, missing[1]),
        np.pad(right * signs, missing).astype(np.float32),
    )
