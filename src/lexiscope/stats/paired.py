"""Paired significance tests: the difference between two embeddings on the same items."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.metric import Floats, Metric, UnitInfluence
from lexiscope.core.contracts.task import Predictions
from lexiscope.core.errors import Undefined
from lexiscope.stats.equivalence import Discordant
from lexiscope.stats.intervals import (
    FEW_ITEMS,
    NORMAL_QUANTILE,
    Interval,
    bootstrap_interval,
    clip,
    is_binary,
    t_interval,
    widen,
)
from lexiscope.stats.measured import measured
from lexiscope.stats.randomization import (
    MAX_SIGN_FLIP_ITEMS,
    PERMUTATIONS,
    PERMUTATIONS_OF_ANY_METRIC,
    permutation_test_of_any_metric,
    permutation_test_of_correlations,
    permutation_test_of_totals,
    sign_flip_test,
)
from lexiscope.stats.resampling import resampled_metric
from lexiscope.stats.standard_error import (
    StandardError,
    group_sums,
    influence,
    jackknife_error,
    standard_error,
    standard_error_of_units,
)

ALPHA = 0.05
MIN_ITEMS = 6  # fewer independent items or units cannot give a p-value below 5 %
MIN_FREEDOM_CROSSED = 8  # of a t test over crossed units; with less, it rejects too often


class Difference(NamedTuple):
    """The difference first minus second, its 95 % confidence interval and its p-value.

    `p` is None if there are too few items for a test, and `low` and `high` if there is no
    interval; `state` says why. `min_p` is the smallest p-value that the test can give on these
    items. `error` is the standard error of the difference. `discordant` are the numbers of
    independent items that are correct for one embedding only, if items are correct or wrong.
    """

    value: float
    low: float | None
    high: float | None
    p: float | None
    test: str
    min_p: float = 0.0
    error: float | None = None
    degrees_of_freedom: float | None = None
    state: str = ""
    discordant: Discordant | None = None


class Test(NamedTuple):
    """A two-sided p-value, the name of the test, and the smallest p-value that it can give."""

    p: float | None
    name: str
    min_p: float = 0.0
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
    ('mid-p McNemar', 0.83, 0.001)
    """
    if np.array_equal(first.predicted, second.predicted):
        metric(first.predicted, first.gold, first.units)  # raises Undefined if there is no score
        return Difference(0.0, 0.0, 0.0, 1.0, "identical predictions", 1.0, 0.0)
    pair = _pair(metric, first, second)
    seed = int(rng.integers(1 << 62))
    p, test, min_p, state = _test(pair, rng, permutations)
    error, freedom = (
        (None, None) if pair.error is None else (pair.error.error, pair.error.degrees_of_freedom)
    )
    low = high = None
    try:
        low, high = _interval(pair, np.random.default_rng(seed))
    except Undefined as reason:
        state = "; ".join(filter(None, (state, str(reason))))
    discordant = _discordant(pair)
    return Difference(pair.value, low, high, p, test, min_p, error, freedom, state, discordant)


def p_value(
    metric: Metric,
    first: Predictions,
    second: Predictions,
    rng: Generator,
    permutations: int = PERMUTATIONS,
) -> float:
    """Compute only the p-value of `difference`; raises `Undefined` if there is no test."""
    if np.array_equal(first.predicted, second.predicted):
        return 1.0
    found = _test(_pair(metric, first, second), rng, permutations)
    if found.p is None:
        raise Undefined(found.state)
    return found.p


def difference_of_models(
    metric: Metric,
    first: Sequence[Predictions],
    second: Sequence[Predictions],
) -> Difference:
    """Test the difference between two models, each given by the predictions of several runs.

    The variance of a model's mean score over runs is added to that of the items (a random effect
    of the run). The variance between runs of a model with a single run is taken from the other
    model. Student's t with Satterthwaite's degrees of freedom.
    """
    scores = [[metric(p.predicted, p.gold, p.units) for p in runs] for runs in (first, second)]
    value = float(np.mean(scores[0]) - np.mean(scores[1]))
    error = _error_of_means(metric, first, second).inflated(first[0].variance_inflation)
    items = error.error**2
    runs, run_freedom = _run_variance(*scores)
    variance = items + runs
    if not variance:
        raise Undefined("neither items nor runs have any variance")
    parts = items**2 / error.degrees_of_freedom + runs**2 / run_freedom
    freedom = variance**2 / parts
    error = StandardError(float(np.sqrt(variance)), float(np.sqrt(variance)), freedom)
    low, high = t_interval(value, error, _differences_of(metric))
    name = f"t, variance over items and {len(first)} + {len(second)} runs"
    return Difference(
        value, low, high, t_test(value, error), name, 0.0, error.error, error.degrees_of_freedom
    )


