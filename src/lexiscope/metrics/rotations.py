"""QVEC of randomly rotated vectors.

A rotation preserves all cosines, but changes every dimension and therefore QVEC. Comparing the
score with those of random rotations shows how much of it depends on the axes. Only covariances
are rotated, so the cost does not depend on the number of words.
"""

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import Undefined
from lexiscope.core.vectors import Vectors
from lexiscope.metrics.qvec import Rule, align

_BATCH = 1 << 22  # numbers of rotation matrices in memory


def rotated_scores(
    vectors: Vectors, properties: Floats, number: int, rule: Rule, rng: Generator
) -> Floats:
    """Compute QVEC for random rotations of the vectors; properties are standardised columns."""
    from scipy.stats import ortho_group

    centred = np.asarray(vectors, np.float64)
    centred = centred - centred.mean(axis=0)
    if centred.shape[1] < 2:
        raise Undefined("one dimension cannot be rotated")
    # A random rotation is uniform whatever the initial axes, so the principal axes are used: the
    # variance of a rotated dimension is then a weighted sum of squares.
    variances, axes = np.linalg.eigh(centred.T @ centred / len(centred))
    crossed = axes.T @ (centred.T @ properties) / len(centred)
    variances = np.maximum(variances, 0.0)
    dimension = len(variances)
    step = max(1, _BATCH // dimension**2)
    scores = []
    for start in range(0, number, step):
        size = min(step, number - start)
        rotations = ortho_group.rvs(dimension, size, random_state=rng).reshape(-1, dimension)
        spread = np.sqrt(rotations**2 @ variances)[:, None]
        products = rotations @ crossed
        correlations = np.divide(products, spread, out=np.zeros_like(products), where=spread > 0)
        scores += align(correlations, rule).correlations.reshape(size, -1).sum(axis=1).tolist()
    return np.array(scores)


def rotation_test(scores: Floats, score: float) -> float:
    """Return the p-value of a score: the proportion of rotations that score at least as high.

    The unrotated vectors are counted as one of the rotations.

    >>> rotation_test(np.array([1.0, 2.0, 3.0]), 2.5)
    0.5
    """
    return float((1 + np.sum(scores >= score * (1 - 1e-12))) / (1 + len(scores)))
