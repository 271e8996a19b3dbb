import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import bootstrap, pearsonr, spearmanr

from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Measure
from lexiscope.core.task import Answers
from lexiscope.stats import bootstrap as ours
from lexiscope.stats.bootstrap import interval, middle, resampled
from lexiscope.stats.measures import accuracy, pearson, spearman


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
        method="percentile",
        n_resamples=2000,
        rng=np.random.default_rng(2),
    ).confidence_interval
    # A quantile of 2000 draws with this spread moves by about 0.006.
    assert_allclose(found, expected, atol=0.03)


def test_an_interval_of_accuracy_agrees_with_scipys():
    hits = (np.random.default_rng(0).random(60) < 0.7).astype(np.float64)

    found = interval(accuracy, Answers(hits, np.ones(60)), np.random.default_rng(1))

    expected = bootstrap(
        (hits,), np.mean, method="percentile", n_resamples=2000, rng=np.random.default_rng(2)
    ).confidence_interval
    assert_allclose(found, expected, atol=0.02)


def test_any_measure_is_resampled_by_calling_it():
    largest = Measure(lambda given, gold: float(np.median(given)), "median")
    answers = Answers(np.arange(25.0), np.zeros(25))

    low, high = interval(largest, answers, np.random.default_rng(0))

    assert 4 < low < 10
    assert 14 < high < 20


def test_fast_and_slow_ways_give_the_same_resamples():
    answers = correlated(30, 3)
    for measure in (spearman, pearson):
        slow = Measure(measure.function, "slow")

        fast = resampled(measure, answers, np.random.default_rng(5))

        assert_allclose(fast, resampled(slow, answers, np.random.default_rng(5)), atol=1e-12)


def test_drawing_in_several_goes_changes_nothing(monkeypatch):
    answers = correlated(30, 3)
    at_once = resampled(spearman, answers, np.random.default_rng(5))
    monkeypatch.setattr(ours, "_AT_ONCE", 30 * 7)

    assert_allclose(resampled(spearman, answers, np.random.default_rng(5)), at_once)


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

    # Wilson's interval: 1 / (1 + z^2 / n) for n of n.
    assert low == pytest.approx(1 / (1 + 1.959964**2 / 5))
    assert high == pytest.approx(1)


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


def test_items_of_a_unit_are_drawn_together():
    hits = np.repeat([1.0, 1.0, 0.0, 1.0, 0.0, 0.0], 50)
    alone = Answers(hits, np.ones(300))
    together = Answers(hits, np.ones(300), np.repeat(np.arange(6), 50))

    narrow, wide = (interval(accuracy, a, np.random.default_rng(0)) for a in (alone, together))
    six = interval(accuracy, Answers(hits[::50], np.ones(6)), np.random.default_rng(0))

    assert wide == six
    assert wide.high - wide.low > 5 * (narrow.high - narrow.low)


def test_units_of_unequal_size_weigh_as_many_items_as_they_hold():
    unit = np.array([7, 7, 7, 3])
    values = resampled(
        accuracy, Answers(np.array([1, 1, 1, 0]), np.ones(4), unit), np.random.default_rng(0)
    )

    # Two units drawn twice: three hits of three, three of four, or none of one.
    assert set(np.round(values, 6)) == {0.0, 0.75, 1.0}


def test_any_measure_can_be_drawn_by_units():
    rng = np.random.default_rng(1)
    gold = rng.normal(size=40)
    given, unit = gold + rng.normal(size=40), np.arange(40) // 2

    low, high = interval(spearman, Answers(given, gold, unit), np.random.default_rng(0))

    assert low < spearman(given, gold) < high
