"""Paired significance tests: the difference between two embeddings on the same items."""

from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.metric import Floats, Metric, UnitInfluence
from lexiscope.core.contracts.task import Predictions
from lexiscope.core.errors import Undefined
from lexiscope.stats.bootstrap import bootstrap_interval, is_binary, units_as_items, widen
from lexiscope.stats.randomization import permutation_test_of_totals
from lexiscope.stats.resampling import resampled_metric
from lexiscope.stats.standard_error import (
    StandardError,
    group_sums,
    influence,
    standard_error,
    standard_error_of_units,
)

PERMUTATIONS = 9999
POWER = 0.8
ALPHA = 0.05
_PERMUTATIONS_OF_ANY_METRIC = 999  # each costs two calls of the metric
_MAX_SIGN_FLIP_ITEMS = 1000
_BATCH = 1 << 22  # item indices in memory


class Difference(NamedTuple):
    """The difference first minus second, its 95 % confidence interval and its p-value.

    `detectable_difference` is the smallest true difference that these items detect with 80 %
    power, and `items_needed` the number of items that would detect the observed one. A p-value
    can exist without an interval; `state` then says why there is none.
    """

    value: float
    low: float | None
    high: float | None
    p: float
    test: str
    detectable_difference: float | None = None
    items_needed: int | None = None
    state: str = ""


def difference(
    metric: Metric,
    first: Predictions,
    second: Predictions,
    rng: Generator,
    permutations: int = PERMUTATIONS,
) -> Difference:
    """Test the difference between two embeddings on the same items.

    Parameters
    ----------
    metric
        The score to compare. Its form determines the test; `Difference.test` names it.
    first, second
        Predictions for the same items in the same order.
    rng
        The source of randomness of permutations and bootstrap.
    permutations
        The number of permutations, where all of them are too many.

    Examples
    --------
    >>> import numpy as np
    >>> from lexiscope import Predictions
    >>> from lexiscope.metrics.accuracy import accuracy
    >>> gold = np.array(["yes"] * 12)
    >>> first = Predictions(gold, gold)
    >>> second = Predictions(np.array(["yes"] * 2 + ["no"] * 10), gold)
    >>> found = difference(accuracy, first, second, np.random.default_rng(0))
    >>> found.test, round(found.value, 2), round(found.p, 4)
    ('exact McNemar', 0.83, 0.002)
    """
    if np.array_equal(first.predicted, second.predicted):
        metric(first.predicted, first.gold, first.units)  # raises Undefined if there is no score
        return Difference(0.0, 0.0, 0.0, 1.0, "identical predictions")
    pair = _pair(metric, first, second)
    seed = int(rng.integers(1 << 62))
    p, test = _test(pair, rng, permutations)
    if pair.error is None or not pair.error.error:
        state = pair.state or "all items differ by the same amount, so there is no variance"
        return Difference(pair.value, None, None, p, test, state=state)
    detectable = _detectable_difference(pair.error)
    needed = _items_needed(len(first.predicted), detectable, pair.value)
    try:
        low, high = _interval(pair, np.random.default_rng(seed))
    except Undefined as reason:
        return Difference(pair.value, None, None, p, test, detectable, needed, str(reason))
    return Difference(pair.value, low, high, p, test, detectable, needed)


def p_value(
    metric: Metric,
    first: Predictions,
    second: Predictions,
    rng: Generator,
    permutations: int = PERMUTATIONS,
) -> float:
    """Compute only the p-value of `difference`."""
    return _test(_pair(metric, first, second), rng, permutations)[0]


class _Pair(NamedTuple):
    """Two embeddings' predictions for the same items.

    `error` is None if it cannot be estimated, and `state` says why. `recurring` is the number of
    units that occur in several items, 0 for none.
    """

    metric: Metric
    first: Predictions
    second: Predictions
    value: float
    error: StandardError | None
    state: str
    recurring: int


def _pair(metric: Metric, first: Predictions, second: Predictions) -> _Pair:
    recurring = 0 if first.units is None else len(np.unique(first.units))
    mean, ours, theirs = _units_as_items(metric, first, second)
    value = mean(ours.predicted, ours.gold) - mean(theirs.predicted, theirs.gold)
    if metric.per_unit is not None and metric.unit_influence is None:
        recurring = 0  # independent units, such as repetitions
    try:
        error = _error(metric, first, second)
    except Undefined as reason:
        return _Pair(mean, ours, theirs, value, None, str(reason), recurring)
    return _Pair(mean, ours, theirs, value, error, "", recurring)


