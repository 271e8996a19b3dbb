"""Learning curves of resampled repeats and items.

An item has the same multiplicity in the test sets of all repeats, because it is the same item.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.learner import Indices
from lexiscope.core.contracts.metric import Floats


def multiplicities(number: int, resamples: int, rng: Generator) -> Floats:
    """Draw how often each of `number` members is in each bootstrap sample (resamples, number)."""
    return rng.multinomial(number, np.full(number, 1 / number), resamples).astype(np.float64)


def weighted_accuracy(predicted: NDArray[Any], gold: NDArray[Any], weights: Floats) -> Floats:
    """Compute accuracies (resamples, sizes) of items with weights (resamples, items)."""
    hits = (predicted == gold).astype(np.float64)
    return np.asarray(weights @ hits.T / np.maximum(weights.sum(axis=1, keepdims=True), 1.0))


def weighted_ranks(values: NDArray[Any], weights: Floats) -> Floats:
    """Compute average ranks of items that occur as often as their weights (resamples, items).

    >>> weighted_ranks(np.array([0.5, 0.1, 0.5]), np.array([[1.0, 2.0, 1.0]])).tolist()
    [[3.5, 1.5, 3.5]]
    """
    _, starts, group = np.unique(
        np.sort(values), return_index=True, return_inverse=True
    )  # groups of equal values, in increasing order
    order = np.argsort(values, kind="stable")
    totals = np.add.reduceat(weights[:, order], starts, axis=1)
    ranks = np.cumsum(totals, axis=1) - totals + (totals + 1) / 2
    place = np.empty(len(values), np.int64)
    place[order] = group.ravel()
    return np.asarray(ranks[:, place])


def _centred(ranks: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Deviations from the weighted mean, and their weighted sum of squares."""
    total = np.maximum(weights.sum(axis=1, keepdims=True), 1.0)
    centred = ranks - np.einsum("bi,bi->b", ranks, weights)[:, None] / total
    return centred, np.einsum("bi,bi,bi->b", centred, centred, weights)


def weighted_spearman(predicted: NDArray[Any], gold: NDArray[Any], weights: Floats) -> Floats:
    """Compute Spearman correlations (resamples, sizes) of weighted items.

    Correlations of constant predictions or ratings are 0, as in a learning curve.
    """
    right, right_variance = _centred(weighted_ranks(gold, weights), weights)
    right *= weights
    columns: list[Floats] = []
    for size, row in enumerate(predicted):
        if size and np.array_equal(row, predicted[size - 1]):  # a constant model learns nothing
            columns.append(columns[-1])
            continue
        left, left_variance = _centred(weighted_ranks(row, weights), weights)
        scale = np.sqrt(left_variance * right_variance)
        covariance = np.einsum("bi,bi->b", left, right)
        columns.append(np.where(scale > 1e-9, covariance / np.maximum(scale, 1e-9), 0.0))
    return np.stack(columns, axis=1)


def resampled_curves(
    predicted: Sequence[NDArray[Any]],
    gold: NDArray[Any],
    tests: Sequence[Indices],
    metric: str,
    repeat_weights: Floats,
    item_weights: Floats,
) -> Floats:
    """Compute the mean curve over repeats of each resample (resamples, sizes).

    A repeat none of whose test items is in a resample does not count; a resample without any such
    repeat is NaN.

    Parameters
    ----------
    predicted : sequence of ndarray
        For each repeat, the predictions (sizes, test items).
    gold : ndarray of shape (items,)
        Gold values of all items.
    tests : sequence of ndarray
        For each repeat, the indices of its test items.
    metric : {"accuracy", "spearman"}
    repeat_weights, item_weights : ndarray
        Multiplicities (resamples, repeats) and (resamples, items).
    """
    score = weighted_spearman if metric == "spearman" else weighted_accuracy
    total = np.zeros((len(item_weights), len(predicted[0])))
    counted = np.zeros((len(item_weights), 1))
    for repeat, (rows, test) in enumerate(zip(predicted, tests, strict=True)):
        weights = item_weights[:, test]
        times = np.where(weights.any(axis=1), repeat_weights[:, repeat], 0.0)[:, None]
        total += times * score(rows, gold[test], weights)
        counted += times
    return np.where(counted > 0, total / np.maximum(counted, 1.0), np.nan)
