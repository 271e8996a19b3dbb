"""Canonical correlation analysis of two views given by co-occurrence counts.

A view is a binary matrix (tokens, features) that is never built: only counts of pairs of features
are needed. Nothing is centred.
"""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from lexiscope.core.progress import Progress, silent
from lexiscope.core.vectors import Sparse
from lexiscope.linalg.deterministic_products import Double
from lexiscope.linalg.truncated_svd import truncated_svd

_RANK_TOLERANCE = 1e-10  # relative to the largest variance: rounding error


class Directions(NamedTuple):
    """Weights of the features of two views (features, number), largest correlation first."""

    left: Double
    right: Double


def sparse_directions(
    crossed: Sparse,
    left: Double,
    right: Double,
    number: int,
    rng: Generator,
    progress: Progress = silent,
) -> Directions:
    """Canonical directions of two views with sparse features, from counts.

    `crossed` (left features, right features) counts pairs; `left` and `right` count features and
    are used as diagonal covariances of the views.
    """
    from scipy.sparse import diags_array

    scales = _inverse_root(left), _inverse_root(right)
    white = diags_array(scales[0]) @ crossed @ diags_array(scales[1])
    found = truncated_svd(white.tocsr(), number, rng, progress=progress)
    return Directions(scales[0][:, None] * found.left, scales[1][:, None] * found.right)


def dense_directions(crossed: Double, left: Double, right: Double, number: int) -> Double:
    """Weights of the left view's features (features, number), largest correlation first.

    `crossed` (features, states) is the covariance with a few states, `left` (features,) counts
    the features, and `right` (states, states) is the covariance of the states.
    """
    variances, rotation = np.linalg.eigh(right)
    kept = variances > _RANK_TOLERANCE * variances.max(initial=0.0)
    scales = _inverse_root(left)[:, None]
    white = scales * (crossed @ (rotation[:, kept] / np.sqrt(variances[kept])))
    squares, rotation = np.linalg.eigh(white.T @ white)
    kept = squares > _RANK_TOLERANCE * squares.max(initial=0.0)
    white = white @ (rotation[:, kept] / np.sqrt(squares[kept]))
    found = np.zeros((len(left), number))
    best = (scales * white)[:, ::-1][:, :number]
    found[:, : best.shape[1]] = best
    return found


def _inverse_root(counts: Double) -> Double:
    """1 / sqrt(count); 0 for features that never occur."""
    return np.divide(1, np.sqrt(counts), out=np.zeros(len(counts)), where=counts > 0)
