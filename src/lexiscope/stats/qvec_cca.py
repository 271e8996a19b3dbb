"""QVEC-CCA: how far vectors and properties go together along their best common directions.

The mean of all canonical correlations of rows of length 1, centred, as the script published by
Tsvetkov et al. has it; unlike QVEC it does not change when the vectors are rotated.
"""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Floats
from lexiscope.core.vectors import Vectors
from lexiscope.stats.qvec import standard

ENOUGH = 3  # words for each dimension and property
_RANK = 1e-10  # of the largest singular value: less is rounding


class Directions(NamedTuple):
    """The mean row, and weights (columns, number) that turn centred rows into variates."""

    mean: Floats
    weights: Floats

    def of(self, rows: Floats) -> Floats:
        """The variates of rows (words, number)."""
        return np.asarray((rows - self.mean) @ self.weights)


class Canonical(NamedTuple):
    """The directions of both sides, the best correlated first, and their correlations."""

    left: Directions
    right: Directions
    correlations: Floats


def unit_rows(rows: Vectors) -> Floats:
    """Rows of length 1; a row of zeros stays one."""
    values = np.asarray(rows, np.float64)
    lengths = np.linalg.norm(values, axis=1, keepdims=True)
    return np.asarray(np.divide(values, lengths, out=np.zeros_like(values), where=lengths > 0))


def canonical(left: Floats, right: Floats) -> Canonical:
    """The canonical correlations of two tables of the same words."""
    (mean, basis, back), (mean_right, basis_right, back_right) = map(_basis, (left, right))
    turn, correlations, turn_right = np.linalg.svd(basis.T @ basis_right, full_matrices=False)
    return Canonical(
        Directions(mean, back @ turn),
        Directions(mean_right, back_right @ turn_right.T),
        np.clip(correlations, 0.0, 1.0),
    )


def _basis(rows: Floats) -> tuple[Floats, Floats, Floats]:
    """The mean row, an orthonormal basis of the centred columns, and what turns rows into it."""
    mean = rows.mean(axis=0)
    basis, sizes, axes = np.linalg.svd(rows - mean, full_matrices=False)
    kept = sizes > _RANK * sizes.max(initial=0.0)
    if not kept.any():
        raise Undefined("nothing differs between the words in common")
    return mean, basis[:, kept], axes[kept].T / sizes[kept]


def must_be_enough(words: int, dimensions: int, properties: int) -> None:
    """Refuse so few words that any vectors would go together with any properties."""
    needed = ENOUGH * (dimensions + properties)
    if words < needed:
        raise Undefined(
            f"{words:,} words in common for {dimensions:,} dimensions and {properties:,} "
            f"properties: with fewer than {needed:,} canonical correlations are high by chance"
        )


def shares_of(left: Floats, right: Floats) -> Floats:
    """What each word adds to the mean canonical correlation."""
    found = canonical(left, right)
    return _shares(found, left, right)


def held_out_shares(left: Floats, right: Floats, folds: int, rng: Generator) -> Floats:
    """The same for directions that were found without the word, in so many folds."""
    fold = rng.permutation(np.arange(len(left)) % folds)
    found = np.empty(len(left))
    for number in range(folds):
        inside = fold == number
        directions = canonical(left[~inside], right[~inside])
        found[inside] = _shares(directions, left[inside], right[inside])
    return found


def _shares(found: Canonical, left: Floats, right: Floats) -> Floats:
    one, other = standard(found.left.of(left)), standard(found.right.of(right))
    correlations = np.mean(one * other, axis=0)
    # The influence of a row on a canonical correlation (Romanazzi 1992).
    moves = one * other - correlations * (one**2 + other**2 - 2) / 2
    return np.asarray(moves.mean(axis=1))


def correlation_by_chance(left: Floats, right: Floats, rng: Generator, shuffles: int = 10) -> float:
    """The mean canonical correlation when the properties are dealt out anew to the words."""
    (_, basis, _), (_, basis_right, _) = map(_basis, (left, right))
    dealt = (basis.T @ rng.permutation(basis_right) for _ in range(shuffles))
    return float(np.mean([np.linalg.svd(each, compute_uv=False).mean() for each in dealt]))