def _error(metric: Metric, first: Predictions, second: Predictions) -> StandardError:
    """The standard error of the difference."""
    if metric.unit_influence is not None and metric.scored_units is not None:
        both = np.intersect1d(*_scored_units(metric, first, second))
        ours, theirs = (
            metric.unit_influence(each.predicted, each.gold, each.units, both)
            for each in (first, second)
        )
        return standard_error_of_units(
            UnitInfluence(ours.units - theirs.units, ours.items - theirs.items)
        )
    mean, items = units_as_items(metric, first)
    others = units_as_items(metric, second)[1]
    return standard_error(influence(mean, items) - influence(mean, others), items.units)


def _scored_units(metric: Metric, first: Predictions, second: Predictions) -> list[Any]:
    assert metric.scored_units is not None
    return [metric.scored_units(a.predicted, a.gold, a.units) for a in (first, second)]


def _units_as_items(
    metric: Metric, first: Predictions, second: Predictions
) -> tuple[Metric, Predictions, Predictions]:
    """`units_as_items` of both, for the units that have a number from both embeddings."""
    if metric.per_unit is None:
        return metric, first, second
    mean, ours = units_as_items(metric, first)
    theirs = units_as_items(metric, second)[1]
    if metric.scored_units is not None:
        here, there = _scored_units(metric, first, second)
        ours, theirs = ours.take(np.isin(here, there)), theirs.take(np.isin(there, here))
    if not len(ours.predicted) or len(ours.predicted) != len(theirs.predicted):
        raise Undefined("no unit has a score from both embeddings")
    return mean, ours, theirs


def _interval(pair: _Pair, rng: Generator) -> tuple[float, float]:
    """A paired bootstrap: the same items are resampled for both embeddings."""
    assert pair.error is not None
    ours, theirs = (resampled_metric(pair.metric, each) for each in (pair.first, pair.second))
    items = len(pair.first.predicted)
    found = bootstrap_interval(lambda sample: ours(sample) - theirs(sample), items, rng)
    return widen(pair.value, found, _design_factor(pair), correlation=False)


def _design_factor(pair: _Pair) -> float:
    """The design factor; units that were resampled as items are compared as independent."""
    assert pair.error is not None
    if pair.first.units is not None or not pair.recurring:
        return pair.error.design_factor
    differences = pair.first.predicted - pair.second.predicted
    independent = standard_error(differences - differences.mean(), None)
    return max(1.0, pair.error.error / independent.error) if independent.error else 1.0


def _test(pair: _Pair, rng: Generator, permutations: int) -> tuple[float, str]:
    """The two-sided p-value, and the name of the test.

    If items share units, they are not exchangeable one by one, so the difference is compared with
    its cluster-robust standard error.
    """
    if not pair.value and pair.error is not None and not pair.error.error:
        return 1.0, "no item differs"
    units = pair.first.units
    if units is not None and pair.metric.per_item is not None and units.shape[1] == 1:
        sums = group_sums(units[:, 0], _differences(pair))
        p = sign_flip_test(sums, rng, permutations)
        return p, f"sign flips of {len(sums):,} units ({permutations:,})"
    if not pair.recurring or pair.error is None:
        return _test_of_independent_items(pair, rng, permutations)
    if not pair.error.error:
        # All items differ by the same amount, so there is no variance: a sign test of units.
        number = min(pair.recurring, len(pair.first.predicted))
        return min(1.0, 2.0 ** (1 - number)), f"sign test of {number:,} units"
    name = f"t, standard error over {pair.recurring:,} sampling units"
    return t_test(pair.value, pair.error), name


