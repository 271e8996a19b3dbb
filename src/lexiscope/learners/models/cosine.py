"""The cosine of the two words of a pair: nothing is learned."""

from dataclasses import dataclass

from numpy.random import Generator

from lexiscope.core.contracts.learner import Learner, Outcome, TrainingSet
from lexiscope.learners.models._selection import mean_over_folds, rank_correlations
from lexiscope.learners.problems import PairRegression


@dataclass(frozen=True)
class Cosine(Learner):
    """Predict the cosine similarity."""

    families = ("pairs",)
    complexity = "constant"

    def fit_predict(
        self, problem: PairRegression, sets: TrainingSet, rng: Generator, fallback: Outcome | None
    ) -> Outcome:
        cosines, gold = problem.cosines, problem.gold
        validation = mean_over_folds(
            sets, lambda fold: rank_correlations(cosines[fold.validate], gold[fold.validate])
        )
        return Outcome(cosines[sets.test], float(validation[0]), {})
