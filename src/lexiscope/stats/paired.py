"""Is the difference real? Tests for two embeddings that answered the same items."""

from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Floats, Measure, Moves
from lexiscope.core.task import Answers
from lexiscope.stats.bootstrap import bootstrapped, by_item, right_or_wrong, stretched
from lexiscope.stats.randomization import swapped_totals
from lexiscope.stats.resampling import of_samples
from lexiscope.stats.standard_error import (
    StandardError,
    influence,
    standard_error,
    standard_error_of_units,
    totals,
)

SWAPS = 9999
POWER = 0.8
CHANCE = 0.05
_SWAPS_OF_ANY_MEASURE = 999  # each costs two calls of the measure
_MANY = 1000
_AT_ONCE = 1 << 22


class Difference(NamedTuple):
    """First minus second, its interval, the chance of one as large if nothing differed.

    `detectable` is the smallest true difference that these items would have shown four times out
    of five, `needed` how many items would show the one seen. An interval may not exist where the
    p-value does; `state` says why.
    """

    value: float
    low: float | None
    high: float | None
    p: float
    test: str
    detectable: float | None = None
    needed: int | None = None
    state: str = ""


def difference(
    measure: Measure, first: Answers, second: Answers, rng: Generator, swaps: int = SWAPS
) -> Difference:
    """Compare two embeddings on the same items; see `_chance` for which test is taken."""
    if np.array_equal(first.given, second.given):
        measure(first.given, first.gold, first.units)  # says so if there is no score at all
        return Difference(0.0, 0.0, 0.0, 1.0, "the answers are the same")
    pair = _pair(measure, first, second)
    seed = int(rng.integers(1 << 62))
    p, test = _chance(pair, rng, swaps)
    if pair.error is None or not pair.error.error:
        state = pair.state or "every item differs by the same, so nothing says how they vary"
        return Difference(pair.value, None, None, p, test, state=state)
    detectable = _detectable(pair.error)
    needed = _needed(len(first.given), detectable, pair.value)
    try:
        low, high = _interval(pair, np.random.default_rng(seed))
    except Undefined as reason:
        return Difference(pair.value, None, None, p, test, detectable, needed, str(reason))
    return Difference(pair.value, low, high, p, test, detectable, needed)


def chance(
    measure: Measure, first: Answers, second: Answers, rng: Generator, swaps: int = SWAPS
) -> float:
    """The p-value of `difference` alone."""
    return _chance(_pair(measure, first, second), rng, swaps)[0]


class _Pair(NamedTuple):
    """Two embeddings' answers, an item each; `error` is None where it cannot be known."""

    measure: Measure
    first: Answers
    second: Answers
    value: float
    error: StandardError | None
    state: str
    recurring: int  # units that stand in several items, 0: none


def _pair(measure: Measure, first: Answers, second: Answers) -> _Pair:
    recurring = 0 if first.units is None else len(np.unique(first.units))
    mean, ours, theirs = _by_item(measure, first, second)
    value = mean(ours.given, ours.gold) - mean(theirs.given, theirs.gold)
    if measure.per_unit is not None and measure.moves is None:
        recurring = 0  # units of their own, such as repeats
    try:
        error = _error(measure, first, second)
    except Undefined as reason:
        return _Pair(mean, ours, theirs, value, None, str(reason), recurring)
    return _Pair(mean, ours, theirs, value, error, "", recurring)


def _error(measure: Measure, first: Answers, second: Answers) -> StandardError:
    """The standard error of the difference."""
    if measure.moves is not None and measure.counted is not None:
        here, there = (measure.counted(a.given, a.gold, a.units) for a in (first, second))
        both = np.intersect1d(here, there)
        ours, theirs = (measure.moves(a.given, a.gold, a.units, both) for a in (first, second))
        return standard_error_of_units(Moves(ours.units - theirs.units, ours.items - theirs.items))
    mean, items = by_item(measure, first)
    others = by_item(measure, second)[1]
    return standard_error(influence(mean, items) - influence(mean, others), items.units)


def _by_item(measure: Measure, first: Answers, second: Answers) -> tuple[Measure, Answers, Answers]:
    """As `by_item` for both; only units that have a number from both embeddings count."""
    if measure.per_unit is None:
        return measure, first, second
    mean, ours = by_item(measure, first)
    theirs = by_item(measure, second)[1]
    if measure.counted is not None:
        here, there = (measure.counted(a.given, a.gold, a.units) for a in (first, second))
        ours, theirs = ours.take(np.isin(here, there)), theirs.take(np.isin(there, here))
    if not len(ours.given) or len(ours.given) != len(theirs.given):
        raise Undefined("no unit has a score from both embeddings")
    return mean, ours, theirs


def _interval(pair: _Pair, rng: Generator) -> tuple[float, float]:
    """A paired bootstrap: the same items are drawn for both embeddings."""
    assert pair.error is not None
    ours, theirs = (of_samples(pair.measure, answers) for answers in (pair.first, pair.second))
    found = bootstrapped(lambda items: ours(items) - theirs(items), len(pair.first.given), rng)
    return stretched(pair.value, found, _wider(pair), correlation=False)


def _wider(pair: _Pair) -> float:
    """How much wider than over single items; a mean over units was drawn by its units."""
    assert pair.error is not None
    if pair.first.units is not None or not pair.recurring:
        return pair.error.stretch
    gaps = pair.first.given - pair.second.given
    alone = standard_error(gaps - gaps.mean(), None)
    return max(1.0, pair.error.error / alone.error) if alone.error else 1.0


