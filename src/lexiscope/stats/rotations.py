"""QVEC of the same vectors seen from other sides.

A rotation changes no cosine, but it changes every dimension and so QVEC. How high is the score
among those of random rotations? Only the covariances are rotated, so the number of words does not
matter.
"""

import numpy as np
from numpy.random import Generator

from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Floats
from lexiscope.core.vectors import Vectors
from lexiscope.stats.qvec import Rule, aligned

_AT_ONCE = 1 << 22  # numbers of rotations held in one go


def rotated_scores(
    vectors: Vectors, properties: Floats, number: int, rule: Rule, rng: Generator
) -> Floats:
    """The scores of so many random rotations of the vectors; properties are standard columns."""
    from scipy.stats import ortho_group

    centred = np.asarray(vectors, np.float64)
    centred = centred - centred.mean(axis=0)
    if centred.shape[1] < 2:
        raise Undefined("one dimension cannot be rotated")
    # Where the own axes lie makes no difference to a random rotation, so those without covariance
    # are taken: a rotated dimension's variance is then a sum of squares.
    variances, axes = np.linalg.eigh(centred.T @ centred / len(centred))
    crossed = axes.T @ (centred.T @ properties) / len(centred)
    variances = np.maximum(variances, 0.0)
    dimension = len(variances)
    step = max(1, _AT_ONCE // dimension**2)
    scores = []
    for start in range(0, number, step):
        size = min(step, number - start)
        turns = ortho_group.rvs(dimension, size, random_state=rng).reshape(-1, dimension)
        spread = np.sqrt(turns**2 @ variances)[:, None]
        products = turns @ crossed
        correlations = np.divide(products, spread, out=np.zeros_like(products), where=spread > 0)
        scores += aligned(correlations, rule).correlations.reshape(size, -1).sum(axis=1).tolist()
    return np.array(scores)


def share_as_high(scores: Floats, score: float) -> float:
    """How many of the rotations score as high, the vectors' own side counted among them."""
    return float((1 + np.sum(scores >= score * (1 - 1e-12))) / (1 + len(scores)))
