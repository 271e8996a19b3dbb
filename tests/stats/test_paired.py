import numpy as np
import pytest
from scipy.stats import binomtest, spearmanr

from lexiscope.core.contracts.metric import Metric
from lexiscope.core.contracts.task import Predictions
from lexiscope.core.datasets.base import word_array
from lexiscope.core.errors import Undefined
from lexiscope.metrics.accuracy import accuracy
from lexiscope.metrics.correlation import pearson, spearman
from lexiscope.metrics.ranking import spearman_by_query
from lexiscope.stats.paired import (
    difference,
    mcnemar,
    p_value,
)


def test_mcnemar_counts_the_items_that_only_one_got_right():
    first = np.array([1, 1, 1, 1, 1, 1, 0, 1, 0], np.float64)
    second = np.array([0, 0, 0, 0, 0, 0, 1, 1, 0], np.float64)

    # Six against one: 2 * (1 + 7) / 2**7, of which half of the observed outcome, 7 / 2**7.
    assert mcnemar(first, second) == pytest.approx(9 / 128)
    assert mcnemar(first, second) == pytest.approx(binomtest(6, 7).pvalue - 7 / 128)
    assert mcnemar(second, first) == pytest.approx(9 / 128)


def test_mcnemar_of_equal_hits_is_one():
    assert mcnemar(np.array([1.0, 0]), np.array([1.0, 0])) == 1


def test_mcnemar_is_never_zero():
    assert mcnemar(np.ones(200), np.zeros(200)) > 0


def test_identical_predictions_do_not_differ():
    predictions = Predictions(np.array([0.1, 0.5, 0.2, 0.9, 0.3]), np.arange(5.0))

    found = difference(spearman, predictions, predictions, np.random.default_rng(0))

    assert found.value == 0
    assert (found.low, found.high) == (0, 0)
    assert found.p == 1


def test_a_difference_is_first_minus_second_with_a_paired_interval():
    rng = np.random.default_rng(0)
    gold = rng.normal(size=100)
    first, second = gold + rng.normal(size=100) * 0.3, gold + rng.normal(size=100) * 3

    found = difference(spearman, Predictions(first, gold), Predictions(second, gold), rng)

    expected = spearmanr(first, gold).statistic - spearmanr(second, gold).statistic
    assert found.value == pytest.approx(expected)
    assert 0 < found.low < found.value < found.high
    assert found.p == pytest.approx(2e-4)
    assert found.test == "paired permutations (9,999)"


def test_paired_resampling_makes_the_interval_narrow():
    rng = np.random.default_rng(1)
    gold = rng.normal(size=80)
    first = gold + rng.normal(size=80)
    second = first + rng.normal(size=80) * 0.01  # almost the same predictions

    found = difference(pearson, Predictions(first, gold), Predictions(second, gold), rng)
    low, high = found.low, found.high

    assert high - low < 0.02


def test_binary_items_have_mcnemars_test():
    gold = word_array(["a"] * 8)
    first, second = word_array(["a"] * 7 + ["b"]), word_array(["b"] * 7 + ["a"])

    found = difference(
        accuracy, Predictions(first, gold), Predictions(second, gold), np.random.default_rng(0)
    )

    assert found.value == pytest.approx(6 / 8)
    assert found.p == pytest.approx((2 * (1 + 8) - 8) / 2**8)
    assert found.test == "mid-p McNemar"
    assert found.min_p == pytest.approx(1 / 2**8)


def test_partial_credit_is_tested_by_sign_flips():
    credit = Metric(
        lambda predicted, gold: float(predicted.mean()), "credit", per_item=lambda g, _: g
    )
    predictions = (
        Predictions(np.full(12, 0.75), np.zeros(12)),
        Predictions(np.full(12, 0.5), np.zeros(12)),
    )

    found = difference(credit, *predictions, np.random.default_rng(0))

    assert found.value == pytest.approx(0.25)
    assert found.p == pytest.approx(2 / 2**12, abs=0.001)
    assert found.test == "sign flips (9,999)"


