import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.kernels import ranking
from lexiscope.kernels.ranking import Habits
from lexiscope.kernels.walking import Piece
from tests.kernels.ranked import (
    loss,
    padded,
    random_network,
    replaced,
    score,
    slopes,
    slowly,
    unpadded,
    windows,
)
from tests.kernels.slopes import differences
from tests.kernels.walked import random_text, text_of

WORDS = 30


@pytest.mark.parametrize("batch", [1, 5, 48])
@pytest.mark.parametrize(
    ("dimension", "window", "negatives", "hidden"),
    [(13, 1, 1, 5), (8, 3, 2, 20), (3, 2, 7, 33), (1, 4, 1, 16)],
)
def test_a_walk_is_that_of_the_slow_twin(dimension, window, negatives, hidden, batch):
    text, piece = random_text(WORDS, 20), Piece(1, 20, 0.05, 0.0002, 5)
    habits = Habits(dimension, window, negatives, 1.0, 0.2, 0.3, batch)
    slow = random_network(WORDS, dimension, window, hidden)
    before, fast = [table.copy() for table in slow], padded(slow)

    ranking.walk(text, piece, habits, fast)

    slowly(text, piece, habits, slow)
    found, rest_is_zero = unpadded(fast, slow)
    for table, twin, begun in zip(found, slow, before, strict=True):
        assert np.abs(twin - begun).max() > 0.003
        assert_allclose(table, twin, atol=1e-5)
    assert rest_is_zero


def test_the_twins_slopes_are_those_of_the_loss():
    network = random_network(6, 4, 2, 10)
    words, drawn = [None, 3, 1, 1, 0], [5, 2, 0]  # two words stand twice, one is also drawn
    assert loss(network, words, drawn) > 0

    found = slopes(network, words, drawn)

    for name, table in network._asdict().items():
        slope = differences(
            lambda moved, name=name: loss(network._replace(**{name: moved}), words, drawn),
            table.copy(),
        )
        assert np.abs(slope).max() > 0.01
        assert_allclose(getattr(found, name), -slope, atol=1e-5)


def test_one_step_goes_down_the_slope_of_the_loss():
    text, piece = text_of([[0, 1, 2, 1]], 12), Piece(0, 1, 1.0, 0.0, 3)
    network = random_network(12, 5, 2, 10)
    met = [(words, drawn) for _, words, drawn in windows(text, piece, 2, 1)]
    fast = padded(network)

    ranking.walk(text, piece, Habits(5, 2, 1, 1.0, 1.0, 1.0, 48), fast)

    found, _ = unpadded(fast, network)
    for name, table in network._asdict().items():
        slope = differences(
            lambda moved, name=name: sum(
                loss(network._replace(**{name: moved}), *each) for each in met
            ),
            table.copy(),
        )
        assert_allclose(getattr(found, name) - table, -slope, atol=1e-5)


def test_where_the_margin_holds_nothing_moves():
    text, piece = text_of([[0, 1, 2, 1]], 12), Piece(0, 1, 1.0, 0.0, 3)
    network = random_network(12, 5, 2, 10)
    gaps = [
        score(network, words) - score(network, replaced(words, drawn[0]))
        for _, words, drawn in windows(text, piece, 2, 1)
    ]
    below, above = padded(network), padded(network)

    ranking.walk(text, piece, Habits(5, 2, 1, min(gaps) - 1e-3, 1.0, 1.0, 48), below)
    ranking.walk(text, piece, Habits(5, 2, 1, min(gaps) + 1e-3, 1.0, 1.0, 48), above)

    begun = padded(network)
    assert all((a == b).all() for a, b in zip(below, begun, strict=True))
    assert all((a != b).any() for a, b in zip(above, begun, strict=True) if a.shape[0] > 1)


def test_a_word_drawn_for_itself_moves_nothing():
    text = text_of([[0, 0, 0]], 2, noise=[1, 0])
    network = random_network(2, 5, 1, 10)
    fast = padded(network)

    ranking.walk(text, Piece(0, 1, 1.0, 0.0, 3), Habits(5, 1, 1, 1.0, 1.0, 1.0, 48), fast)

    for table, begun in zip(fast, padded(network), strict=True):
        assert_allclose(table, begun, atol=1e-6)


def test_the_border_is_learned_and_sentences_of_one_word_are_skipped():
    network = random_network(12, 5, 2, 10)
    habits = Habits(5, 2, 1, 1.0, 1.0, 1.0, 48)
    alone, together = padded(network), padded(network)

    ranking.walk(text_of([[0], [], [1]], 12), Piece(0, 3, 1.0, 0.0, 3), habits, alone)
    ranking.walk(text_of([[0, 1]], 12), Piece(0, 1, 1.0, 0.0, 3), habits, together)

    assert all((a == b).all() for a, b in zip(alone, padded(network), strict=True))
    assert (together.border != padded(network).border).any()
