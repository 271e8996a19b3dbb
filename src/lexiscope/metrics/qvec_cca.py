"""QVEC-CCA: the mean canonical correlation between vectors and properties.

Rows are L2-normalised and centred, as in the script published by Tsvetkov et al. Unlike QVEC, the
score does not change when the vectors are rotated.
"""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import Undefined
from lexiscope.core.vectors import Vectors
from lexiscope.linalg.normalization import normalize_rows
from lexiscope.metrics.qvec import standardise

_WORDS_PER_COLUMN = 3  # words needed for each dimension and property
_RANK_TOLERANCE = 1e-10  # of the largest singular value: less is rounding


class Directions(NamedTuple):
    """The mean row, and weights (columns, number) that map centred rows to variates."""

    mean: Floats
    weights: Floats

    def of(self, rows: Floats) -> Floats:
        """Return the variates of rows (words, number)."""
        return np.asarray((rows - self.mean) @ self.weights)


class Canonical(NamedTuple):
    """The canonical directions of both tables by descending correlation, and the correlations."""

    left: Directions
    right: Directions
    correlations: Floats


def unit_rows(rows: Vectors) -> Floats:
    """L2-normalise rows; a row of zeros stays zero."""
    values = np.asarray(rows, np.float64)
    return np.asarray(normalize_rows(values, np.linalg.norm(values, axis=1)))


def canonical(left: Floats, right: Floats) -> Canonical:
    """Compute the canonical correlations of two tables of the same words."""
    (mean, basis, back), (mean_right, basis_right, back_right) = map(_basis, (left, right))
    rotation, correlations, rotation_right = np.linalg.svd(
        basis.T @ basis_right, full_matrices=False
    )
    return Canonical(
        Directions(mean, back @ rotation),
        Directions(mean_right, back_right @ rotation_right.T),
        np.clip(correlations, 0.0, 1.0),
    )


def _basis(rows: Floats) -> tuple[Floats, Floats, Floats]:
    """The mean row, an orthonormal basis of the centred columns, and the map from rows to it."""
    mean = rows.mean(axis=0)
    basis, sizes, axes = np.linalg.svd(rows - mean, full_matrices=False)
    kept = sizes > _RANK_TOLERANCE * sizes.max(initial=0.0)
    if not kept.any():
        raise Undefined("nothing differs between the words in common")
    return mean, basis[:, kept], axes[kept].T / sizes[kept]


def check_enough_words(words: int, dimensions: int, properties: int) -> None:
    """Raise `Undefined` for so few words that canonical correlations are always high."""
    needed = _WORDS_PER_COLUMN * (dimensions + properties)
    if words < needed:
        raise Undefined(
            f"{words:,} words in common for {dimensions:,} dimensions and {properties:,} "
            f"properties: with fewer than {needed:,} canonical correlations are high by chance"
        )


def contributions(left: Floats, right: Floats) -> Floats:
    """Compute the contribution of each word to the mean canonical correlation."""
    return _contributions(canonical(left, right), left, right)


def held_out_contributions(left: Floats, right: Floats, folds: int, rng: Generator) -> Floats:
    """Compute contributions by cross-validation: directions are fitted on the other folds."""
    fold = rng.permutation(np.arange(len(left)) % folds)
    found = np.empty(len(left))
    for number in range(folds):
        inside = fold == number
        directions = canonical(left[~inside], right[~inside])
        found[inside] = _contributions(directions, left[inside], right[inside])
    return found


def _contributions(found: Canonical, left: Floats, right: Floats) -> Floats:
    one, other = standardise(found.left.of(left)), standardise(found.right.of(right))
    correlations = np.mean(one * other, axis=0)
    # The influence of a row on a canonical correlation (Romanazzi 1992).
    influence = one * other - correlations * (one**2 + other**2 - 2) / 2
    return np.asarray(influence.mean(axis=1))


def chance_level(left: Floats, right: Floats, rng: Generator, permutations: int = 10) -> float:
    """Compute the mean canonical correlation when properties are randomly permuted over words."""
    (_, basis, _), (_, basis_right, _) = map(_basis, (left, right))
    permuted = (basis.T @ rng.permutation(basis_right) for _ in range(permutations))
    return float(np.mean([np.linalg.svd(each, compute_uv=False).mean() for each in permuted]))
