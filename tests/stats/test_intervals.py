import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import beta, binomtest, bootstrap, pearsonr, sem, spearmanr, t
from sklearn.metrics import adjusted_rand_score

from lexiscope.core.contracts.metric import Metric
from lexiscope.core.contracts.task import Predictions
from lexiscope.core.datasets.base import word_array
from lexiscope.core.errors import Undefined
from lexiscope.metrics.accuracy import accuracy
from lexiscope.metrics.correlation import pearson, spearman
from lexiscope.metrics.purity import adjusted_rand
from lexiscope.metrics.ranking import spearman_by_query
from lexiscope.stats.dependence import dependence
from lexiscope.stats.intervals import (
    confidence_interval,
    mean_metric,
    percentile_interval,
    widen,
)
from lexiscope.stats.resampling import Resamples, resampled_metric
from lexiscope.stats.standard_error import influence, standard_error


def correlated(items, seed, rho=0.6):
    rng = np.random.default_rng(seed)
    gold, noise = rng.normal(size=(2, items))
    return Predictions(rho * gold + np.sqrt(1 - rho**2) * noise, np.round(gold, 1))


@pytest.mark.parametrize(
    ("metric", "scipys"), [(spearman, spearmanr), (pearson, pearsonr)], ids=["spearman", "pearson"]
)
def test_the_interval_of_a_correlation_agrees_with_scipys(metric, scipys):
    predictions = correlated(80, 0)

    found = confidence_interval(metric, predictions, np.random.default_rng(1))

    expected = bootstrap(
        (predictions.predicted, predictions.gold),
        lambda x, y: scipys(x, y).statistic,
        paired=True,
        vectorized=False,
        method="BCa",
        n_resamples=2000,
        rng=np.random.default_rng(1),
    ).confidence_interval
    # The same resamples; t with 79 degrees of freedom makes ours a little wider.
    assert_allclose(found, expected, atol=0.006)
    assert found.low < expected.low < expected.high < found.high


def test_the_interval_of_accuracy_agrees_with_scipys():
    hits = (np.random.default_rng(0).random(60) < 0.7).astype(np.float64)

    found = confidence_interval(accuracy, Predictions(hits, np.ones(60)), np.random.default_rng(1))

    expected = bootstrap(
        (hits,), np.mean, method="percentile", n_resamples=2000, rng=np.random.default_rng(2)
    ).confidence_interval
    assert_allclose(found, expected, atol=0.02)
    assert_allclose(found, binomtest(int(hits.sum()), 60).proportion_ci(method="wilson"), atol=0.01)


def test_any_metric_is_resampled_by_calling_it():
    largest = Metric(lambda predicted, gold: float(np.median(predicted)), "median")
    predictions = Predictions(np.arange(25.0), np.zeros(25))

    low, high = confidence_interval(largest, predictions, np.random.default_rng(0))

    assert 4 < low < 10
    assert 14 < high < 20


def test_fast_and_slow_implementations_give_the_same_resamples():
    predictions = correlated(30, 3)
    samples = np.random.default_rng(5).integers(0, 30, (50, 30))
    for metric in (spearman, pearson):
        fast = resampled_metric(metric, predictions)(Resamples.of(samples))

        slow_metric = Metric(metric.function, "slow")
        slow = resampled_metric(slow_metric, predictions)(Resamples.of(samples))
        assert_allclose(fast, slow, atol=1e-12)


def test_many_items_have_a_percentile_interval_like_scipys():
    predictions = correlated(1500, 4)

    found = confidence_interval(pearson, predictions, np.random.default_rng(1))

    expected = bootstrap(
        (predictions.predicted, predictions.gold),
        lambda x, y: pearsonr(x, y).statistic,
        paired=True,
        vectorized=False,
        method="percentile",
        n_resamples=2000,
        rng=np.random.default_rng(1),
    ).confidence_interval
    assert_allclose(found, expected, atol=0.0005)


def test_the_interval_of_accuracy_covers_the_truth_about_95_times_in_100():
    covered = 0
    for seed in range(200):
        hits = (np.random.default_rng(seed).random(100) < 0.6).astype(np.float64)
        low, high = confidence_interval(
            accuracy, Predictions(hits, np.ones(100)), np.random.default_rng(seed)
        )
        covered += low <= 0.6 <= high

    assert 180 <= covered <= 198  # 190 expected, standard deviation 3


def test_the_interval_of_spearman_covers_the_truth_about_95_times_in_100():
    truth = 6 / np.pi * np.arcsin(0.5 / 2)  # Spearman's rho of a normal pair with r = 0.5
    covered = 0
    for seed in range(150):
        low, high = confidence_interval(
            spearman, correlated(100, seed, 0.5), np.random.default_rng(seed)
        )
        covered += low <= truth <= high

    assert 130 <= covered <= 149


def test_the_same_generator_gives_the_same_interval():
    predictions = correlated(40, 1)

    first, second = (
        confidence_interval(spearman, predictions, np.random.default_rng(9)) for _ in range(2)
    )

    assert first == second


