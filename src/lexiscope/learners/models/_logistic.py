"""L2-regularised logistic regression for a path of regularisation strengths.

The optimum is the one of scikit-learn's LogisticRegression. L-BFGS runs in coordinates where the
upper bound of the Hessian (Böhning 1992) is the identity, and starts from the previous solution,
so it needs few iterations.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from lexiscope.core.contracts.learner import Indices
from lexiscope.core.contracts.metric import Floats

_TOLERANCE = 1e-7  # of the gradient, in coordinates with a Hessian of at most 1


class Weights(NamedTuple):
    """A trained model: `coefficients` (dimension + 1, outputs), the intercept last.

    `present` are the codes of the classes in the training set. Two classes have one output.
    """

    coefficients: Floats
    present: Indices

    def scores(self, features: Floats) -> Floats:
        """The decision values (items, outputs)."""
        return np.asarray(features @ self.coefficients[:-1] + self.coefficients[-1])

    def probabilities(self, features: Floats) -> Floats:
        """The probabilities of the present classes (items, classes)."""
        from scipy.special import expit, softmax

        scores = self.scores(features)
        if scores.shape[1] > 1:
            return np.asarray(softmax(scores, axis=1))
        positive = expit(scores[:, 0])
        return np.column_stack([1 - positive, positive])


def regularisation_path(
    features: Floats, labels: Indices, grid: Sequence[float]
) -> Iterator[Weights]:
    """Train with each inverse regularisation strength of an increasing grid.

    `labels` must contain two classes or more.
    """
    present, codes = np.unique(labels, return_inverse=True)
    basis, rows = _span(features)
    rows = np.column_stack([rows, np.ones(len(rows))])
    outputs = np.arange(len(present)) if len(present) > 2 else np.ones(1)
    targets = (codes[:, None] == outputs).astype(np.float64)
    variance = (1 - 1 / len(present)) / len(present)  # of a label under uniform probabilities
    bound = variance * (rows.T @ rows)
    found = np.zeros((rows.shape[1], targets.shape[1]))
    for c in grid:
        found = _minimise(rows, targets, bound, 1 / c, found)
        slopes = found[:-1] if basis is None else basis @ found[:-1]
        yield Weights(np.vstack([slopes, found[-1:]]), present)


def _span(features: Floats) -> tuple[Floats | None, Floats]:
    """A basis of the span of the rows (dimension, rows), and the rows in it.

    The optimum is in this span. There is no basis if there are not fewer rows than dimensions.
    """
    if len(features) >= features.shape[1]:
        return None, features
    basis, triangle = np.linalg.qr(features.T)
    return basis, np.ascontiguousarray(triangle.T)


def _minimise(
    rows: Floats, targets: Floats, bound: Floats, penalty: float, start: Floats
) -> Floats:
    """The coefficients (columns of `rows`, outputs) with the lowest penalised loss."""
    from scipy.linalg import cholesky
    from scipy.linalg.lapack import dtrtri
    from scipy.optimize import minimize

    penalties = np.full((len(bound), 1), penalty)
    penalties[-1] = 0  # the intercept
    root = cholesky(bound + np.diag(penalties[:, 0]))
    inverse, _ = dtrtri(root)

    def loss(flat: Floats) -> tuple[float, Floats]:
        found = inverse @ flat.reshape(start.shape)
        value, residuals = _loss(rows @ found, targets)
        penalised = penalties * found
        slope = inverse.T @ (penalised + rows.T @ residuals)
        return value + 0.5 * float(np.vdot(penalised, found)), slope.ravel()

    options = {"gtol": _TOLERANCE, "ftol": 0.0, "maxiter": 5000, "maxfun": 20000}
    best = minimize(loss, (root @ start).ravel(), jac=True, method="L-BFGS-B", options=options)
    return np.asarray(inverse @ best.x.reshape(start.shape))


def _loss(scores: Floats, targets: Floats) -> tuple[float, Floats]:
    """The negative log-likelihood, and its derivative by the scores (items, outputs)."""
    from scipy.special import expit

    if scores.shape[1] == 1:
        value = np.logaddexp(0, scores).sum() - np.vdot(scores, targets)
        return float(value), expit(scores) - targets
    shifted = scores - scores.max(axis=1, keepdims=True)
    weights = np.exp(shifted)
    totals = weights.sum(axis=1, keepdims=True)
    value = np.log(totals).sum() - np.vdot(shifted, targets)
    return float(value), weights / totals - targets
