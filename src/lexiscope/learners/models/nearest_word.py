"""The nearest neighbour of c: a baseline that ignores the pair in the question."""

from dataclasses import dataclass

from numpy.random import Generator

from lexiscope.core.contracts.learner import Learner, Outcome, TrainingSet
from lexiscope.learners.models._analogies import Questions, accuracy_on_folds, untrained
from lexiscope.learners.models._analogy_search import Queries, highest
from lexiscope.learners.problems import AnalogyPairs


@dataclass(frozen=True)
class NearestWord(Learner):
    """Predict the word nearest to c; a, b and c are excluded."""

    families = ("analogies",)
    complexity = "constant"

    def fit_predict(
        self, problem: AnalogyPairs, sets: TrainingSet, rng: Generator, fallback: Outcome | None
    ) -> Outcome:
        def queries(asked: Questions) -> Queries:
            return Queries((problem.vectors[asked.c],))

        validation = accuracy_on_folds(problem, sets, lambda _, asked: queries(asked))
        predicted = untrained(
            problem,
            repr(self),
            lambda asked: highest(problem.vectors, queries(asked), asked.excluded),
        )
        return Outcome(predicted[sets.test], validation, {})
