"""Support vector regression of ratings with an RBF kernel."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.learner import Learner, Outcome, TrainingSet
from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.settings import setting
from lexiscope.learners.models._kernels import KernelMachine, search
from lexiscope.learners.models._selection import rank_correlations
from lexiscope.learners.problems import PairRegression


@dataclass(frozen=True)
class Svr(Learner):
    """Select C and gamma by rank correlation; of ties, the smallest C, then the smallest gamma.

    Ratings are standardised with the mean and the standard deviation of the training items, so
    that C and epsilon do not depend on their scale.
    """

    families = ("pairs",)
    complexity = "non-linear"
    fallback = {"pairs": "cosine"}  # noqa: RUF012

    c: tuple[float, ...] = setting(
        (0.1, 1.0, 10.0), "Penalties of the search.", exclusive_minimum=0
    )
    gamma: tuple[float, ...] = setting(
        (0.25, 1.0, 4.0), "Kernel widths of the search, relative to 1 / mean squared distance.",
        exclusive_minimum=0,
    )  # fmt: skip
    epsilon: float = setting(
        0.1, "Errors without penalty, in standard deviations of the ratings.", minimum=0
    )

    def fit_predict(
        self, problem: PairRegression, sets: TrainingSet, rng: Generator, fallback: Outcome | None
    ) -> Outcome:
        machine = KernelMachine(self._fit, rank_correlations, sorted(self.c), sorted(self.gamma))
        return search(machine, problem, sets, fallback, "cosine")

    def _fit(self, between: Floats, ratings: Floats, c: float) -> "_Standardised":
        from sklearn.svm import SVR

        mean, deviation = float(ratings.mean()), float(ratings.std())
        model = SVR(C=c, kernel="precomputed", epsilon=self.epsilon)
        return _Standardised(model.fit(between, (ratings - mean) / deviation), mean, deviation)


class _Standardised(NamedTuple):
    """A regression of standardised ratings, with predictions on the scale of the ratings."""

    model: Any
    mean: float
    deviation: float

    @property
    def dual_coef_(self) -> Floats:
        return np.asarray(self.model.dual_coef_)

    def predict(self, test: Floats) -> Floats:
        return np.asarray(self.model.predict(test) * self.deviation + self.mean)
