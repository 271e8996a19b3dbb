"""Truncated SVD of a large matrix by a block Krylov method.

The matrix and its transpose are applied alternately to a block of random columns, every block is
orthogonalised against all previous ones, and the decomposition is computed in the subspace that
they span (Golub and Underwood 1977; Musco and Musco 2015).
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from lexiscope.core.progress import Progress, silent
from lexiscope.linalg.deterministic_products import (
    Double,
    Rows,
    Single,
    dense_times,
    gram,
    inner,
    sparse_times,
)

_BLOCK = 64
_MAX_RATIO = 10  # largest subspace, as a multiple of the dimension
_GROWTH = 1.1  # of the subspace between two convergence checks
_TOLERANCE = 1e-3  # relative tolerance of the singular values
_ROUNDING = 1e-6  # relative to the largest value: rounding error in single precision


class Operator(NamedTuple):
    """A sparse matrix and its transpose; `means` (columns,) are subtracted from every row."""

    forward: Rows
    backward: Rows
    means: Double | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Shape of the matrix."""
        return len(self.forward.starts) - 1, len(self.backward.starts) - 1

    def apply(self, dense: Single) -> Single:
        """The matrix times dense (columns, width)."""
        product = sparse_times(self.forward, dense)
        if self.means is not None:
            product -= (self.means @ dense).astype(np.float32)
        return product

    def apply_transposed(self, dense: Single) -> Single:
        """The transposed matrix times dense (rows, width)."""
        product = sparse_times(self.backward, dense)
        if self.means is not None:
            product -= np.outer(self.means, dense.sum(axis=0, dtype=np.float64)).astype(np.float32)
        return product


class Subspace(NamedTuple):
    """Orthonormal basis (vectors, rows), and the projection of A A^T on it."""

    basis: Single
    squared: Double


def krylov_subspace(
    operator: Operator, dimension: int, rng: Generator, progress: Progress = silent
) -> Subspace:
    """Subspace that contains the `dimension` leading left singular vectors.

    Grows until the singular values converge or the rank of the matrix is reached.
    """
    rows, columns = operator.shape
    max_size = min(rows, columns, _MAX_RATIO * dimension + 4 * _BLOCK)
    basis, squared = np.empty((max_size, rows), np.float32), np.zeros((max_size, max_size))
    block, _ = orthonormal(operator.apply(rng.standard_normal((columns, _BLOCK), np.float32)))
    filled, next_check, scale = 0, dimension + 2 * _BLOCK, 0.0
    estimates: list[Double] = []
    while block.shape[1] and filled < max_size:
        new = slice(filled, min(filled + block.shape[1], max_size))
        block, filled = block[:, : new.stop - new.start], new.stop
        basis[new] = block.T
        images, factor = orthonormal(operator.apply_transposed(block), _ROUNDING * scale)
        block = operator.apply(images)
        scale = max(scale, _norm(block))
        block, coefficients = _orthogonalize(basis[:filled], block)
        squared[:filled, new] = coefficients @ factor
        squared[new, :filled] = squared[:filled, new].T
        block, _ = orthonormal(block, _ROUNDING * scale)
        if filled >= next_check:
            estimates = [*estimates[-2:], _largest_roots(squared[:filled, :filled], dimension)]
            next_check = int(filled * _GROWTH)
            if _converged(estimates):
                break
        progress("Decomposing", filled, max_size)
    progress("Decomposing", max_size, max_size)
    return Subspace(basis[:filled], squared[:filled, :filled])


def leading_triplets(
    operator: Operator, found: Subspace, dimension: int
) -> tuple[Single, Double, Single]:
    """Left singular vectors, singular values and right singular vectors, largest value first.

    The values are computed from the projected matrix, not as roots of its square, which would
    lose half the digits of the small ones.
    """
    kept = min(len(found.basis), dimension + _BLOCK)
    left = dense_times(found.basis.T, np.linalg.eigh(found.squared)[1][:, -kept:])
    right = operator.apply_transposed(left)
    squares, rotation = np.linalg.eigh(gram(right))
    squares, rotation = squares[::-1][:dimension], rotation[:, ::-1][:, :dimension]
    values = np.sqrt(np.maximum(squares, 0))
    scales = np.divide(1, values, out=np.zeros_like(values), where=values > 0)
    return dense_times(left, rotation), values, dense_times(right, rotation * scales)


def orthonormal(block: Single, noise: float = 0.0) -> tuple[Single, Double]:
    """Orthonormal columns Q and R with Q R = block.

    Directions with a norm of at most `noise` are dropped, so there may be fewer columns, or none.
    """
    factor = np.eye(block.shape[1])
    for _ in range(2):  # the second pass corrects rounding errors of the first
        squares, rotation = np.linalg.eigh(gram(block))
        kept = squares > max(noise**2, _ROUNDING**2 * squares.max(initial=0.0))
        lengths, rotation = np.sqrt(squares[kept]), rotation[:, kept]
        block = dense_times(block, rotation / lengths)
        factor = (lengths[:, None] * rotation.T) @ factor
        noise = 0.0
    return block, factor


def _orthogonalize(basis: Single, block: Single) -> tuple[Single, Double]:
    """The block minus its projection on the basis, and the coefficients; twice, for accuracy."""
    coefficients = np.zeros((len(basis), block.shape[1]))
    for _ in range(2):
        projection = inner(basis, block)
        block = block - dense_times(basis.T, projection)
        coefficients += projection
    return block, coefficients


def _norm(block: Single) -> float:
    """The largest singular value."""
    squares = np.linalg.eigvalsh(gram(block))
    return float(np.sqrt(squares.max(initial=0.0)))


def _converged(estimates: list[Double]) -> bool:
    """Whether all values are within the relative tolerance, judged by three successive estimates.

    The estimates increase by shrinking steps. If the steps shrank by a constant factor, the rest
    would be a geometric series; in fact the factor decreases, so this bound is conservative.
    """
    if len(estimates) < 3:
        return False
    # Values below a thousandth of the largest are too noisy in the squared matrix.
    size = estimates[2] + 1e-3 * estimates[2][0]
    earlier, step = (np.max((b - a) / size, initial=0.0) for a, b in pairwise(estimates))
    return bool(step <= 0 or (earlier > step and step**2 / (earlier - step) <= _TOLERANCE))


def _largest_roots(squared: Double, number: int) -> Double:
    """Square roots of the largest eigenvalues, descending."""
    return np.asarray(np.sqrt(np.maximum(np.linalg.eigvalsh(squared)[::-1][:number], 0)))
