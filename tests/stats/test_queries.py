import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.core.task import Answers
from lexiscope.stats.measures import spearman
from lexiscope.stats.paired import difference
from lexiscope.stats.queries import FEWEST_PAIRS, spearman_by_query
from lexiscope.stats.standard_error import of_ranks, standard_error_of_units


def pairs_of_words(words, pairs, seed):
    rng = np.random.default_rng(seed)
    units = rng.integers(0, words, (pairs, 2))
    gold = np.round(rng.normal(size=pairs), 1)
    return gold + rng.normal(size=pairs), gold, units


def slow_moves(given, gold, units):
    """One word after the other, one pair after the other."""
    pairs = {word: np.flatnonzero((units == word).any(axis=1)) for word in np.unique(units)}
    pairs = {word: own for word, own in pairs.items() if len(own) >= FEWEST_PAIRS}
    scores = {word: spearman(given[own], gold[own]) for word, own in pairs.items()}
    mean = np.mean(list(scores.values()))
    of_words, of_pairs = np.zeros(units.max() + 1), np.zeros(len(given))
    for word, own in pairs.items():
        of_words[word] += scores[word] - mean
        for pair, move in zip(own, of_ranks(given[own], gold[own]) / len(own), strict=True):
            left, right = units[pair]
            of_words[right if left == word else left] += move
            of_pairs[pair] += move
    return of_words / len(scores), of_pairs / len(scores)


@pytest.mark.parametrize("seed", [0, 1])
def test_moves_of_all_words_at_once_are_those_one_by_one(seed):
    columns = pairs_of_words(40, 250, seed)

    found = spearman_by_query.moves(*columns, spearman_by_query.counted(*columns))

    words, pairs = slow_moves(*columns)
    assert_allclose(found.units, words, atol=1e-12)
    assert_allclose(found.items, pairs, atol=1e-12)


def test_the_standard_error_over_words_is_that_of_many_studies():
    scores, errors = [], []
    for seed in range(150):
        columns = pairs_of_words(60, 400, seed)
        scores.append(spearman_by_query(*columns))
        moves = spearman_by_query.moves(*columns, spearman_by_query.counted(*columns))
        errors.append(standard_error_of_units(moves).error)

    # The standard deviation of 150 studies is itself known to about 6 %.
    assert np.mean(errors) == pytest.approx(np.std(scores), rel=0.2)


def test_words_that_stand_once_move_nothing():
    nobody = np.empty(0, int)

    assert spearman_by_query.counted(np.zeros(3), np.zeros(3), None).tolist() == []
    assert spearman_by_query.moves(np.zeros(3), np.zeros(3), None, nobody).items.tolist() == [0] * 3


def test_embeddings_are_compared_on_the_queries_that_both_can_rank():
    rng = np.random.default_rng(0)
    units = np.array([[word, 10 + k] for word in range(4) for k in range(6)])
    gold = rng.permutation(24).astype(float)
    first, second = gold.copy(), gold.copy()
    first[units[:, 0] == 0] = 0.0  # a query without an order, as for an unknown word
    second[units[:, 0] == 3] = 0.0
    first[units[:, 0] == 1] *= -1

    found = difference(
        spearman_by_query, Answers(first, gold, units), Answers(second, gold, units), rng
    )

    assert found.value == pytest.approx(-1)  # words 1 and 2: (-1 + 1) / 2 against (1 + 1) / 2
