"""Is the difference real? Tests for two embeddings that answered the same items."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Floats, Measure, Values
from lexiscope.core.task import Answers
from lexiscope.stats.bootstrap import middle, resampled, units

SWAPS = 9999
_SWAPS_OF_ANY_MEASURE = 999  # each costs a call of the measure
_AT_ONCE = 1 << 23


class Difference(NamedTuple):
    """First minus second, its interval, the chance of one as large if nothing differed.

    The interval may not exist where the p-value does; `state` says why.
    """

    value: float
    low: float | None
    high: float | None
    p: float
    test: str
    state: str = ""


def difference(
    measure: Measure, first: Answers, second: Answers, rng: Generator, swaps: int = SWAPS
) -> Difference:
    """Compare two embeddings on the same items.

    The interval is a paired bootstrap. The p-value comes from exchanging the two embeddings'
    answers item by item: exactly for right-or-wrong answers (McNemar), by seeded swaps otherwise.
    """
    value = measure(first.given, first.gold) - measure(second.given, second.gold)
    seed = int(rng.integers(1 << 62))
    p, test = _chance(measure, first, second, value, rng, swaps)
    # The same seed twice: both embeddings are asked the same resampled items.
    ours, theirs = (resampled(measure, a, np.random.default_rng(seed)) for a in (first, second))
    try:
        low, high = middle(ours - theirs)
    except Undefined as reason:
        return Difference(value, None, None, p, test, str(reason))
    return Difference(value, low, high, p, test)


def _chance(
    measure: Measure, first: Answers, second: Answers, value: float, rng: Generator, swaps: int
) -> tuple[float, str]:
    if measure.per_item is not None:
        ours, theirs = (measure.per_item(a.given, a.gold) for a in (first, second))
        if first.unit is not None:
            sums = np.asarray(np.bincount(units(first), ours - theirs), np.float64)
            return flipped_means(sums, rng, swaps), f"sign flips of {len(sums):,} units ({swaps:,})"
        if _right_or_wrong(ours) and _right_or_wrong(theirs):
            return mcnemar(ours, theirs), "exact McNemar"
        return flipped_means(ours - theirs, rng, swaps), f"sign flips ({swaps:,})"
    if measure.scale is not None:
        ours, theirs, gold = map(measure.scale, (first.given, second.given, first.gold))
        return swapped_correlations(ours, theirs, gold, rng, swaps), f"swaps ({swaps:,})"
    p = _swapped(measure, first, second, abs(value), rng)
    return p, f"swaps ({_SWAPS_OF_ANY_MEASURE:,})"


def enough_swaps(comparisons: int) -> int:
    """So many that the smallest possible p stays below 5 % after Holm's correction."""
    return max(SWAPS, 40 * comparisons)


def mcnemar(first: Floats, second: Floats) -> float:
    """The exact two-sided chance of the split among items that only one got right."""
    from scipy.stats import binomtest

    only_first = int(np.sum(first > second))
    only_second = int(np.sum(second > first))
    if only_first + only_second == 0:
        return 1.0
    return float(binomtest(only_first, only_first + only_second).pvalue)


def flipped_means(differences: Floats, rng: Generator, swaps: int = SWAPS) -> float:
    """Two-sided p of a mean difference when the sign of each item's difference is arbitrary."""
    seen = abs(differences.sum())
    sums = np.concatenate([signs @ differences for signs in _signs(len(differences), rng, swaps)])
    return _with_the_seen_one(np.abs(sums), seen)


def swapped_correlations(
    first: Floats, second: Floats, gold: Floats, rng: Generator, swaps: int = SWAPS
) -> float:
    """Two-sided p of the difference of two correlations with the same gold column.

    Exchanging the answers x and y of an item flips the sign s of d = (x - y) / 2 around their
    mean m. Sums of x' = m + s d and its square are linear in s, so one product serves all swaps.
    """
    first, second = (_standard(values) for values in (first, second))
    gold = gold - gold.mean()
    mean, half = (first + second) / 2, (first - second) / 2
    constant = np.array([mean @ gold, mean.sum(), mean @ mean + half @ half])
    linear = np.column_stack([half * gold, half, 2 * mean * half])
    norm = np.sqrt(gold @ gold)

    def gaps(moved: Floats) -> Floats:
        plus, minus = constant + moved, constant - moved
        return np.abs(_slope(plus, len(gold)) - _slope(minus, len(gold))) / norm

    seen = gaps(np.ones((1, len(gold))) @ linear)[0]
    swapped = np.concatenate([gaps(signs @ linear) for signs in _signs(len(gold), rng, swaps)])
    return _with_the_seen_one(swapped, seen)


def _slope(sums: Floats, items: int) -> Floats:
    spread = np.maximum(sums[:, 2] - sums[:, 1] ** 2 / items, np.finfo(np.float64).tiny)
    return np.asarray(sums[:, 0] / np.sqrt(spread))


def _swapped(
    measure: Measure, first: Answers, second: Answers, seen: float, rng: Generator
) -> float:
    gaps = np.empty(_SWAPS_OF_ANY_MEASURE)
    for k in range(len(gaps)):
        swap = rng.random(len(first.given)) < 0.5
        try:
            ours = measure(np.where(swap, second.given, first.given), first.gold)
            theirs = measure(np.where(swap, first.given, second.given), first.gold)
        except Undefined:
            ours, theirs = np.inf, 0.0  # counts against the difference
        gaps[k] = abs(ours - theirs)
    return _with_the_seen_one(gaps, seen)


def _signs(items: int, rng: Generator, swaps: int) -> Iterator[Floats]:
    rows = max(1, _AT_ONCE // max(items, 1))
    for start in range(0, swaps, rows):
        some = min(rows, swaps - start)
        bits = np.unpackbits(np.frombuffer(rng.bytes((some * items + 7) // 8), np.uint8))
        yield bits[: some * items].reshape(some, items).astype(np.float64) * 2 - 1


def _with_the_seen_one(gaps: Floats, seen: float) -> float:
    # The order seen is one of the possible orders: without it p could be 0, which is never true.
    return float((1 + np.sum(gaps >= seen * (1 - 1e-12))) / (1 + len(gaps)))


def _standard(values: Floats) -> Floats:
    return np.asarray((values - values.mean()) / values.std(), np.float64)


def _right_or_wrong(values: Values) -> bool:
    return bool(np.all((values == 0) | (values == 1)))
