"""Directions in which two sets of counted things go together: canonical correlations.

A view is a table (tokens, features) of zeros and ones that is never made: only counts of pairs of
features are needed. Nothing is centred.
"""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from lexiscope.core.progress import Progress, silent
from lexiscope.core.vectors import Sparse
from lexiscope.stats.factors import truncated
from lexiscope.stats.threaded import Double

_RANK = 1e-10  # of the largest variance: less than that is rounding


class Directions(NamedTuple):
    """Weights of the features of two views (features, number), the best correlated first."""

    left: Double
    right: Double


def sparse_directions(
    crossed: Sparse,
    left: Double,
    right: Double,
    number: int,
    rng: Generator,
    tell: Progress = silent,
) -> Directions:
    """Of two views whose features hardly meet each other, by their pairs and their counts.

    `crossed` (left features, right features) counts pairs; `left` and `right` count features, and
    stand for all of a view's own covariance.
    """
    from scipy.sparse import diags_array

    scales = _inverse_root(left), _inverse_root(right)
    white = diags_array(scales[0]) @ crossed @ diags_array(scales[1])
    found = truncated(white.tocsr(), number, rng, tell=tell)
    return Directions(scales[0][:, None] * found.left, scales[1][:, None] * found.right)


def dense_directions(crossed: Double, left: Double, right: Double, number: int) -> Double:
    """Weights of the left view's features (features, number), the best correlated first.

    `crossed` (features, states) is the covariance with a few states, `left` (features,) counts
    the features, and `right` (states, states) is the states' own covariance.
    """
    variances, turn = np.linalg.eigh(right)
    kept = variances > _RANK * variances.max(initial=0.0)
    scales = _inverse_root(left)[:, None]
    white = scales * (crossed @ (turn[:, kept] / np.sqrt(variances[kept])))
    squares, turn = np.linalg.eigh(white.T @ white)
    kept = squares > _RANK * squares.max(initial=0.0)
    white = white @ (turn[:, kept] / np.sqrt(squares[kept]))
    found = np.zeros((len(left), number))
    best = (scales * white)[:, ::-1][:, :number]
    found[:, : best.shape[1]] = best
    return found


def _inverse_root(counts: Double) -> Double:
    """1 / sqrt(count); features that never occur have no weight."""
    return np.divide(1, np.sqrt(counts), out=np.zeros(len(counts)), where=counts > 0)
