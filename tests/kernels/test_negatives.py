import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.kernels.negatives import answer, line_up, tiles_of
from tests.kernels.slopes import differences, loss
from tests.kernels.walked import random_table

TARGET, RATE = 40, np.float32(0.5)


@njit
def _line_up(target, coming, rate, places, weights):
    line_up(target, coming, rate, places, weights)


def lined(coming):
    tiles = tiles_of(len(coming))
    places, weights = np.full(tiles * 6, -1, np.int64), np.full(tiles * 8, -1, np.float32)
    _line_up(TARGET, np.array(coming, np.int64), RATE, places, weights)
    return places.reshape(tiles, 6).tolist(), weights.reshape(tiles, 8)[:, :6].tolist()


def test_the_right_word_comes_first_and_all_count_alike():
    places, weights = lined([8, 16, 24, 32, 48])

    assert places == [[40, 8, 16, 24, 32, 48]]
    assert weights == [[0.5] * 6]


def test_a_drawn_word_that_is_the_right_one_counts_nothing():
    _, weights = lined([8, 40, 24, 32, 48])

    assert weights == [[0.5, 0.5, 0.0, 0.5, 0.5, 0.5]]


def test_a_word_drawn_twice_counts_double_once():
    _, weights = lined([8, 16, 8, 32, 8])

    assert weights == [[0.5, 1.5, 0.5, 0.0, 0.5, 0.0]]


def test_what_fills_the_last_six_up_counts_nothing():
    places, weights = lined([8, 16, 24, 32, 48, 56, 8])

    assert places[1] == [56, 8, 40, 40, 40, 40]
    assert weights == [[0.5] * 6, [0.5, 0.5, 0.0, 0.0, 0.0, 0.0]]


@pytest.mark.parametrize(("negatives", "tiles"), [(1, 1), (5, 1), (6, 2), (11, 2), (12, 3)])
def test_words_go_in_groups_of_six(negatives, tiles):
    assert tiles_of(negatives) == tiles


@njit
def _answer(hidden, begin, end, outputs, places, weights, slopes, error):
    answer(hidden, begin, end, outputs, places, weights, slopes, error)


@pytest.mark.parametrize("negatives", [1, 5, 8])
def test_an_answer_goes_down_the_slope_of_the_loss(negatives):
    outputs = random_table(12, 13, seed=1)
    hidden = random_table(1, 13, seed=2)[0]
    width, words = outputs.shape[1], list(range(1, negatives + 1))
    places, weights = np.zeros(tiles_of(negatives) * 6, np.int64), np.zeros(16, np.float32)
    _line_up(0, np.array(words) * width, np.float32(1), places, weights)
    before, error = outputs.astype(np.float64), np.full(width, 9, np.float32)

    _answer(hidden, 0, width, outputs, places, weights, np.zeros(16, np.float32), error)

    def of_hidden(h):
        return loss(h, before[0], before[words])

    def of_outputs(table):
        return loss(hidden.astype(np.float64), table[0], table[words])

    assert_allclose(error, -differences(of_hidden, hidden.astype(np.float64)), atol=1e-5)
    assert_allclose(outputs, before - differences(of_outputs, before), atol=1e-5)


def test_only_the_numbers_asked_for_count_and_move():
    outputs = random_table(12, 24, seed=1)
    hidden, error = random_table(1, 24, seed=2)[0], np.full(24, 9, np.float32)
    places, weights = np.arange(6) * 24, np.ones(8, np.float32)
    before = outputs.copy()

    _answer(hidden, 8, 16, outputs, places, weights, np.zeros(8, np.float32), error)

    right, *wrong = before[:6, 8:16].astype(np.float64)
    slopes = differences(lambda h: loss(h, right, wrong), hidden[8:16].astype(np.float64))
    assert_allclose(error[8:16], -slopes, atol=1e-5)
    assert_array_equal(error[[0, 7, 16, 23]], 9)
    assert_array_equal(np.delete(outputs, np.s_[8:16], 1), np.delete(before, np.s_[8:16], 1))
