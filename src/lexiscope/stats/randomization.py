"""Approximate randomization for functions of counts, such as F1 over a corpus (Yeh 2000).

F1 over a corpus is no mean over sentences. Whole sentences are swapped between the two systems,
and F1 is computed again after each permutation.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats

_PERMUTATIONS = 9999
_BATCH = 1 << 22  # item indices in memory


def permutation_test_of_totals(
    first: NDArray[Any],
    second: NDArray[Any],
    of_totals: Callable[[Floats], Floats],
    rng: Generator,
    permutations: int = _PERMUTATIONS,
) -> float:
    """Compute the two-sided p-value of the difference of a function of summed rows.

    Exact for so few rows that every permutation can be enumerated. Otherwise
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
