"""What a large matrix does most strongly, sought in the span of a few applications of it.

A block Krylov method: the matrix and its transpose are applied in turns to a block of random
columns, every block is made orthogonal to all blocks before it, and the decomposition is sought
in what they span (Golub and Underwood 1977; Musco and Musco 2015).
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from lexiscope.core.progress import Progress, silent
from lexiscope.stats.threaded import Double, Rows, Single, gram, inner, times, turned

_BLOCK = 64
_LONGEST = 10  # times as many columns as directions are wanted, at most
_GROWTH = 1.1  # of the span, from one look at the values to the next
_NEAR = 1e-3  # how far from the end a singular value may be, as a share of itself
_NOISE = 1e-6  # of the largest value: what single precision leaves of a direction that is not there


class Operator(NamedTuple):
    """A sparse matrix and its transpose; `means` (columns,) are taken off every row of it."""

    forward: Rows
    backward: Rows
    means: Double | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the matrix."""
        return len(self.forward.starts) - 1, len(self.backward.starts) - 1

    def apply(self, dense: Single) -> Single:
        """The matrix times dense (columns, width)."""
        product = times(self.forward, dense)
        if self.means is not None:
            product -= (self.means @ dense).astype(np.float32)
        return product

    def apply_back(self, dense: Single) -> Single:
        """The transposed matrix times dense (rows, width)."""
        product = times(self.backward, dense)
        if self.means is not None:
            product -= np.outer(self.means, dense.sum(axis=0, dtype=np.float64)).astype(np.float32)
        return product


class Span(NamedTuple):
    """Orthonormal vectors (vectors, rows), and the squared matrix as seen by them."""

    basis: Single
    squared: Double


def span(operator: Operator, dimension: int, rng: Generator, tell: Progress = silent) -> Span:
    """Vectors that hold the `dimension` strongest left directions of the operator.

    Grows until the singular values stand still, or the matrix has nothing more to give.
    """
    rows, columns = operator.shape
    most = min(rows, columns, _LONGEST * dimension + 4 * _BLOCK)
    basis, squared = np.empty((most, rows), np.float32), np.zeros((most, most))
    block, _ = orthonormal(operator.apply(rng.standard_normal((columns, _BLOCK), np.float32)))
    filled, look, scale = 0, dimension + 2 * _BLOCK, 0.0
    seen: list[Double] = []
    while block.shape[1] and filled < most:
        new = slice(filled, min(filled + block.shape[1], most))
        block, filled = block[:, : new.stop - new.start], new.stop
        basis[new] = block.T
        images, shapes = orthonormal(operator.apply_back(block), _NOISE * scale)
        block = operator.apply(images)
        scale = max(scale, _norm(block))
        block, parts = _without(basis[:filled], block)
        squared[:filled, new] = parts @ shapes
        squared[new, :filled] = squared[:filled, new].T
        block, _ = orthonormal(block, _NOISE * scale)
        if filled >= look:
            seen = [*seen[-2:], _largest(squared[:filled, :filled], dimension)]
            look = int(filled * _GROWTH)
            if _near_the_end(seen):
                break
        tell("Decomposing", filled, most)
    tell("Decomposing", most, most)
    return Span(basis[:filled], squared[:filled, :filled])


def strongest(operator: Operator, found: Span, dimension: int) -> tuple[Single, Double, Single]:
    """Left directions, singular values and right directions in a span, strongest first.

    The values are those of the matrix between the span's best directions, not the roots of its
    square: squaring would lose half the digits of the small ones.
    """
    kept = min(len(found.basis), dimension + _BLOCK)
    left = turned(found.basis.T, np.linalg.eigh(found.squared)[1][:, -kept:])
    right = operator.apply_back(left)
    squares, turn = np.linalg.eigh(gram(right))
    squares, turn = squares[::-1][:dimension], turn[:, ::-1][:, :dimension]
    values = np.sqrt(np.maximum(squares, 0))
    scales = np.divide(1, values, out=np.zeros_like(values), where=values > 0)
    return turned(left, turn), values, turned(right, turn * scales)


def orthonormal(block: Single, noise: float = 0.0) -> tuple[Single, Double]:
    """Orthonormal columns, and what they are to be multiplied with to give the block.

    Directions no longer than `noise` are left out, so there may be fewer columns, or none.
    """
    shapes = np.eye(block.shape[1])
    for _ in range(2):  # the second time mends what rounding left of the first
        squares, turn = np.linalg.eigh(gram(block))
        kept = squares > max(noise**2, _NOISE**2 * squares.max(initial=0.0))
        lengths, turn = np.sqrt(squares[kept]), turn[:, kept]
        block = turned(block, turn / lengths)
        shapes = (lengths[:, None] * turn.T) @ shapes
        noise = 0.0
    return block, shapes


def _without(basis: Single, block: Single) -> tuple[Single, Double]:
    """The block less what the basis explains of it, and that part; twice, against rounding."""
    parts = np.zeros((len(basis), block.shape[1]))
    for _ in range(2):
        explained = inner(basis, block)
        block = block - turned(basis.T, explained)
        parts += explained
    return block, parts


def _norm(block: Single) -> float:
    """The largest singular value."""
    squares = np.linalg.eigvalsh(gram(block))
    return float(np.sqrt(squares.max(initial=0.0)))


def _near_the_end(seen: list[Double]) -> bool:
    """Whether no value has more than `_NEAR` of itself to go, judged by three looks at them.

    They rise ever slower. If the largest step went on shrinking by the same factor, what is left
    would be a geometric series; in truth the factor falls, so that the guess is a safe one.
    """
    if len(seen) < 3:
        return False
    # Values below a thousandth of the largest are too noisy in the square to be judged by it.
    size = seen[2] + 1e-3 * seen[2][0]
    earlier, step = (np.max((b - a) / size, initial=0.0) for a, b in pairwise(seen))
    return bool(step <= 0 or (earlier > step and step**2 / (earlier - step) <= _NEAR))


def _largest(squared: Double, number: int) -> Double:
    """The roots of the largest eigenvalues, falling."""
    return np.asarray(np.sqrt(np.maximum(np.linalg.eigvalsh(squared)[::-1][:number], 0)))
