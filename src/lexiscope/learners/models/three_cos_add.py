"""3CosAdd: the word nearest to b - a + c (Mikolov et al. 2013). Nothing is learned."""

from dataclasses import dataclass

from numpy.random import Generator

from lexiscope.core.contracts.learner import Learner, Outcome, TrainingSet
from lexiscope.learners.models._analogies import accuracy_on_folds, sums, untrained
from lexiscope.learners.problems import AnalogyPairs
from lexiscope.linalg import analogy_search


@dataclass(frozen=True)
class ThreeCosAdd(Learner):
    """Predict the word nearest to b - a + c; a, b and c are excluded."""

    families = ("analogies",)
    complexity = "constant"

    def fit_predict(
        self, problem: AnalogyPairs, sets: TrainingSet, rng: Generator, fallback: Outcome | None
    ) -> Outcome:
        validation = accuracy_on_folds(problem, sets, lambda _, asked: sums(problem, asked))
        predicted = untrained(
            problem,
            repr(self),
            lambda asked: analogy_search.three_cos_add(problem.vectors, asked.a, asked.b, asked.c),
        )
        return Outcome(predicted[sets.test], validation, {})
