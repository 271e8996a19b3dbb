"""Ridge regression of ratings on the representation of pairs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.learner import Learner, Outcome, TrainingSet, or_fallback
from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.settings import setting
from lexiscope.learners.models._selection import mean_over_folds, middle, rank_correlations
from lexiscope.learners.problems import PairRegression


@dataclass(frozen=True)
class Ridge(Learner):
    """Select the penalty by rank correlation; of ties, the largest. The intercept is free."""

    families = ("pairs",)
    complexity = "linear"
    fallback = {"pairs": "cosine"}  # noqa: RUF012

    alpha: tuple[float, ...] = setting(
        (0.01, 0.1, 1.0, 10.0, 100.0), "Penalties of the search.", exclusive_minimum=0
    )

    def fit_predict(
        self, problem: PairRegression, sets: TrainingSet, rng: Generator, fallback: Outcome | None
    ) -> Outcome:
        features, gold = problem.features, problem.gold
        grid = sorted(self.alpha, reverse=True)
        scores = mean_over_folds(
            sets,
            lambda fold: rank_correlations(
                _path(features[fold.train], gold[fold.train], features[fold.validate], grid),
                gold[fold.validate],
            ),
        )
        best = int(np.argmax(scores))
        own = Outcome(np.empty(0), float(scores[best]), {})
        if fallback is not None and not own.validation > fallback.validation:
            return or_fallback(own, fallback, "cosine")
        alpha = middle(grid) if np.isnan(own.validation) else grid[best]
        (predicted,) = _path(features[sets.train], gold[sets.train], features[sets.test], [alpha])
        return own._replace(predicted=predicted, selected={"alpha": alpha})


def _path(train: Floats, ratings: Floats, test: Floats, grid: Sequence[float]) -> Floats:
    """The predictions with each penalty (grid, test items), from one eigendecomposition.

    The smaller of the Gram matrix and the covariance matrix is decomposed.
    """
    mean, rows, wanted = train.mean(axis=0), train - train.mean(axis=0), ratings - ratings.mean()
    wide = len(rows) < rows.shape[1]
    squares, axes = np.linalg.eigh(rows @ rows.T if wide else rows.T @ rows)
    squares = np.maximum(squares, 0)
    right = axes.T @ (wanted if wide else rows.T @ wanted)
    left = (test - mean) @ (rows.T @ axes if wide else axes)
    return np.array([left @ (right / (squares + alpha)) + ratings.mean() for alpha in grid])
