"""Validation of random forests: no more trees than the comparison with the fallback needs."""

from collections.abc import Callable
from typing import Any

import numpy as np

from lexiscope.core.contracts.learner import Outcome, TrainingSet
from lexiscope.core.contracts.metric import Floats, Values
from lexiscope.learners.models._selection import mean_scores, usable_folds

_FIRST = 0.4  # proportion of the trees that every forest of a fold has
_CLEAR = 0.05  # a score that is lower by more than this will not be made up by more trees


def validation_score(
    forest: Callable[[int], Any],
    features: Values,
    gold: Values,
    sets: TrainingSet,
    score: Callable[[Values, Values], Floats],
    trees: int,
    fallback: Outcome | None,
) -> float:
    """Return the mean score of a forest over the inner folds; NaN without folds.

    A forest that is clearly worse than the fallback with the first of its trees gets no more.

    Parameters
    ----------
    forest : callable
        Returns an untrained forest of so many trees.
    features, gold : ndarray
        Features and gold values of all items.
    score : callable
        The score of (predicted, gold).
    trees : int
        The number of trees of the forests of the folds.
    """
    folds = usable_folds(sets)
    first = max(1, round(_FIRST * trees))
    models = [forest(first).set_params(warm_start=True) for _ in folds]

    def mean() -> float:
        return float(
            mean_scores([
                score(
                    model.fit(features[fold.train], gold[fold.train]).predict(
                        features[fold.validate]
                    ),
                    gold[fold.validate],
                )
                for model, fold in zip(models, folds, strict=True)
            ])[0]
        )  # fmt: skip

    found = mean()
    if not folds or first == trees or (fallback and found < fallback.validation - _CLEAR):
        return found
    for model in models:
        model.set_params(n_estimators=trees)
    return mean()


def as_features(features: Floats) -> Values:
    """Return features in the precision of scikit-learn's trees."""
    return np.asarray(features, np.float32)
