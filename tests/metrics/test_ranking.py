import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import spearmanr

from lexiscope.core.contracts.task import Predictions
from lexiscope.core.errors import Undefined
from lexiscope.metrics.correlation import spearman
from lexiscope.metrics.ranking import MIN_PAIRS, spearman_by_query
from lexiscope.stats.paired import difference
from lexiscope.stats.standard_error import rank_influence, standard_error_of_units


def pairs_of_words(words, pairs, seed):
    rng = np.random.default_rng(seed)
    units = rng.integers(0, words, (pairs, 2))
    gold = np.round(rng.normal(size=pairs), 1)
    return gold + rng.normal(size=pairs), gold, units


def slow_influence(predicted, gold, units):
    """One word at a time, one pair at a time."""
    pairs = {word: np.flatnonzero((units == word).any(axis=1)) for word in np.unique(units)}
    pairs = {word: own for word, own in pairs.items() if len(own) >= MIN_PAIRS}
    scores = {word: spearman(predicted[own], gold[own]) for word, own in pairs.items()}
    mean = np.mean(list(scores.values()))
    of_words, of_pairs = np.zeros(units.max() + 1), np.zeros(len(predicted))
    for word, own in pairs.items():
        of_words[word] += scores[word] - mean
        for pair, value in zip(
            own, rank_influence(predicted[own], gold[own]) / len(own), strict=True
        ):
            left, right = units[pair]
            of_words[right if left == word else left] += value
            of_pairs[pair] += value
    return of_words / len(scores), of_pairs / len(scores)


@pytest.mark.parametrize("seed", [0, 1])
def test_the_vectorised_influence_is_that_of_a_loop(seed):
    columns = pairs_of_words(40, 250, seed)

    found = spearman_by_query.unit_influence(*columns, spearman_by_query.scored_units(*columns))

    words, pairs = slow_influence(*columns)
    assert_allclose(found.own + found.partner, words, atol=1e-12)
    assert_allclose(found.items, pairs, atol=1e-12)


def test_the_standard_error_over_words_is_that_of_many_samples():
    scores, errors = [], []
    for seed in range(150):
        columns = pairs_of_words(60, 400, seed)
        scores.append(spearman_by_query(*columns))
        found = spearman_by_query.unit_influence(*columns, spearman_by_query.scored_units(*columns))
        own = spearman_by_query.per_unit(*columns)
        errors.append(standard_error_of_units(found, own).error)

    # The standard deviation of 150 samples has a standard error of about 6 %.
    assert np.mean(errors) == pytest.approx(np.std(scores), rel=0.2)


def test_without_recurring_words_the_influence_is_zero():
    no_words = np.empty(0, int)

    assert spearman_by_query.scored_units(np.zeros(3), np.zeros(3), None).tolist() == []
    assert (
        spearman_by_query.unit_influence(np.zeros(3), np.zeros(3), None, no_words).items.tolist()
        == [0] * 3
    )


def test_embeddings_are_compared_on_the_queries_that_both_rank():
    rng = np.random.default_rng(0)
    units = np.array([[word, 10 + k] for word in range(4) for k in range(6)])
    gold = rng.permutation(24).astype(float)
    first, second = gold.copy(), gold.copy()
    first[units[:, 0] == 0] = 0.0  # a constant query, as for an unknown word
    second[units[:, 0] == 3] = 0.0
    first[units[:, 0] == 1] *= -1

    found = difference(
        spearman_by_query, Predictions(first, gold, units), Predictions(second, gold, units), rng
    )

    assert found.value == pytest.approx(-1)  # words 1 and 2: (-1 + 1) / 2 against (1 + 1) / 2


def by_word(predicted, gold, units):
    """Spearman's correlation within the pairs of each word, one word at a time."""
    found = []
    for word in np.unique(units):
        own = (units == word).any(axis=1)
        if own.sum() >= 5 and np.ptp(predicted[own]) > 0 and np.ptp(gold[own]) > 0:
            found.append(spearmanr(predicted[own], gold[own]).statistic)
    return found


@given(st.integers(0, 10_000), st.integers(2, 12), st.integers(1, 120))
def test_the_correlation_of_each_query_is_scipys(seed, words, pairs):
    rng = np.random.default_rng(seed)
    units = rng.integers(0, words, (pairs, 2))  # some words are paired with themselves
    predicted, gold = rng.integers(-4, 4, (2, pairs)) / 4

    found = spearman_by_query.per_unit(predicted, gold, units)

    assert found == pytest.approx(by_word(predicted, gold, units))
    if len(found):
        assert spearman_by_query(predicted, gold, units) == pytest.approx(found.mean())


def test_queries_have_equal_weight_whatever_their_number_of_pairs():
    # Word 0 agrees in 5 pairs, word 1 disagrees in 10.
    units = np.array([[0, 10 + k] for k in range(5)] + [[20 + k, 1] for k in range(10)])
    predicted = np.arange(15.0)
    gold = np.append(np.arange(5.0), -np.arange(10.0))

    assert spearman_by_query.per_unit(predicted, gold, units) == pytest.approx([1, -1])
    assert spearman_by_query(predicted, gold, units) == pytest.approx(0)


@pytest.mark.parametrize(
    ("gold", "units"),
    [
        ([1, 2, 3, 4], [[0, 1], [0, 2], [0, 3], [0, 4]]),  # only four pairs
        ([3, 3, 3, 3, 3], [[0, 1], [0, 2], [0, 3], [0, 4], [0, 5]]),
        ([1, 2, 3, 4, 5], None),
        ([], np.empty((0, 2), np.int64)),
    ],
)
def test_without_a_rankable_query_the_score_is_undefined(gold, units):
    gold = np.array(gold, np.float64)
    units = None if units is None else np.array(units)

    assert spearman_by_query.per_unit(np.arange(len(gold)), gold, units).tolist() == []
    with pytest.raises(Undefined, match="no word occurs in 5 or more pairs with different ratings"):
        spearman_by_query(np.arange(len(gold)), gold, units)


def test_predictions_that_differ_in_their_last_bits_only_are_ties():
    units = np.array([[0, k] for k in range(1, 6)])
    almost = 1 + np.array([0, 1, -1, 2, 0]) * 1e-16

    assert spearman_by_query.per_unit(almost, np.arange(5.0), units).tolist() == []
