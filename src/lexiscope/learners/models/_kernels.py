"""Search over C and the width of an RBF kernel, which is computed once per width."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.learner import Indices, Outcome, TrainingSet, or_fallback
from lexiscope.core.contracts.metric import Floats
from lexiscope.learners.models._selection import mean_scores, middle, usable_folds
from lexiscope.learners.problems import Classification, PairRegression

Fit = Callable[[Floats, NDArray[Any], float], Any]
Score = Callable[[NDArray[Any], NDArray[Any]], Floats]

_AT_BOUND = 1e-6  # relative distance to C of a coefficient at the bound


class KernelMachine(NamedTuple):
    """A model on kernels and its grid.

    `fit` gets the kernel between training items, their gold values, which differ, and C, and
    returns a scikit-learn estimator. `gamma` is relative to the reciprocal of the mean squared
    distance between training items.
    """

    fit: Fit
    score: Score
    c: list[float]
    gamma: list[float]


def search(
    machine: KernelMachine,
    problem: Classification | PairRegression,
    sets: TrainingSet,
    fallback: Outcome | None,
    name: str,
) -> Outcome:
    """Select C and gamma on the folds, then train and predict, unless the fallback is better.

    Of ties, the smallest C is selected, then the smallest gamma.
    """
    grid = list(product(machine.c, machine.gamma))
    scores = mean_scores(_fold_scores(machine, problem, sets))
    best = int(np.argmax(scores))
    own = Outcome(np.empty(0), float(scores[best]), {})
    if fallback is not None and not own.validation > fallback.validation:
        return or_fallback(own, fallback, name)
    known = not np.isnan(own.validation)
    c, gamma = grid[best] if known else (middle(machine.c), middle(machine.gamma))
    distances, train = problem.squared_distances, sets.train
    width = gamma / mean_squared_distance(distances, train)
    (predicted,) = _predictions(
        machine.fit,
        rbf(distances, train, train, width),
        problem.gold[train],
        rbf(distances, sets.test, train, width),
        [c],
    )
    return own._replace(predicted=predicted, selected={"c": c, "gamma": gamma})


def mean_squared_distance(distances: Floats, train: Indices) -> float:
    """The mean squared distance between training items; 1 if all are equal."""
    return float(distances[np.ix_(train, train)].mean()) or 1.0


def rbf(distances: Floats, rows: Indices, columns: Indices, gamma: float) -> Floats:
    """The RBF kernel between two sets of items (rows, columns)."""
    values = distances[np.ix_(rows, columns)]
    values *= -gamma
    return np.asarray(np.exp(values, out=values))


def _fold_scores(
    machine: KernelMachine, problem: Classification | PairRegression, sets: TrainingSet
) -> list[Floats]:
    """The scores of the grid, C first, in each fold."""
    folds = usable_folds(sets)
    if not folds:
        return []
    scores = np.empty((len(folds), len(machine.c), len(machine.gamma)))
    mean = mean_squared_distance(problem.squared_distances, sets.train)
    for column, gamma in enumerate(machine.gamma):
        between = rbf(problem.squared_distances, sets.train, sets.train, gamma / mean)
        for number, fold in enumerate(folds):
            inside, held_out = (_positions(sets.train, items) for items in fold)
            inner, outer = between[np.ix_(inside, inside)], between[np.ix_(held_out, inside)]
            predicted = _predictions(machine.fit, inner, problem.gold[fold.train], outer, machine.c)
            scores[number, :, column] = machine.score(predicted, problem.gold[fold.validate])
    return list(scores.reshape(len(folds), -1))


def _predictions(
    fit: Fit, between: Floats, gold: NDArray[Any], test: Floats, grid: Sequence[float]
) -> NDArray[Any]:
    """The predictions with each C of an increasing grid (grid, test items).

    If no dual coefficient is at the bound C, the solution is the same for every larger C.
    """
    from sklearn import config_context

    if (gold == gold[0]).all() or not len(test):
        return np.full((len(grid), len(test)), gold[0])
    rows: list[NDArray[Any]] = []
    with config_context(assume_finite=True, skip_parameter_validation=True):
        for c in grid:
            model = fit(between, gold, c)
            rows.append(model.predict(test))
            if np.abs(model.dual_coef_).max(initial=0) < c * (1 - _AT_BOUND):
                break
    return np.array(rows + rows[-1:] * (len(grid) - len(rows)))


def _positions(train: Indices, items: Indices) -> Indices:
    """The positions of items in a training set."""
    order = np.argsort(train)
    return np.asarray(order[np.searchsorted(train, items, sorter=order)])