def test_a_perfect_score_on_few_items_has_an_interval():
    low, high = confidence_interval(
        accuracy, Predictions(np.ones(5), np.ones(5)), np.random.default_rng(0)
    )

    assert low == pytest.approx(beta.ppf(0.025, 5.5, 0.5))
    assert high == 1


def test_the_percentile_interval_excludes_five_percent():
    low, high = percentile_interval(np.arange(1001.0))

    assert (low, high) == (pytest.approx(25), pytest.approx(975))


def test_a_few_resamples_without_a_score_are_ignored_but_not_many():
    values = np.arange(100.0)
    values[:5] = np.nan
    assert percentile_interval(values).low > 5

    values[:6] = np.nan
    with pytest.raises(Undefined, match="too few resamples"):
        percentile_interval(values)


def test_three_items_are_too_few_for_the_interval_of_a_correlation():
    with pytest.raises(Undefined, match="at least 4 are needed"):
        confidence_interval(
            pearson,
            Predictions(np.array([0.1, 0.7, 1.3]), np.array([0.3, 1.1, 2.3])),
            np.random.default_rng(0),
        )


def test_three_hundred_copies_of_six_items_have_an_effective_sample_size_of_six():
    hits = np.repeat([1.0, 1.0, 0.0, 1.0, 0.0, 0.0], 50)
    units = np.repeat(np.arange(6), 50)[:, None]

    narrow, wide = (
        confidence_interval(accuracy, Predictions(hits, np.ones(300), u), np.random.default_rng(0))
        for u in (None, units)
    )

    six = confidence_interval(
        accuracy, Predictions(hits[::50], np.ones(6)), np.random.default_rng(0)
    )
    assert wide.high - wide.low > 5 * (narrow.high - narrow.low)
    assert wide.low < six.low  # t with five degrees of freedom
    assert wide.high > six.high


def test_the_interval_of_a_correlation_is_wider_if_pairs_share_words():
    predictions = correlated(200, 2)
    rng = np.random.default_rng(0)
    words = rng.integers(0, 20, (200, 2))
    word_effects = rng.normal(size=20)
    predicted = predictions.predicted + word_effects[words].sum(axis=1)

    independent = confidence_interval(
        spearman, Predictions(predicted, predictions.gold), np.random.default_rng(1)
    )
    shared = confidence_interval(
        spearman, Predictions(predicted, predictions.gold, words), np.random.default_rng(1)
    )

    assert shared.low < independent.low
    assert shared.high > independent.high
    assert -1 < shared.low < shared.high < 1


def test_a_mean_over_words_has_a_t_interval_that_is_wider_if_they_share_pairs():
    rng = np.random.default_rng(3)
    gold = rng.normal(size=400)
    predicted, units = gold + rng.normal(size=400), rng.integers(0, 40, (400, 2))
    values = spearman_by_query.per_unit(predicted, gold, units)

    found = confidence_interval(
        spearman_by_query, Predictions(predicted, gold, units), np.random.default_rng(1)
    )

    mean = values.mean()
    half = t.ppf(0.975, len(values) - 1) * sem(values) / (1 - mean**2)
    expected = np.tanh(np.arctanh(mean) + np.array([-half, half]))
    assert found.low < expected[0] < expected[1] < found.high
    ends = np.arctanh(found) - np.arctanh(mean)
    assert ends[0] == pytest.approx(-ends[1])


@pytest.mark.parametrize("items", [4, 5, 8, 19])
def test_a_perfect_correlation_of_few_pairs_has_a_wide_interval(items):
    values = np.arange(float(items))

    for metric in (spearman, pearson):
        found = confidence_interval(metric, Predictions(values, values), np.random.default_rng(0))
        assert found.high == pytest.approx(1)
        assert found.low < 0.95


def test_the_interval_of_few_pairs_is_that_of_bonett_and_wright():
    predictions = correlated(10, 4)
    rho = spearmanr(predictions.predicted, predictions.gold).statistic

    found = confidence_interval(spearman, predictions, np.random.default_rng(0))

    half = 1.959964 * np.sqrt((1 + rho**2 / 2) / 7)
    assert found == pytest.approx(np.tanh(np.arctanh(rho) + np.array([-half, half])))


def test_equal_values_between_0_and_1_have_an_interval_with_a_width():
    credit = mean_metric("credit", (0.0, 1.0))

    low, high = confidence_interval(
        credit, Predictions(np.full(8, 0.75), np.zeros(8)), np.random.default_rng(0)
    )

    assert low < 0.75 < high
    with pytest.raises(Undefined, match="same value"):
        confidence_interval(
            mean_metric("any"), Predictions(np.full(8, 0.75), np.zeros(8)), np.random.default_rng(0)
        )


def test_a_jackknife_leaves_out_one_unit_at_a_time():
    gold = word_array("aabbbccddd")
    predicted = word_array(["0", "0", "1", "1", "0", "2", "2", "3", "3", "2"])
    units = np.unique(gold, return_inverse=True)[1][:, None]

    found = confidence_interval(
        adjusted_rand, Predictions(predicted, gold, units), np.random.default_rng(0)
    )

    without = [
        adjusted_rand_score(gold[gold != letter], predicted[gold != letter]) for letter in "abcd"
    ]
    value = adjusted_rand_score(gold, predicted)
    error = np.sqrt(3 / 4 * np.sum((without - np.mean(without)) ** 2))
    half = t.ppf(0.975, 3) * error / (1 - value**2)
    assert found == pytest.approx(np.tanh(np.arctanh(value) + np.array([-half, half])))