def _error_of_means(
    metric: Metric, first: Sequence[Predictions], second: Sequence[Predictions]
) -> StandardError:
    """The standard error of the difference of mean scores over runs, with respect to items."""
    if metric.jackknife or metric.per_unit is not None:
        errors = [
            _error(metric, one, other, _units_as_items(metric, one, other))
            for one in first
            for other in second
        ]
        return max(errors, key=lambda error: error.error)
    means = [np.mean([influence(metric, run) for run in runs], axis=0) for runs in (first, second)]
    return standard_error(means[0] - means[1], first[0].units, first[0].strata)


def _run_variance(first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    """The variance of the difference of means over runs, and its degrees of freedom."""
    several = [scores for scores in (first, second) if len(scores) > 1]
    if not several:
        raise Undefined("neither model has several runs")
    variances = [
        float(np.var(scores if len(scores) > 1 else several[0], ddof=1)) / len(scores)
        for scores in (first, second)
    ]
    total = sum(variances)
    if not total:
        return 0.0, 1.0
    parts = [
        variance**2 / (len(scores if len(scores) > 1 else several[0]) - 1)
        for variance, scores in zip(variances, (first, second), strict=True)
    ]
    return total, total**2 / sum(parts)


class _Items(NamedTuple):
    """A metric and the predictions of two embeddings; units are items if it is a mean of them."""

    metric: Metric
    first: Predictions
    second: Predictions


class _Pair(NamedTuple):
    """Two embeddings' predictions for the same items.

    `metric`, `first` and `second` are means over units as items where the metric is one; `kind`
    is the form of the given metric. `error` is None if it cannot be estimated, and `state` says
    why.
    """

    kind: str  # "items", "units" or "jackknife"
    metric: Metric
    first: Predictions
    second: Predictions
    value: float
    error: StandardError | None
    state: str


def _pair(metric: Metric, first: Predictions, second: Predictions) -> _Pair:
    kind = "items" if metric.per_unit is None else "units"
    kind = "jackknife" if metric.jackknife else kind
    items = _units_as_items(metric, first, second)
    if metric.scored_units is None:
        value = measured(metric, first).value - measured(metric, second).value
    else:  # only the units that both score
        mean, ours, theirs = items
        value = mean(ours.predicted, ours.gold) - mean(theirs.predicted, theirs.gold)
    try:
        error = _error(metric, first, second, items).inflated(first.variance_inflation)
    except Undefined as reason:
        return _Pair(kind, *items, value, None, str(reason))
    return _Pair(kind, *items, value, error, "")


def _error(metric: Metric, first: Predictions, second: Predictions, items: _Items) -> StandardError:
    """The standard error of the difference; `items` are those of `_units_as_items`."""
    both_measured = measured(metric, first), measured(metric, second)
    if metric.jackknife:
        return jackknife_error(*(each.without_units for each in both_measured))
    mean, ours, theirs = items
    if metric.unit_influence is not None and metric.scored_units is not None:
        both = np.intersect1d(both_measured[0].scored_units, both_measured[1].scored_units)
        one, other = (each.unit_influence(both) for each in both_measured)
        influences = UnitInfluence(
            one.own - other.own, one.partner - other.partner, one.items - other.items,
            one.partnerships,
        )  # fmt: skip
        return standard_error_of_units(influences, ours.predicted - theirs.predicted)
    if metric.scored_units is None:
        of_items = [each.influence for each in both_measured]
    else:
        of_items = [influence(mean, each) for each in (ours, theirs)]
    return standard_error(of_items[0] - of_items[1], ours.units, ours.strata)


def _units_as_items(metric: Metric, first: Predictions, second: Predictions) -> _Items:
    """`units_as_items` of both, for the units that have a number from both embeddings."""
    if metric.per_unit is None:
        return _Items(metric, first, second)
    both = measured(metric, first), measured(metric, second)
    (mean, ours), (_, theirs) = (each.as_items for each in both)
    if metric.scored_units is not None:
        here, there = (each.scored_units for each in both)
        ours, theirs = ours.take(np.isin(here, there)), theirs.take(np.isin(there, here))
    if not len(ours.predicted) or len(ours.predicted) != len(theirs.predicted):
        raise Undefined("no unit has a score from both embeddings")
    return _Items(mean, ours, theirs)


def _interval(pair: _Pair, rng: Generator) -> Interval:
    """The interval of the difference, within the possible differences of the metric."""
    return clip(_unclipped_interval(pair, rng), _differences_of(pair.metric))


def _differences_of(metric: Metric) -> Metric:
    """A metric whose bounds are those of the differences of this one."""
    if metric.bounds is None:
        return metric
    width = metric.bounds[1] - metric.bounds[0]
    return replace(metric, bounds=(-width, width))


def _unclipped_interval(pair: _Pair, rng: Generator) -> Interval:
    hits = _binary_hits(pair)
    if hits is not None:
        return _interval_of_proportions(*hits, pair.error)
    if pair.error is None:
        raise Undefined(pair.state)
    if not pair.error.error:
        raise Undefined("all items differ by the same amount, so there is no variance")
    items = len(pair.first.predicted)
    if pair.kind != "items" or items < FEW_ITEMS:
        return t_interval(pair.value, pair.error, _differences_of(pair.metric))
    ours, theirs = (resampled_metric(pair.metric, each) for each in (pair.first, pair.second))
    found = bootstrap_interval(lambda sample: ours(sample) - theirs(sample), items, rng)
    return widen(pair.value, found, pair.error.design_factor, correlation=False)


def _interval_of_proportions(
    first: Floats, second: Floats, error: StandardError | None
) -> Interval:
    """The adjusted Wald interval of paired proportions (Bonett and Price 2012).

    It has a width even if all differences have one sign. Shared units widen it.
    """
    items = len(first)
    up, down = ((np.sum(a > b) + 1) / (items + 2) for a, b in ((first, second), (second, first)))
    spread = np.sqrt((up + down - (up - down) ** 2) / (items + 2))
    factor = 1.0 if error is None else max(error.design_factor, 1e-9)
    half = NORMAL_QUANTILE * spread * factor
    return Interval(float(up - down - half), float(up - down + half))


def _binary_hits(pair: _Pair) -> tuple[Floats, Floats] | None:
    """Whether each item is right for both embeddings, if the metric counts right items."""
    if pair.kind != "items" or pair.metric.per_item is None:
        return None
    hits = [pair.metric.per_item(p.predicted, p.gold) for p in (pair.first, pair.second)]
    return (hits[0], hits[1]) if all(map(is_binary, hits)) else None


def _discordant(pair: _Pair) -> Discordant | None:
    """The numbers of discordant and of all items, divided by the design effect.

    Few discordant items give no estimate of it. Two more are assumed that have the largest
    possible one, as if all items of a unit were always correct for the same embeddings.
    """
    hits = _binary_hits(pair)
    if hits is None or pair.error is None:
        return None
    first, second = hits
    up, down, items = (int(np.sum(each)) for each in (first > second, second > first, first >= 0))
    effect = 1.0
    if pair.first.units is not None or pair.first.variance_inflation > 1:
        largest = items / independent_items(pair.first)
        number = up + down
        effect = (number * pair.error.design_factor**2 + 2 * largest) / (number + 2)
    effect = max(1.0, effect)
    return Discordant(up / effect, down / effect, items / effect)


def independent_items(predictions: Predictions) -> int:
    """Return the number of items, or of units if these are fewer.

    If the units of an item recur, it is the smallest number of distinct ones among them.
    """
    units = predictions.units
    columns = [] if units is None else [len(np.unique(column)) for column in units.T]
    return min([len(predictions.gold), *columns])


def _test(pair: _Pair, rng: Generator, permutations: int) -> Test:
    """The test that fits the metric and the dependence of the items.

    If items share units, they are not exchangeable one by one. Whole units are exchanged if every
    item has one; otherwise the difference is compared with its cluster-robust standard error.
    """
    if not pair.value and pair.error is not None and not pair.error.error:
        return Test(1.0, "no item differs", 1.0)
    if pair.kind != "items" or pair.first.variance_inflation > 1:
        return _t_test(pair)
    units = pair.first.units
    if units is None:
        return _test_of_independent_items(pair, rng, permutations)
    if pair.metric.per_item is not None and units.shape[1] == 1:
        sums = group_sums(units[:, 0], _differences(pair))
        return _sign_flips(sums, rng, permutations, f"sign flips of {len(sums):,} units")
    return _t_test(pair)


def _t_test(pair: _Pair) -> Test:
    if pair.error is None:
        return Test(None, "", 1.0, pair.state)
    error = pair.error
    needed = MIN_FREEDOM_CROSSED if error.crossed else MIN_ITEMS - 1
    if error.degrees_of_freedom < needed:
        return Test(None, "", 1.0, _too_few(error.degrees_of_freedom + 1, needed + 1))
    return Test(t_test(pair.value, error), _name_of_t_test(pair))


def _name_of_t_test(pair: _Pair) -> str:
    units = pair.first.units
    number = len(pair.first.predicted) if units is None else len(np.unique(units))
    if pair.kind == "jackknife":
        return f"t, jackknife over {number:,} units"
    if pair.kind == "units":
        return f"t over {number:,} units"
    if pair.first.variance_inflation > 1:
        return "t, variance corrected for cross-validation"
    return f"t, standard error over {number:,} sampling units"


def _too_few(found: float, needed: int) -> str:
    return f"too few independent units for a test: effectively {found:.3g}, {needed} are needed"


def _sign_flips(values: Floats, rng: Generator, permutations: int, name: str) -> Test:
    number = int(np.count_nonzero(values))
    if len(values) < MIN_ITEMS:
        return Test(None, "", 1.0, _too_few(len(values), MIN_ITEMS))
    few = len(values) <= MAX_SIGN_FLIP_ITEMS
    label = f"{name} ({permutations:,})" if few else "t of means"
    smallest = max(2.0 ** (1 - number), 1 / (permutations + 1)) if few else 0.0
    return Test(sign_flip_test(values, rng, permutations), label, smallest)


def _test_of_independent_items(pair: _Pair, rng: Generator, permutations: int) -> Test:
    metric, first, second = pair.metric, pair.first, pair.second
    items = len(first.predicted)
    if items < MIN_ITEMS:
        return Test(None, "", 1.0, _too_few(items, MIN_ITEMS))
    hits = _binary_hits(pair)
    if hits is not None:
        discordant = int(np.sum(hits[0] != hits[1]))
        return Test(mcnemar(*hits), "mid-p McNemar", 0.5**discordant)
    if metric.per_item is not None:
        return _sign_flips(_differences(pair), rng, permutations, "sign flips")
    permuted, smallest = f"paired permutations ({permutations:,})", 1 / (permutations + 1)
    if metric.transform is not None:
        ours, theirs, gold = map(metric.transform, (first.predicted, second.predicted, first.gold))
        p = permutation_test_of_correlations(ours, theirs, gold, rng, permutations)
        return Test(p, permuted, max(2.0 ** (1 - items), smallest))
    if metric.counts is not None and metric.of_totals is not None:
        ours, theirs = (metric.counts(each.predicted, each.gold) for each in (first, second))
        p = permutation_test_of_totals(ours, theirs, metric.of_totals, rng, permutations)
        return Test(p, permuted, smallest)
    p = permutation_test_of_any_metric(metric, first, second, abs(pair.value), rng)
    return Test(
        p, f"paired permutations ({PERMUTATIONS_OF_ANY_METRIC:,})",
        1 / (PERMUTATIONS_OF_ANY_METRIC + 1),
    )  # fmt: skip


def _differences(pair: _Pair) -> Floats:
    assert pair.metric.per_item is not None
    ours, theirs = (
        pair.metric.per_item(each.predicted, each.gold) for each in (pair.first, pair.second)
    )
    return np.asarray(ours - theirs)


def t_test(value: float, error: StandardError) -> float:
    """Compute the two-sided p-value of a difference from its standard error."""
    from scipy.stats import t

    if not error.error:
        return 1.0 if not value else 0.0
    return float(2 * t.sf(abs(value) / error.error, error.degrees_of_freedom))


def mcnemar(first: Floats, second: Floats) -> float:
    """Compute the mid-p value of McNemar's test for two arrays of hits (0 or 1).

    The exact test is conservative; the mid-p value counts half of the observed outcome's
    probability (Fagerland, Lydersen and Laake 2013).

    >>> round(mcnemar(np.array([1, 1, 1, 1, 1, 0]), np.array([0, 0, 0, 0, 0, 0])), 5)
    0.03125
    """
    from scipy.stats import binom

    only_first = int(np.sum(first > second))
    only_second = int(np.sum(second > first))
    number, fewer = only_first + only_second, min(only_first, only_second)
    if number == 0:
        return 1.0
    p = 2 * binom.cdf(fewer, number, 0.5) - binom.pmf(fewer, number, 0.5)
    return min(1.0, float(p))
