"""The classes of the k nearest neighbours."""

from collections.abc import Sequence
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
from lexiscope.learners.models._probabilities import code_length
from lexiscope.learners.models._selection import accuracies, mean_over_folds, middle
from lexiscope.learners.problems import Classification


@dataclass(frozen=True)
class NearestNeighbours(Learner):
    """Select k by accuracy; of ties, the largest.

    Distances are Euclidean and all neighbours have the same weight. Of classes with the same
    number of neighbours, the first one is predicted.
    """

    families = ("words",)
    complexity = "non-linear"
    fallback = {"words": "logistic_regression"}  # noqa: RUF012

    k: tuple[int, ...] = setting(
        (1, 3, 5, 10, 20), "Numbers of neighbours of the search.", minimum=1
    )

    def fit_predict(
        self, problem: Classification, sets: TrainingSet, rng: Generator, fallback: Outcome | None
    ) -> Outcome:
        gold, grid = problem.gold, sorted(self.k, reverse=True)
        accuracy = mean_over_folds(
            sets,
            lambda fold: accuracies(
                _votes(problem, *fold, grid).argmax(axis=2), gold[fold.validate]
            ),
        )
        validation = float(accuracy.max())
        known = not np.isnan(validation)
        selected = grid[int(np.argmax(accuracy))] if known else middle(grid)
        (votes,) = _votes(problem, sets.train, np.append(sets.test, sets.following), [selected])
        number = min(selected, len(sets.train))
        bits = code_length(votes[len(sets.test) :] / number, gold[sets.following], number)
        predicted = votes[: len(sets.test)].argmax(axis=1)
        own = Outcome(predicted, validation, {"k": selected}, bits)
        return or_fallback(own, fallback, "logistic_regression")


def _votes(problem: Classification, train: Indices, items: Indices, grid: Sequence[int]) -> Floats:
    """The number of neighbours of each class (grid, items, classes)."""
    distances = problem.squared_distances[np.ix_(items, train)]
    most = min(max(grid), len(train))
    near = np.argsort(distances, axis=1, kind="stable")[:, :most]
    hits = np.eye(problem.classes)[problem.gold[train[near]]]
    totals = hits.cumsum(axis=1)
    return np.stack([totals[:, min(k, most) - 1] for k in grid])
