"""Random forest."""

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
from lexiscope.learners.models._probabilities import all_classes, code_length
from lexiscope.learners.models._selection import accuracies
from lexiscope.learners.problems import Classification


@dataclass(frozen=True)
class RandomForest(Learner):
    """A forest with fixed hyperparameters, compared with logistic regression on the folds.

    The forests of the folds have fewer trees, and still fewer if they are clearly worse. The forest
    of the whole training set is not trained if logistic regression has the same or a higher
    accuracy on the folds.
    """

    families = ("words",)
    complexity = "non-linear"
    fallback = {"words": "logistic_regression"}  # noqa: RUF012

    trees: int = setting(100, "Number of trees.", minimum=1)
    fold_trees: int = setting(50, "Number of trees of the forests of the folds.", minimum=1)

    def fit_predict(
        self, problem: Classification, sets: TrainingSet, rng: Generator, fallback: Outcome | None
    ) -> Outcome:
        from sklearn.ensemble import RandomForestClassifier

        features, gold = as_features(problem.features), problem.gold
        seed = int(rng.integers(2**31))

        def forest(trees: int) -> RandomForestClassifier:
            return RandomForestClassifier(trees, random_state=seed, n_jobs=1)

        validation = validation_score(
            forest, features, gold, sets, accuracies, self.fold_trees, fallback
        )
        own = Outcome(np.empty(0, np.int64), validation, {})
        if fallback is not None and not own.validation > fallback.validation:
            return or_fallback(own, fallback, "logistic_regression")
        model = forest(self.trees).fit(features[sets.train], gold[sets.train])
        found = all_classes(
            model.predict_proba(features[np.append(sets.test, sets.following)]),
            model.classes_,
            problem.classes,
        )
        tested = len(sets.test)
        bits = code_length(found[tested:], gold[sets.following], self.trees)
        return own._replace(predicted=found[:tested].argmax(axis=1), bits=bits)
