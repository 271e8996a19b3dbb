"""Random forest that predicts ratings."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.learner import (
    Learner,
    Outcome,
    TrainingSet,
    or_fallback,
)
from lexiscope.core.contracts.settings import setting
from lexiscope.learners.models._forests import as_features, validation_score
from lexiscope.learners.models._selection import rank_correlations
from lexiscope.learners.problems import PairRegression


@dataclass(frozen=True)
class ForestRegression(Learner):
    """A forest with fixed hyperparameters, compared with the cosine on the folds.

    A split considers the square root of the number of features. The forests of the folds have
    fewer trees, and still fewer if they are clearly worse. The forest of the whole training set is
    not trained if the cosine has the same or a higher rank correlation on the folds.
    """

    families = ("pairs",)
    complexity = "non-linear"
    fallback = {"pairs": "cosine"}  # noqa: RUF012

    trees: int = setting(100, "Number of trees.", minimum=1)
    fold_trees: int = setting(30, "Number of trees of the forests of the folds.", minimum=1)
    leaf: int = setting(5, "Minimum number of training pairs of a leaf.", minimum=1)

    def fit_predict(
        self, problem: PairRegression, sets: TrainingSet, rng: Generator, fallback: Outcome | None
    ) -> Outcome:
        from sklearn.ensemble import RandomForestRegressor

        features, gold = as_features(problem.features), problem.gold
        seed = int(rng.integers(2**31))

        def forest(trees: int) -> RandomForestRegressor:
            return RandomForestRegressor(
                trees,
                max_features="sqrt",
                min_samples_leaf=self.leaf,
                random_state=seed,
                n_jobs=1,
            )

        validation = validation_score(
            forest, features, gold, sets, rank_correlations, self.fold_trees, fallback
        )
        own = Outcome(np.empty(0), validation, {})
        if fallback is not None and not own.validation > fallback.validation:
            return or_fallback(own, fallback, "cosine")
        model = forest(self.trees).fit(features[sets.train], gold[sets.train])
        predicted = model.predict(features[sets.test])
        return own._replace(predicted=predicted)
