"""Permutation (randomization) tests of the difference between two systems on the same items.

Each permutation swaps the predictions of the two systems for a random subset of items. Under the
null hypothesis every assignment has the same probability, so the observed one counts as one of
them.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats, Metric
from lexiscope.core.contracts.task import Predictions
from lexiscope.core.errors import Undefined

PERMUTATIONS = 9999
PERMUTATIONS_OF_ANY_METRIC = 999  # each costs two calls of the metric
MAX_SIGN_FLIP_ITEMS = 1000
_BATCH = 1 << 22  # item indices in memory


def enough_permutations(comparisons: int) -> int:
    """Return a number so large that the smallest p-value is below 5 % after Holm's correction.

    >>> enough_permutations(3), enough_permutations(1000)
    (9999, 40000)
    """
    return max(PERMUTATIONS, 40 * comparisons)


def sign_flip_test(differences: Floats, rng: Generator, permutations: int = PERMUTATIONS) -> float:
    """Compute the two-sided p-value of a mean difference by flipping the signs of differences.

    Exact for few items: all combinations of signs are enumerated. For very many items the means
    follow Student's t, which is used then.

    >>> sign_flip_test(np.array([0.3, 0.2, 0.4, 0.1]), np.random.default_rng(0))
    0.125
    """
    from scipy.stats import ttest_1samp

    if len(differences) > MAX_SIGN_FLIP_ITEMS and np.ptp(differences) > 0:
        return float(ttest_1samp(differences, 0.0).pvalue)
    return _permutation_test(
        (differences,), lambda values, axis: np.mean(values, axis=axis), rng, permutations
    )


def permutation_test_of_correlations(
    first: Floats, second: Floats, gold: Floats, rng: Generator, permutations: int = PERMUTATIONS
) -> float:
    """Compute the two-sided p-value of the difference of two correlations with the same gold.

    Each permutation swaps the predictions of the two embeddings for a random subset of items.
    """
    first, second = (_standardise(values) for values in (first, second))
    centred = gold - gold.mean()

    def slope(values: Floats, axis: int) -> Floats:
        spread = np.maximum(values.std(axis=axis), np.finfo(np.float64).tiny)
        return np.asarray(values @ centred / spread)

    def slope_difference(ours: Floats, theirs: Floats, axis: int) -> Floats:
        return slope(ours, axis) - slope(theirs, axis)

    return _permutation_test((first, second), slope_difference, rng, permutations)


def permutation_test_of_totals(
    first: NDArray[Any],
    second: NDArray[Any],
    of_totals: Callable[[Floats], Floats],
    rng: Generator,
    permutations: int = PERMUTATIONS,
) -> float:
    """Compute the two-sided p-value of the difference of a function of summed rows (Yeh 2000).

    F1 over a corpus is such a function, and no mean over sentences. Whole sentences are swapped
    between the two systems, and F1 is computed again after each permutation. Exact for so few
    rows that every permutation can be enumerated. Otherwise
    p = (1 + number of differences as large) / (1 + permutations), which is never 0.

    Parameters
    ----------
    first, second : ndarray of shape (items, numbers)
        The counts of two systems for the same items.
    of_totals
        Maps sums of rows (..., numbers) to scores (...).

    Examples
    --------
    >>> from lexiscope.metrics.f1 import f1_of_totals
    >>> first, second = np.tile([2, 0, 0], (5, 1)), np.tile([1, 1, 1], (5, 1))
    >>> permutation_test_of_totals(first, second, f1_of_totals, np.random.default_rng(0))
    0.0625
    """
    from scipy.stats import permutation_test

    items = np.arange(len(first))
    if len(items) < 2:  # swapped or not, the difference is the same
        return 1.0
    gain = (second - first).astype(np.float64)

    def difference(ours: NDArray[np.int64], theirs: NDArray[np.int64], axis: int) -> Floats:
        moved = (ours >= len(items)).astype(np.float64) @ gain
        return np.abs(of_totals(first.sum(axis=0) + moved) - of_totals(second.sum(axis=0) - moved))

    found = permutation_test(
        (items, items + len(items)), difference, permutation_type="samples",
        alternative="greater", vectorized=True, n_resamples=permutations,
        batch=max(1, _BATCH // len(items)), axis=-1, rng=rng,
    )  # fmt: skip
    return float(found.pvalue)


def permutation_test_of_any_metric(
    metric: Metric, first: Predictions, second: Predictions, observed: float, rng: Generator
) -> float:
    """Compute the two-sided p-value of an observed difference by calling the metric.

    A permutation without a score counts against the difference.
    """
    differences = np.empty(PERMUTATIONS_OF_ANY_METRIC)
    for k in range(len(differences)):
        swap = rng.random(len(first.predicted)) < 0.5
        try:
            ours = metric(np.where(swap, second.predicted, first.predicted), first.gold)
            theirs = metric(np.where(swap, first.predicted, second.predicted), first.gold)
        except Undefined:
            ours, theirs = np.inf, 0.0
        differences[k] = abs(ours - theirs)
    # The observed order is one of the possible ones: without it, p could be 0, which is never true.
    return float((1 + np.sum(differences >= observed * (1 - 1e-12))) / (1 + len(differences)))


def _permutation_test(
    samples: tuple[Floats, ...], statistic: Any, rng: Generator, permutations: int
) -> float:
    from scipy.stats import permutation_test

    if len(samples[0]) < 2:
        return 1.0
    found = permutation_test(
        samples, statistic, permutation_type="samples", vectorized=True, n_resamples=permutations,
        batch=max(1, _BATCH // len(samples[0])), axis=-1, rng=rng,
    )  # fmt: skip
    return min(1.0, float(found.pvalue))


def _standardise(values: Floats) -> Floats:
    return np.asarray((values - values.mean()) / values.std(), np.float64)