def _test_of_independent_items(pair: _Pair, rng: Generator, permutations: int) -> tuple[float, str]:
    metric, first, second = pair.metric, pair.first, pair.second
    permuted = f"paired permutations ({permutations:,})"
    if metric.per_item is not None:
        ours, theirs = (metric.per_item(each.predicted, each.gold) for each in (first, second))
        if is_binary(ours) and is_binary(theirs):
            return mcnemar(ours, theirs), "exact McNemar"
        few = len(ours) <= _MAX_SIGN_FLIP_ITEMS
        name = f"sign flips ({permutations:,})" if few else "t of means"
        return sign_flip_test(ours - theirs, rng, permutations), name
    if metric.transform is not None:
        ours, theirs, gold = map(metric.transform, (first.predicted, second.predicted, first.gold))
        return permutation_test_of_correlations(ours, theirs, gold, rng, permutations), permuted
    if metric.counts is not None and metric.of_totals is not None:
        ours, theirs = (metric.counts(each.predicted, each.gold) for each in (first, second))
        p = permutation_test_of_totals(ours, theirs, metric.of_totals, rng, permutations)
        return p, permuted
    p = _permutation_test_of_any_metric(metric, first, second, abs(pair.value), rng)
    return p, f"paired permutations ({_PERMUTATIONS_OF_ANY_METRIC:,})"


def _differences(pair: _Pair) -> Floats:
    assert pair.metric.per_item is not None
    ours, theirs = (
        pair.metric.per_item(each.predicted, each.gold) for each in (pair.first, pair.second)
    )
    return np.asarray(ours - theirs)


def enough_permutations(comparisons: int) -> int:
    """Return a number so large that the smallest p-value is below 5 % after Holm's correction.

    >>> enough_permutations(3), enough_permutations(1000)
    (9999, 40000)
    """
    return max(PERMUTATIONS, 40 * comparisons)


def t_test(value: float, error: StandardError) -> float:
    """Compute the two-sided p-value of a difference from its standard error."""
    from scipy.stats import t

    if not error.error:
        return 1.0 if not value else 0.0
    return float(2 * t.sf(abs(value) / error.error, error.degrees_of_freedom))


def mcnemar(first: Floats, second: Floats) -> float:
    """Compute the p-value of McNemar's exact test for two arrays of hits (0 or 1).

    >>> mcnemar(np.array([1, 1, 1, 1, 1, 0]), np.array([0, 0, 0, 0, 0, 0]))
    0.0625
    """
    from scipy.stats import binomtest

    only_first = int(np.sum(first > second))
    only_second = int(np.sum(second > first))
    if only_first + only_second == 0:
        return 1.0
    return float(binomtest(only_first, only_first + only_second).pvalue)


def sign_flip_test(differences: Floats, rng: Generator, permutations: int = PERMUTATIONS) -> float:
    """Compute the two-sided p-value of a mean difference by flipping the signs of differences.

    Exact for few items: all combinations of signs are enumerated. For very many items the means
    follow Student's t, which is used then.

    >>> sign_flip_test(np.array([0.3, 0.2, 0.4, 0.1]), np.random.default_rng(0))
    0.125
    """
    from scipy.stats import ttest_1samp

    if len(differences) > _MAX_SIGN_FLIP_ITEMS and np.ptp(differences) > 0:
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


def _permutation_test_of_any_metric(
    metric: Metric, first: Predictions, second: Predictions, observed: float, rng: Generator
) -> float:
    differences = np.empty(_PERMUTATIONS_OF_ANY_METRIC)
    for k in range(len(differences)):
        swap = rng.random(len(first.predicted)) < 0.5
        try:
            ours = metric(np.where(swap, second.predicted, first.predicted), first.gold)
            theirs = metric(np.where(swap, first.predicted, second.predicted), first.gold)
        except Undefined:
            ours, theirs = np.inf, 0.0  # counts against the difference
        differences[k] = abs(ours - theirs)
    # The observed order is one of the possible ones: without it, p could be 0, which is never true.
    return float((1 + np.sum(differences >= observed * (1 - 1e-12))) / (1 + len(differences)))


def _detectable_difference(error: StandardError) -> float:
    """The smallest true difference that a test at the 5 % level detects with 80 % power."""
    from scipy.stats import t

    freedom = error.degrees_of_freedom
    both = t.ppf(1 - ALPHA / 2, freedom) + t.ppf(POWER, freedom)
    return float(both * error.error)


def _items_needed(items: int, detectable: float, value: float) -> int | None:
    """The number of items of this kind that would detect the observed difference."""
    if not value or items * (detectable / value) ** 2 > 1e9:
        return None
    return int(np.ceil(items * (detectable / value) ** 2))


def _standardise(values: Floats) -> Floats:
    return np.asarray((values - values.mean()) / values.std(), np.float64)
