"""L2-regularised logistic regression; multinomial for more than two classes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.learner import Fold, Indices, Learner, Outcome, TrainingSet
from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.settings import setting
from lexiscope.learners.models._logistic import regularisation_path
from lexiscope.learners.models._probabilities import all_classes, code_length
from lexiscope.learners.models._selection import mean_scores, middle, usable_folds
from lexiscope.learners.problems import Classification


@dataclass(frozen=True)
class LogisticRegression(Learner):
    """Select the inverse regularisation strength by accuracy; of ties, the smallest.

    The strength that encodes labels is selected by the code length on the folds instead: the
    accuracy does not depend on whether probabilities are too close to uniform.
    """

    families = ("words", "texts")
    complexity = "linear"

    c: tuple[float, ...] = setting(
        (0.01, 0.1, 1.0, 10.0, 100.0), "Inverse regularisation strengths of the search.",
        exclusive_minimum=0,
    )  # fmt: skip

    def fit_predict(
        self, problem: Classification, sets: TrainingSet, rng: Generator, fallback: Outcome | None
    ) -> Outcome:
        grid, gold, tested = sorted(self.c), problem.gold, len(sets.test)
        folds = usable_folds(sets)
        scores = mean_scores([_fold_scores(problem, fold, grid) for fold in folds])
        best, coder = scores.argmax(axis=-1) if folds else (len(grid) // 2, len(grid) // 2)
        items = np.append(sets.test, sets.following)
        path = sorted({grid[best], grid[coder]})
        found = dict(zip(path, _path(problem, sets.train, items, path), strict=True))
        return Outcome(
            found[grid[best]][:tested].argmax(axis=1),
            float(scores[0].max()) if folds else np.nan,
            {"c": grid[best] if folds else middle(grid)},
            code_length(found[grid[coder]][tested:], gold[sets.following], len(sets.train)),
        )


def _fold_scores(problem: Classification, fold: Fold, grid: Sequence[float]) -> Floats:
    """The accuracy and minus the code length per item with each value of the grid (2, grid)."""
    gold, size = problem.gold[fold.validate], len(fold.validate)
    found = _path(problem, fold.train, fold.validate, grid)
    lengths = [code_length(each, gold, len(fold.train)) / size for each in found]
    return np.stack([np.mean(found.argmax(axis=2) == gold, axis=1), -np.array(lengths)])


def _path(problem: Classification, train: Indices, items: Indices, grid: Sequence[float]) -> Floats:
    """The probabilities of all classes with each value of the grid (grid, items, classes)."""
    labels, features = problem.gold[train], problem.features
    if (labels == labels[0]).all():
        return np.tile(np.eye(problem.classes)[labels[0]], (len(grid), len(items), 1))
    return np.array(
        [
            all_classes(model.probabilities(features[items]), model.present, problem.classes)
            for model in regularisation_path(features[train], labels, grid)
        ]
    )
