import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import kendalltau, pearsonr, rankdata, spearmanr

from lexiscope.core.dataset import word_array
from lexiscope.core.errors import Undefined
from lexiscope.stats.measures import (
    accuracy,
    accuracy_of_all,
    pearson,
    spearman,
)
from lexiscope.stats.queries import spearman_by_query

tied = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=30)


@given(tied)
def test_correlations_equal_scipys_with_ties(rows):
    given_, gold = np.array(rows, np.float64).T
    assume(np.ptp(given_) > 0 and np.ptp(gold) > 0)

    assert spearman(given_, gold) == pytest.approx(spearmanr(given_, gold).statistic)
    assert pearson(given_, gold) == pytest.approx(pearsonr(given_, gold).statistic)


@given(tied)
def test_spearman_is_pearson_of_the_scaled_columns(rows):
    given_, gold = np.array(rows, np.float64).T
    assume(np.ptp(given_) > 0 and np.ptp(gold) > 0)

    assert spearman(given_, gold) == pytest.approx(
        pearson(spearman.scale(given_), spearman.scale(gold))
    )


def test_ties_share_the_average_rank():
    # Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: 4.5 / sqrt(4.5 * 5).
    assert spearman(np.array([1, 5, 5, 9]), np.array([1, 2, 3, 4])) == pytest.approx(
        4.5 / 22.5**0.5
    )
    assert spearman.scale(np.array([1, 5, 5, 9])).tolist() == [1, 2.5, 2.5, 4]


def test_only_the_order_counts_for_spearman():
    gold = np.array([1.0, 2, 3, 10])

    assert spearman(np.exp(gold), gold) == pytest.approx(1)
    assert spearman(-gold, gold) == pytest.approx(-1)
    assert kendalltau(np.exp(gold), gold).statistic == pytest.approx(1)
    assert pearson(np.exp(gold), gold) < 1


@pytest.mark.parametrize("measure", [spearman, pearson], ids=lambda m: m.name)
@pytest.mark.parametrize(
    ("answers", "gold", "sentence"),
    [
        ([1, 2], [1, 2], "only 2 items could be asked, at least 3 are needed"),
        ([], [], "only 0 items could be asked"),
        ([1, 1, 1], [1, 2, 3], "the answers are all equal"),
        ([1, 2, 3], [4, 4, 4], "the gold ratings are all equal"),
        ([0, 0, 0], [1, 2, 3], "the answers are all equal"),
        ([1, 1 - 1e-16, 1 + 2e-16], [1, 2, 3], "the answers are all equal"),
    ],
)
def test_a_correlation_without_an_order_is_undefined(measure, answers, gold, sentence):
    with pytest.raises(Undefined, match=sentence):
        measure(np.array(answers, np.float64), np.array(gold, np.float64))


def test_small_differences_that_are_real_are_an_order():
    assert spearman(np.array([0.9999990, 0.9999991, 0.9999992]), np.arange(3)) == pytest.approx(1)


def test_accuracy_is_the_share_of_equal_answers():
    given_, gold = word_array(["a", "b", "", "d"]), word_array(["a", "x", "c", "d"])

    assert accuracy(given_, gold) == 0.5
    assert accuracy.per_item(given_, gold).tolist() == [1, 0, 0, 1]


def test_accuracy_of_nothing_is_undefined():
    with pytest.raises(Undefined, match="no item could be asked"):
        accuracy(word_array([]), word_array([]))


def test_the_measures_know_their_names():
    names = [measure.name for measure in (spearman, pearson, accuracy, accuracy_of_all)]

    assert names == ["spearman", "pearson", "accuracy", "accuracy_of_all"]
    assert accuracy_of_all.all_items
    assert rankdata([3, 1]).tolist() == spearman.scale(np.array([3, 1])).tolist()


def by_word(given_, gold, units):
    """Spearman's correlation of each word's pairs, one word after the other."""
    found = []
    for word in np.unique(units):
        own = (units == word).any(axis=1)
        if own.sum() >= 5 and np.ptp(given_[own]) > 0 and np.ptp(gold[own]) > 0:
            found.append(spearmanr(given_[own], gold[own]).statistic)
    return found


@given(st.integers(0, 10_000), st.integers(2, 12), st.integers(1, 120))
def test_each_query_has_scipys_correlation(seed, words, pairs):
    rng = np.random.default_rng(seed)
    units = rng.integers(0, words, (pairs, 2))  # some words are paired with themselves
    given_, gold = rng.integers(-4, 4, (2, pairs)) / 4

    found = spearman_by_query.per_unit(given_, gold, units)

    assert found == pytest.approx(by_word(given_, gold, units))
    if len(found):
        assert spearman_by_query(given_, gold, units) == pytest.approx(found.mean())


def test_queries_count_the_same_however_many_pairs_they_have():
    # Word 0 agrees in 5 pairs, word 1 disagrees in 10.
    units = np.array([[0, 10 + k] for k in range(5)] + [[20 + k, 1] for k in range(10)])
    given_ = np.arange(15.0)
    gold = np.append(np.arange(5.0), -np.arange(10.0))

    assert spearman_by_query.per_unit(given_, gold, units) == pytest.approx([1, -1])
    assert spearman_by_query(given_, gold, units) == pytest.approx(0)


@pytest.mark.parametrize(
    ("gold", "units"),
    [
        ([1, 2, 3, 4], [[0, 1], [0, 2], [0, 3], [0, 4]]),  # only four pairs
        ([3, 3, 3, 3, 3], [[0, 1], [0, 2], [0, 3], [0, 4], [0, 5]]),
        ([1, 2, 3, 4, 5], None),
        ([], np.empty((0, 2), np.int64)),
    ],
)
def test_without_a_query_that_has_an_order_there_is_no_score(gold, units):
    gold = np.array(gold, np.float64)
    units = None if units is None else np.array(units)

    assert spearman_by_query.per_unit(np.arange(len(gold)), gold, units).tolist() == []
    with pytest.raises(Undefined, match="no word stands in 5 or more pairs with different ratings"):
        spearman_by_query(np.arange(len(gold)), gold, units)


def test_answers_that_differ_in_their_last_bits_only_are_no_order():
    units = np.array([[0, k] for k in range(1, 6)])
    almost = 1 + np.array([0, 1, -1, 2, 0]) * 1e-16

    assert spearman_by_query.per_unit(almost, np.arange(5.0), units).tolist() == []