def test_cross_validation_widens_an_interval():
    hits = np.array([1.0] * 70 + [0.0] * 30)
    plain, inflated = (
        confidence_interval(
            accuracy, Predictions(hits, np.ones(100), variance_inflation=factor), None
        )
        for factor in (1.0, 2.0)
    )

    assert inflated == pytest.approx(beta.ppf([0.025, 0.975], 35.5, 15.5))
    assert plain == pytest.approx(beta.ppf([0.025, 0.975], 70.5, 30.5))


def test_a_correlation_is_widened_on_fishers_z_scale():
    low, high = widen(0.9, (0.8, 0.95), 2.0, correlation=True)

    assert np.arctanh(low) == pytest.approx(
        np.arctanh(0.9) - 2 * (np.arctanh(0.9) - np.arctanh(0.8))
    )
    assert high < 1
    assert widen(0.5, (0.4, 0.7), 2.0, correlation=False) == pytest.approx((0.3, 0.9))


def test_the_influence_in_closed_form_is_that_of_leave_one_out(monkeypatch):
    for items, metric in ((700, spearman), (700, pearson), (60, accuracy)):
        predictions = correlated(items, 7)
        if metric is accuracy:
            predictions = Predictions((predictions.predicted > 0).astype(float), np.ones(items))
        fast = influence(metric, predictions)
        slow = influence(Metric(metric.function, "slow"), predictions)

        assert np.corrcoef(fast, slow)[0, 1] > 0.9999
        assert fast.std() == pytest.approx(slow.std(), rel=0.02)


def slow_variance(values, units):
    """The sum over every two items with a common unit, in a loop."""
    return sum(
        values[i] * values[j]
        for i in range(len(values))
        for j in range(len(values))
        if set(units[i]) & set(units[j])
    )


@pytest.mark.parametrize("columns", [1, 2])
def test_the_standard_error_includes_every_two_items_with_a_common_unit(columns):
    rng = np.random.default_rng(columns)
    units = rng.integers(0, 12, (40, columns))
    units[3] = units[7]  # the same pair twice
    if columns == 2:
        units[5] = [4, 4]  # a word with itself
    values = np.repeat(rng.normal(size=12), 4)[:40] + rng.normal(size=40) * 0.1
    values -= values.mean()
    values[units.min(axis=1) < 4] += 3.0

    found = standard_error(values, units)

    known = dependence(units)
    expected = slow_variance(values - values.mean(), units.tolist()) / 40**2 * known.correction
    assert found.error == pytest.approx(np.sqrt(expected))
    assert found.degrees_of_freedom == known.degrees_of_freedom
    assert expected > found.independent**2


def test_items_of_one_unit_have_no_variance_estimate():
    with pytest.raises(Undefined, match="one unit"):
        standard_error(np.array([1.0, -1.0]), np.zeros((2, 1), int))


def test_intervals_stay_within_the_range_of_the_score():
    rng = np.random.default_rng(0)
    units = np.array([[word, 20 + k] for word in range(6) for k in range(6)])
    gold = rng.normal(size=36)
    by_query = confidence_interval(
        spearman_by_query, Predictions(gold + 0.2 * rng.normal(size=36), gold, units), rng
    )
    table = (rng.random((12, 5)) < 0.95).astype(float)
    proportion = Metric(
        lambda predicted, gold: float(table.mean()), "proportion",
        per_item=lambda predicted, gold: table.mean(axis=1),
        per_repeat=lambda predicted, gold: table,
    )  # fmt: skip
    purity = confidence_interval(proportion, Predictions(np.zeros(12), np.zeros(12)), rng)

    assert -1 <= by_query.low < by_query.high <= 1
    assert 0 <= purity.low < purity.high <= 1


def test_ties_of_resamples_do_not_depend_on_the_order_of_sums():
    """Sums of the same items in another order are ties, as SciPy's are of rounded means."""
    from scipy.stats import bootstrap

    from lexiscope.stats.intervals import bootstrap_interval

    for seed in range(4):
        values = np.random.default_rng(seed).choice([0, 1 / 3, 0.4, 0.5, 2 / 3, 0.8, 1], 40)

        def means(samples, values=values):
            sums = [np.einsum("bix,i->bx", c.astype(float), values) for c in samples.counts()]
            return np.concatenate([each.ravel() for each in sums])[: samples.number] / samples.size

        found = bootstrap_interval(means, 40, np.random.default_rng(7))
        expected = bootstrap(
            (np.arange(40),),
            lambda rows, axis, values=values: np.round(values[rows].mean(axis=axis), 12),
            n_resamples=2000,
            method="BCa",
            vectorized=True,
            rng=np.random.default_rng(7),
        ).confidence_interval
        assert found == pytest.approx((expected.low, expected.high), abs=1e-9)