def test_any_metric_is_tested_by_calling_it():
    median = Metric(lambda predicted, gold: float(np.median(predicted)), "median")
    rng = np.random.default_rng(0)
    predictions = (
        Predictions(rng.normal(2, 1, 30), np.zeros(30)),
        Predictions(rng.normal(0, 1, 30), np.zeros(30)),
    )

    found = difference(median, *predictions, rng)

    assert found.p == pytest.approx(1e-3)
    assert found.test == "paired permutations (999)"


def test_the_difference_of_a_constant_is_undefined():
    good, flat = (
        Predictions(np.arange(5.0), np.arange(5.0)),
        Predictions(np.ones(5), np.arange(5.0)),
    )

    with pytest.raises(Undefined, match="the predictions are all equal"):
        difference(spearman, good, flat, np.random.default_rng(0))


def test_units_are_swapped_as_a_whole():
    ours = np.repeat([1.0, 1.0, 1.0, 0.0, 0.0, 0.0], 25)
    theirs = np.zeros(150)
    units = np.repeat(np.arange(6), 25)[:, None]
    gold = np.ones(150)

    independent = difference(
        accuracy, Predictions(ours, gold), Predictions(theirs, gold), np.random.default_rng(0)
    )
    together = difference(
        accuracy,
        Predictions(ours, gold, units),
        Predictions(theirs, gold, units),
        np.random.default_rng(0),
    )

    # Three of three units on one side: 2 of the 8 combinations of signs are as extreme.
    assert independent.p < 1e-9
    assert together.p == pytest.approx(0.25)
    assert together.test.startswith("sign flips of 6 units")


def with_word_effects(seed, fraction, words=60, pairs=300):
    """Two equally good embeddings; a fraction of the variance of their errors belongs to words."""
    rng = np.random.default_rng(seed)
    units = rng.integers(0, words, (pairs, 2))
    gold = rng.normal(size=pairs)

    def predictions():
        effects = rng.normal(size=words)[units].sum(axis=1)
        error = np.sqrt(fraction / 2) * effects + np.sqrt(1 - fraction) * rng.normal(size=pairs)
        return gold + error

    return Predictions(predictions(), gold, units), Predictions(predictions(), gold, units)


def test_word_effects_do_not_make_a_difference_significant():
    samples = [with_word_effects(seed, 0.8) for seed in range(200)]

    robust = [p_value(pearson, *s, np.random.default_rng(0)) for s in samples]
    naive = [
        p_value(
            pearson, *(Predictions(a.predicted, a.gold) for a in s), np.random.default_rng(0), 199
        )
        for s in samples
    ]

    assert np.mean(np.array(robust) < 0.05) < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)
    assert np.mean(np.array(naive) < 0.05) > 0.13


def test_the_name_of_the_test_has_the_number_of_recurring_units():
    first, second = with_word_effects(0, 0.5)

    found = difference(spearman, first, second, np.random.default_rng(0))

    assert found.test == f"t, standard error over {len(np.unique(first.units))} sampling units"
    assert found.low < found.value < found.high


def test_means_over_words_are_compared_word_by_word():
    rng = np.random.default_rng(4)
    gold, units = rng.normal(size=300), rng.integers(0, 30, (300, 2))
    first = Predictions(gold + 0.3 * rng.normal(size=300), gold, units)
    second = Predictions(gold + 3 * rng.normal(size=300), gold, units)

    found = difference(spearman_by_query, first, second, np.random.default_rng(0))

    ours, theirs = (
        spearman_by_query.per_unit(a.predicted, a.gold, a.units) for a in (first, second)
    )
    assert found.value == pytest.approx((ours - theirs).mean())
    assert found.test == "t over 30 units"
    assert found.p < 0.001


def test_if_no_item_differs_the_p_value_is_one():
    units = np.array([[k, k + 1] for k in range(10)])
    gold = np.arange(10.0)
    predicted = np.random.default_rng(0).normal(size=10)

    ranks = difference(
        spearman, Predictions(predicted, gold, units), Predictions(predicted * 1.01, gold, units),
        np.random.default_rng(0),
    )  # fmt: skip
    wrong = difference(
        accuracy, Predictions(np.zeros(10), np.ones(10), units),
        Predictions(np.full(10, 2.0), np.ones(10), units), np.random.default_rng(0),
    )  # fmt: skip

    assert (ranks.value, ranks.p) == (0, 1)
    assert (wrong.value, wrong.p) == (0, 1)
