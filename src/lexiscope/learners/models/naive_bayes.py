"""Gaussian naive Bayes."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.learner import (
    Indices,
    Learner,
    Outcome,
    TrainingSet,
    or_fallback,
)
from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.settings import setting
from lexiscope.learners.models._probabilities import all_classes, code_length
from lexiscope.learners.models._selection import accuracies, mean_over_folds, middle
from lexiscope.learners.problems import Classification


@dataclass(frozen=True)
class NaiveBayes(Learner):
    """Select the smoothing of variances by accuracy; of ties, the largest.

    `smoothing` is added to each variance, as a proportion of the largest variance of a feature.
    """

    families = ("words",)
    complexity = "non-linear"
    fallback = {"words": "logistic_regression"}  # noqa: RUF012

    smoothing: tuple[float, ...] = setting(
        (1e-9, 1e-3, 0.1), "Additions to the variances in the search.", minimum=0
    )

    def fit_predict(
        self, problem: Classification, sets: TrainingSet, rng: Generator, fallback: Outcome | None
    ) -> Outcome:
        features, gold = problem.features, problem.gold
        grid = sorted(self.smoothing, reverse=True)

        def scores(train: Indices, items: Indices, smoothing: float) -> Floats:
            return _probabilities(
                features[train], gold[train], features[items], problem.classes, smoothing
            )

        accuracy = mean_over_folds(
            sets,
            lambda fold: accuracies(
                np.array([scores(*fold, each).argmax(axis=1) for each in grid]),
                gold[fold.validate],
            ),
        )
        validation = float(accuracy.max())
        known = not np.isnan(validation)
        selected = grid[int(np.argmax(accuracy))] if known else middle(grid)
        items = np.append(sets.test, sets.following)
        found = scores(sets.train, items, selected)
        bits = code_length(found[len(sets.test) :], gold[sets.following], len(sets.train))
        predicted = found[: len(sets.test)].argmax(axis=1)
        own = Outcome(predicted, validation, {"smoothing": selected}, bits)
        return or_fallback(own, fallback, "logistic_regression")


def _probabilities(
    train: Floats, labels: Indices, test: Floats, classes: int, smoothing: float
) -> Floats:
    """The probabilities of all classes (test items, classes)."""
    from sklearn.naive_bayes import GaussianNB

    present, counts = np.unique(labels, return_counts=True)
    if not len(test) or not np.ptp(train, axis=0).any():  # no feature varies
        return all_classes(np.tile(counts / counts.sum(), (len(test), 1)), present, classes)
    model = GaussianNB(var_smoothing=smoothing).fit(train, labels)
    return all_classes(model.predict_proba(test), present, classes)