def _chance(pair: _Pair, rng: Generator, swaps: int) -> tuple[float, str]:
    """The two-sided p-value, and the name of the test.

    Where items share units, exchanging answers item by item would count a lucky word once for
    each of its items; the difference is then measured in standard errors that know of it.
    """
    if not pair.value and pair.error is not None and not pair.error.error:
        return 1.0, "no item makes a difference"
    units = pair.first.units
    if units is not None and pair.measure.per_item is not None and units.shape[1] == 1:
        sums = totals(units[:, 0], _gaps(pair))
        return flipped_means(sums, rng, swaps), f"sign flips of {len(sums):,} units ({swaps:,})"
    if not pair.recurring or pair.error is None:
        return _chance_of_items(pair, rng, swaps)
    if not pair.error.error:
        # Every item differs by the same, so nothing says how they vary: only units count.
        worth = min(pair.recurring, len(pair.first.given))
        return min(1.0, 2.0 ** (1 - worth)), f"signs of {worth:,} units"
    named = f"t, standard error over {pair.recurring:,} recurring units"
    return robust(pair.value, pair.error), named


def _chance_of_items(pair: _Pair, rng: Generator, swaps: int) -> tuple[float, str]:
    """The p-value and the test where every item stands for itself."""
    measure, first, second = pair.measure, pair.first, pair.second
    if measure.per_item is not None:
        ours, theirs = (measure.per_item(a.given, a.gold) for a in (first, second))
        if right_or_wrong(ours) and right_or_wrong(theirs):
            return mcnemar(ours, theirs), "exact McNemar"
        named = f"sign flips ({swaps:,})" if len(ours) <= _MANY else "t of means"
        return flipped_means(ours - theirs, rng, swaps), named
    if measure.scale is not None:
        ours, theirs, gold = map(measure.scale, (first.given, second.given, first.gold))
        return swapped_correlations(ours, theirs, gold, rng, swaps), f"swaps ({swaps:,})"
    if measure.counts is not None and measure.of_totals is not None:
        ours, theirs = (measure.counts(a.given, a.gold) for a in (first, second))
        p = swapped_totals(ours, theirs, measure.of_totals, rng, swaps)
        return p, f"swaps ({swaps:,})"
    p = _swapped(measure, first, second, abs(pair.value), rng)
    return p, f"swaps ({_SWAPS_OF_ANY_MEASURE:,})"


def _gaps(pair: _Pair) -> Floats:
    assert pair.measure.per_item is not None
    ours, theirs = (pair.measure.per_item(a.given, a.gold) for a in (pair.first, pair.second))
    return np.asarray(ours - theirs)


def enough_swaps(comparisons: int) -> int:
    """So many that the smallest possible p stays below 5 % after Holm's correction."""
    return max(SWAPS, 40 * comparisons)


def robust(value: float, error: StandardError) -> float:
    """The chance of a difference of so many standard errors."""
    from scipy.stats import t

    if not error.error:
        return 1.0 if not value else 0.0
    return float(2 * t.sf(abs(value) / error.error, error.freedom))


def mcnemar(first: Floats, second: Floats) -> float:
    """The exact two-sided chance of the split among items that only one got right."""
    from scipy.stats import binomtest

    only_first = int(np.sum(first > second))
    only_second = int(np.sum(second > first))
    if only_first + only_second == 0:
        return 1.0
    return float(binomtest(only_first, only_first + only_second).pvalue)


def flipped_means(differences: Floats, rng: Generator, swaps: int = SWAPS) -> float:
    """Two-sided p of a mean difference when the sign of each item's difference is arbitrary.

    Exact when there are few items: then all signs are gone through. Of very many items the flipped
    means follow Student's t, which is taken then.
    """
    from scipy.stats import ttest_1samp

    if len(differences) > _MANY and np.ptp(differences) > 0:
        return float(ttest_1samp(differences, 0.0).pvalue)
    return _permuted((differences,), lambda values, axis: np.mean(values, axis=axis), rng, swaps)


def swapped_correlations(
    first: Floats, second: Floats, gold: Floats, rng: Generator, swaps: int = SWAPS
) -> float:
    """Two-sided p of the difference of two correlations with the same gold column."""
    first, second = (_standard(values) for values in (first, second))
    centred = gold - gold.mean()

    def slope(values: Floats, axis: int) -> Floats:
        spread = np.maximum(values.std(axis=axis), np.finfo(np.float64).tiny)
        return np.asarray(values @ centred / spread)

    def gap(ours: Floats, theirs: Floats, axis: int) -> Floats:
        return slope(ours, axis) - slope(theirs, axis)

    return _permuted((first, second), gap, rng, swaps)


def _permuted(samples: tuple[Floats, ...], statistic: Any, rng: Generator, swaps: int) -> float:
    from scipy.stats import permutation_test

    if len(samples[0]) < 2:
        return 1.0
    found = permutation_test(
        samples, statistic, permutation_type="samples", vectorized=True, n_resamples=swaps,
        batch=max(1, _AT_ONCE // len(samples[0])), axis=-1, rng=rng,
    )  # fmt: skip
    return min(1.0, float(found.pvalue))


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
    # The order seen is one of the possible orders: without it p could be 0, which is never true.
    return float((1 + np.sum(gaps >= seen * (1 - 1e-12))) / (1 + len(gaps)))


def _detectable(error: StandardError) -> float:
    """The smallest true difference that a 5 % test would find with 80 % power."""
    from scipy.stats import t

    both = t.ppf(1 - CHANCE / 2, error.freedom) + t.ppf(POWER, error.freedom)
    return float(both * error.error)


def _needed(items: int, detectable: float, value: float) -> int | None:
    """How many items of this kind would show the difference seen, if it is the true one."""
    if not value or items * (detectable / value) ** 2 > 1e9:
        return None
    return int(np.ceil(items * (detectable / value) ** 2))


def _standard(values: Floats) -> Floats:
    return np.asarray((values - values.mean()) / values.std(), np.float64)
