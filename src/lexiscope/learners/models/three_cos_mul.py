"""3CosMul: the highest cos(b) cos(c) / cos(a) (Levy and Goldberg 2014). Nothing is learned."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.learner import Learner, Outcome, TrainingSet
from lexiscope.core.contracts.settings import setting
from lexiscope.learners.models._analogies import Questions, accuracy_on_folds, untrained
from lexiscope.learners.models._analogy_search import Matrix, Queries
from lexiscope.learners.problems import AnalogyPairs
from lexiscope.linalg import analogy_search


@dataclass(frozen=True)
class ThreeCosMul(Learner):
    """Predict the highest cos(b) cos(c) / (cos(a) + epsilon); a, b and c are excluded.

    Cosines are shifted to 0..1.
    """

    families = ("analogies",)
    complexity = "constant"

    epsilon: float = setting(0.001, "Keeps the denominator above zero.", exclusive_minimum=0)

    def fit_predict(
        self, problem: AnalogyPairs, sets: TrainingSet, rng: Generator, fallback: Outcome | None
    ) -> Outcome:
        validation = accuracy_on_folds(
            problem, sets, lambda _, asked: self._queries(problem, asked)
        )
        predicted = untrained(
            problem,
            repr(self),
            lambda asked: analogy_search.three_cos_mul(
                problem.vectors, asked.a, asked.b, asked.c, self.epsilon
            ),
        )
        return Outcome(predicted[sets.test], validation, {})

    def _queries(self, problem: AnalogyPairs, asked: Questions) -> Queries:
        parts = (problem.vectors[words] for words in (asked.a, asked.b, asked.c))
        return Queries(tuple(parts), self._ratios)

    def _ratios(self, a: Matrix, b: Matrix, c: Matrix) -> Matrix:
        epsilon = np.float32(2 * self.epsilon)
        return np.asarray((1 + b) * (1 + c) / (1 + a + epsilon))
