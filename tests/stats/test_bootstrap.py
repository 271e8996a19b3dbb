import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import beta, binomtest, bootstrap, pearsonr, spearmanr

from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Measure
from lexiscope.core.task import Answers
from lexiscope.stats.bootstrap import interval, middle, stretched
from lexiscope.stats.measures import accuracy, pearson, spearman
from lexiscope.stats.queries import spearman_by_query
from lexiscope.stats.resampling import of_samples
from lexiscope.stats.standard_error import influence, standard_error


def correlated(items, seed, rho=0.6):
    rng = np.random.default_rng(seed)
    gold, noise = rng.normal(size=(2, items))
    return Answers(rho * gold + np.sqrt(1 - rho**2) * noise, np.round(gold, 1))


@pytest.mark.parametrize(
    ("measure", "scipys"), [(spearman, spearmanr), (pearson, pearsonr)], ids=["spearman", "pearson"]
)
def test_an_interval_of_a_correlation_agrees_with_scipys(measure, scipys):
    answers = correlated(80, 0)

    found = interval(measure, answers, np.random.default_rng(1))

    expected = bootstrap(
        (answers.given, answers.gold),
        lambda x, y: scipys(x, y).statistic,
        paired=True,
        vectorized=False,
        method="BCa",
        n_resamples=2000,
        rng=np.random.default_rng(1),
    ).confidence_interval
    # The same draws of the same generator; t with 79 degrees of freedom makes ours a little wider.
    assert_allclose(found, expected, atol=0.006)
    assert found.low < expected.low < expected.high < found.high


def test_an_interval_of_accuracy_agrees_with_scipys():
    hits = (np.random.default_rng(0).random(60) < 0.7).astype(np.float64)

    found = interval(accuracy, Answers(hits, np.ones(60)), np.random.default_rng(1))

    expected = bootstrap(
        (hits,), np.mean, method="percentile", n_resamples=2000, rng=np.random.default_rng(2)
    ).confidence_interval
    assert_allclose(found, expected, atol=0.02)
    assert_allclose(found, binomtest(int(hits.sum()), 60).proportion_ci(method="wilson"), atol=0.01)


def test_any_measure_is_resampled_by_calling_it():
    largest = Measure(lambda given, gold: float(np.median(given)), "median")
    answers = Answers(np.arange(25.0), np.zeros(25))

    low, high = interval(largest, answers, np.random.default_rng(0))

    assert 4 < low < 10
    assert 14 < high < 20


def test_fast_and_slow_ways_give_the_same_resamples():
    answers = correlated(30, 3)
    samples = np.random.default_rng(5).integers(0, 30, (50, 30))
    for measure in (spearman, pearson):
        fast = of_samples(measure, answers)(samples)

        slow = of_samples(Measure(measure.function, "slow"), answers)(samples)
        assert_allclose(fast, slow, atol=1e-12)


def test_many_items_have_a_percentile_interval_like_scipys():
    answers = correlated(1500, 4)

    found = interval(pearson, answers, np.random.default_rng(1))

    expected = bootstrap(
        (answers.given, answers.gold),
        lambda x, y: pearsonr(x, y).statistic,
        paired=True,
        vectorized=False,
        method="percentile",
        n_resamples=2000,
        rng=np.random.default_rng(1),
    ).confidence_interval
    assert_allclose(found, expected, atol=0.0005)


def test_the_interval_holds_the_truth_about_95_times_in_100():
    held = 0
    for seed in range(200):
        hits = (np.random.default_rng(seed).random(100) < 0.6).astype(np.float64)
        low, high = interval(accuracy, Answers(hits, np.ones(100)), np.random.default_rng(seed))
        held += low <= 0.6 <= high

    assert 180 <= held <= 198  # 190 expected, standard deviation 3


def test_the_interval_of_spearman_holds_the_truth_about_95_times_in_100():
    truth = 6 / np.pi * np.arcsin(0.5 / 2)  # Spearman's rho of a normal pair with r = 0.5
    held = 0
    for seed in range(150):
        low, high = interval(spearman, correlated(100, seed, 0.5), np.random.default_rng(seed))
        held += low <= truth <= high

    assert 130 <= held <= 149


def test_the_same_generator_gives_the_same_interval():
    answers = correlated(40, 1)

    first, second = (interval(spearman, answers, np.random.default_rng(9)) for _ in range(2))

    assert first == second


def test_a_perfect_score_on_few_items_is_not_certain():
    low, high = interval(accuracy, Answers(np.ones(5), np.ones(5)), np.random.default_rng(0))

    assert low == pytest.approx(beta.ppf(0.025, 5.5, 0.5))
    assert high == 1


def test_the_middle_leaves_the_outer_five_percent_out():
    low, high = middle(np.arange(1001.0))

    assert (low, high) == (pytest.approx(25), pytest.approx(975))


def test_a_few_resamples_without_a_score_are_passed_over_and_many_are_not():
    values = np.arange(100.0)
    values[:5] = np.nan
    assert middle(values).low > 5

    values[:6] = np.nan
    with pytest.raises(Undefined, match="too few resamples"):
        middle(values)


def test_three_items_are_too_few_for_the_interval_of_a_correlation():
    with pytest.raises(Undefined, match="too few resamples"):
        interval(
            pearson,
            Answers(np.array([0.1, 0.7, 1.3]), np.array([0.3, 1.1, 2.3])),
            np.random.default_rng(0),
        )


def test_three_hundred_copies_of_six_items_are_worth_six():
    hits = np.repeat([1.0, 1.0, 0.0, 1.0, 0.0, 0.0], 50)
    units = np.repeat(np.arange(6), 50)[:, None]

    narrow, wide = (
        interval(accuracy, Answers(hits, np.ones(300), u), np.random.default_rng(0))
        for u in (None, units)
    )

    six = interval(accuracy, Answers(hits[::50], np.ones(6)), np.random.default_rng(0))
    assert wide.high - wide.low > 5 * (narrow.high - narrow.low)
    assert wide.low < six.low  # five degrees of freedom say how little six items know of spread
    assert wide.high > six.high


