"""Approximate randomization for F1: whole sentences change sides (Yeh 2000).

F1 over a corpus is no mean over sentences, so it is computed anew after each exchange.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.errors import BadData, Undefined
from lexiscope.core.measure import Floats

Counts = NDArray[np.int64]

SWAPS = 9999
_AT_ONCE = 1 << 22


class F1Difference(NamedTuple):
    """F1 of both systems, and the chance of a gap as large if nothing differed."""

    first: float
    second: float
    p: float


def f1(counts: Counts) -> float:
    """F1 over all sentences (sentences, 3): right, wrongly found, missed."""
    return float(f1_of_totals(counts.sum(axis=0)))


def swapped_f1(first: Counts, second: Counts, rng: Generator, swaps: int = SWAPS) -> F1Difference:
    """Compare two systems on the same sentences, (sentences, 3) each.

    Exact when there are so few sentences that every exchange can be gone through. Otherwise
    p = (1 + as large) / (1 + drawn), never 0.
    """
    _must_share_gold(first, second)
    p = swapped_totals(first, second, f1_of_totals, rng, swaps)
    return F1Difference(f1(first), f1(second), p)


def swapped_totals(
    first: NDArray[Any],
    second: NDArray[Any],
    of_totals: Callable[[Floats], Floats],
    rng: Generator,
    swaps: int = SWAPS,
) -> float:
    """The chance of a gap as large between two systems, for any function of summed rows."""
    from scipy.stats import permutation_test

    sentences = np.arange(len(first))
    if len(sentences) < 2:  # exchanged or not, the gap is the same
        return 1.0
    gain = (second - first).astype(np.float64)

    def gap(ours: Counts, theirs: Counts, axis: int) -> Floats:
        moved = (ours >= len(sentences)).astype(np.float64) @ gain
        return np.abs(of_totals(first.sum(axis=0) + moved) - of_totals(second.sum(axis=0) - moved))

    found = permutation_test(
        (sentences, sentences + len(sentences)), gap, permutation_type="samples",
        alternative="greater", vectorized=True, n_resamples=swaps,
        batch=max(1, _AT_ONCE // len(sentences)), axis=-1, rng=rng,
    )  # fmt: skip
    return float(found.pvalue)


def f1_of_totals(totals: NDArray[Any]) -> Floats:
    """F1 of (..., 3): right, wrongly found, missed; NaN where nothing was found or missed."""
    right, wrong, missed = np.moveaxis(np.asarray(totals, np.float64), -1, 0)
    return shares(2 * right, 2 * right + wrong + missed)


def shares(part: Floats, whole: Floats) -> Floats:
    """Part by whole, NaN where there is no whole."""
    none = np.full(np.shape(whole), np.nan)
    return np.asarray(np.divide(part, whole, out=none, where=np.asarray(whole) > 0))


def _must_share_gold(first: Counts, second: Counts) -> None:
    if first.shape != second.shape:
        raise BadData(f"One system has {len(first)} sentences, the other {len(second)}.")
    ours, theirs = (counts[:, 0] + counts[:, 2] for counts in (first, second))
    if (ours != theirs).any():
        at = int(np.argmax(ours != theirs))
        raise BadData(
            f"Sentence {at + 1}: one system was scored against {ours[at]} parts, "
            f"the other against {theirs[at]}."
        )
    if not ours.sum():
        raise Undefined("there is nothing to find in these sentences")
