"""Selection of hyperparameters on inner folds, and what the models of a family share."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.learner import Fold, Indices, TrainingSet
from lexiscope.core.contracts.metric import Floats
from lexiscope.metrics.correlation import RELATIVE_TOLERANCE, average_ranks

T = TypeVar("T")

_DECIMALS = 12  # means of equal scores differ in the last bits


def usable_folds(sets: TrainingSet) -> tuple[Fold, ...]:
    """The inner folds that have items to train on and items to validate on."""
    return tuple(fold for fold in sets.folds if len(fold.train) and len(fold.validate))


def mean_scores(scores: Sequence[Floats]) -> Floats:
    """Average the scores of the grid over folds (grid,); without folds, they are NaN."""
    if not scores:
        return np.full(1, np.nan)
    return np.asarray(np.round(np.mean(scores, axis=0), _DECIMALS))


def accuracies(predicted: NDArray[np.int64], gold: Indices) -> Floats:
    """The accuracy of each row of predictions (grid, items)."""
    return np.asarray(np.mean(np.atleast_2d(predicted) == gold, axis=1))


def rank_correlations(predicted: Floats, gold: Floats) -> Floats:
    """Spearman's correlation of each row of predictions (grid, items); 0 if it is undefined."""
    return np.array([_rank_correlation(row, gold) for row in np.atleast_2d(predicted)])


def _rank_correlation(predicted: Floats, gold: Floats) -> float:
    if len(gold) < 3 or _constant(predicted) or _constant(gold):
        return 0.0
    left, right = (average_ranks(values) - (len(gold) + 1) / 2 for values in (predicted, gold))
    return float(left @ right / np.sqrt((left @ left) * (right @ right)))


def _constant(values: Floats) -> bool:
    return bool(np.ptp(values) <= RELATIVE_TOLERANCE * np.max(np.abs(values)))


def middle(grid: Sequence[T]) -> T:
    """The middle value of a grid, used where there are no folds.

    >>> middle((0.1, 1.0, 10.0))
    1.0
    """
    return grid[len(grid) // 2]


def mean_over_folds(
    sets: TrainingSet, score: Callable[[Fold], Floats | float], size: int = 1
) -> Floats:
    """Average the scores that `score` returns for each fold (size,); NaN without folds."""
    scores = [np.atleast_1d(score(fold)) for fold in usable_folds(sets)]
    return mean_scores(scores) if scores else np.full(size, np.nan)
