"""The mean rating of the training set: a control without vectors."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.learner import Learner, Outcome, TrainingSet
from lexiscope.learners.models._selection import usable_folds
from lexiscope.learners.problems import PairRegression


@dataclass(frozen=True)
class MeanRating(Learner):
    """Predict the mean rating. Its rank correlation is undefined, and counts as 0."""

    families = ("pairs",)
    complexity = "constant"

    def fit_predict(
        self, problem: PairRegression, sets: TrainingSet, rng: Generator, fallback: Outcome | None
    ) -> Outcome:
        mean = problem.gold[sets.train].mean()
        validation = 0.0 if usable_folds(sets) else np.nan
        return Outcome(np.full(len(sets.test), mean), validation, {})