def test_pairs_that_share_words_have_a_wider_interval_of_their_correlation():
    answers = correlated(200, 2)
    rng = np.random.default_rng(0)
    words = rng.integers(0, 20, (200, 2))
    lucky = rng.normal(size=20)
    given = answers.given + lucky[words].sum(axis=1)

    alone = interval(spearman, Answers(given, answers.gold), np.random.default_rng(1))
    shared = interval(spearman, Answers(given, answers.gold, words), np.random.default_rng(1))

    assert shared.low < alone.low
    assert shared.high > alone.high
    assert -1 < shared.low < shared.high < 1


def test_a_mean_over_words_is_resampled_over_words_and_wider_for_the_pairs_they_share():
    rng = np.random.default_rng(3)
    gold = rng.normal(size=400)
    given, units = gold + rng.normal(size=400), rng.integers(0, 40, (400, 2))
    values = spearman_by_query.per_unit(given, gold, units)

    found = interval(spearman_by_query, Answers(given, gold, units), np.random.default_rng(1))

    expected = bootstrap(
        (values,), np.mean, n_resamples=2000, method="BCa", rng=np.random.default_rng(1)
    ).confidence_interval
    assert found.low < expected.low < expected.high < found.high
    ends = np.subtract(found, values.mean()) / np.subtract(expected, values.mean())
    assert ends[0] == pytest.approx(ends[1], rel=0.05)


def test_clusterings_that_end_differently_widen_the_interval():
    rng = np.random.default_rng(0)
    steady = np.repeat(rng.random((60, 1)) < 0.6, 8, axis=1).astype(float)
    shifting = steady.copy()
    shifting[:, ::2] = rng.random((60, 4)) < 0.9

    def measure(table):
        return Measure(
            lambda given, gold: float(table.mean()),
            "share",
            per_item=lambda given, gold: table.mean(axis=1) * 0.999 + 0.0005,
            per_run=lambda given, gold: table,
        )

    answers = Answers(np.zeros(60), np.zeros(60))
    fixed = Measure(measure(shifting).function, "s", per_item=measure(shifting).per_item)
    without = interval(fixed, answers, np.random.default_rng(0))
    found = interval(measure(shifting), answers, np.random.default_rng(0))

    assert found.high - found.low > 1.1 * (without.high - without.low)


def test_a_correlation_is_stretched_on_fishers_scale():
    low, high = stretched(0.9, (0.8, 0.95), 2.0, correlation=True)

    assert np.arctanh(low) == pytest.approx(
        np.arctanh(0.9) - 2 * (np.arctanh(0.9) - np.arctanh(0.8))
    )
    assert high < 1
    assert stretched(0.5, (0.4, 0.7), 2.0, correlation=False) == pytest.approx((0.3, 0.9))


def test_the_influence_in_closed_form_is_that_of_leaving_items_out(monkeypatch):
    for items, measure in ((700, spearman), (700, pearson), (60, accuracy)):
        answers = correlated(items, 7)
        if measure is accuracy:
            answers = Answers((answers.given > 0).astype(float), np.ones(items))
        fast = influence(measure, answers)
        slow = influence(Measure(measure.function, "slow"), answers)

        assert np.corrcoef(fast, slow)[0, 1] > 0.9999
        assert fast.std() == pytest.approx(slow.std(), rel=0.02)


def slow_variance(moves, units):
    """Every two items with a unit in common, one by one."""
    return sum(
        moves[i] * moves[j]
        for i in range(len(moves))
        for j in range(len(moves))
        if set(units[i]) & set(units[j])
    )


@pytest.mark.parametrize("columns", [1, 2])
def test_the_standard_error_counts_every_two_items_with_a_unit_in_common(columns):
    rng = np.random.default_rng(columns)
    units = rng.integers(0, 12, (40, columns))
    units[3] = units[7]  # the same pair twice
    if columns == 2:
        units[5] = [4, 4]  # a word with itself
    moves = np.repeat(rng.normal(size=12), 4)[:40] + rng.normal(size=40) * 0.1
    moves -= moves.mean()
    moves[units.min(axis=1) < 4] += 3.0

    found = standard_error(moves, units)

    number = len(np.unique(units))
    expected = slow_variance(moves, units.tolist()) / 40**2 * number / (number - 1)
    assert found.error == pytest.approx(np.sqrt(max(expected, found.alone**2)))
    assert found.freedom == number - 1
    assert expected > found.alone**2


def test_items_of_one_unit_do_not_say_how_they_vary():
    with pytest.raises(Undefined, match="one unit"):
        standard_error(np.array([1.0, -1.0]), np.zeros((2, 1), int))


def test_intervals_stay_where_a_score_can_be():
    rng = np.random.default_rng(0)
    units = np.array([[word, 20 + k] for word in range(6) for k in range(6)])
    gold = rng.normal(size=36)
    by_query = interval(
        spearman_by_query, Answers(gold + 0.2 * rng.normal(size=36), gold, units), rng
    )
    table = (rng.random((12, 5)) < 0.95).astype(float)
    share = Measure(
        lambda given, gold: float(table.mean()), "share",
        per_item=lambda given, gold: table.mean(axis=1), per_run=lambda given, gold: table,
    )  # fmt: skip
    purity = interval(share, Answers(np.zeros(12), np.zeros(12)), rng)

    assert -1 <= by_query.low < by_query.high <= 1
    assert 0 <= purity.low < purity.high <= 1
