import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import softmax

from lexiscope.kernels import attention
from lexiscope.kernels.lanes import LANES, put, take
from lexiscope.kernels.negatives import TILE, answer, line_up, tiles_of
from lexiscope.kernels.walking import Piece
from tests.kernels.slopes import differences, tiles
from tests.kernels.walked import random_table, random_text, sigmoid, steps, text_of

WORDS, DIMENSION = 30, 13


def random_tables(window):
    """Inputs, outputs, keys of words by position, and keys of the positions."""
    vectors = (random_table(WORDS, DIMENSION, seed) for seed in (1, 2))
    keys = random_table(WORDS, 2 * window, 3, size=1.0)
    return *vectors, keys, random_table(1, 2 * window, 4, size=1.0)


def place_of(offset, window):
    return offset + window - (offset > 0)


def slowly(text, piece, window, dynamic, negatives, inputs, outputs, keys, positions):
    for step in steps(text, piece, window, dynamic, negatives):
        words = [word for _, word in step.around]
        places = [place_of(offset, window) for offset, _ in step.around]
        shares = softmax(keys[words, places] + positions[0, places])
        hidden = shares @ inputs[words]
        scores = sigmoid(outputs @ hidden)
        error = np.zeros_like(hidden)
        for group in tiles(step):
            slopes = np.zeros(len(outputs))
            for word, label in group:
                slopes[word] += step.rate * (label - scores[word])
            error += slopes @ outputs
            outputs += np.outer(slopes, hidden)
        # The slope of softmax: how much better a word does than all of them together.
        gains = shares * (inputs[words] @ error - hidden @ error)
        keys[words, places] += gains
        positions[0, places] += gains
        for word, share in zip(words, shares, strict=True):
            inputs[word] += share * error


@pytest.mark.parametrize(
    ("window", "dynamic", "negatives"), [(1, False, 5), (3, False, 13), (4, False, 5), (6, True, 5)]
)
def test_a_walk_is_that_of_the_slow_twin(window, dynamic, negatives):
    text, piece = random_text(WORDS, longest=15), Piece(1, 12, 0.3, 0.002, 5)
    tables, twin = random_tables(window), [t.astype(np.float64) for t in random_tables(window)]

    attention.walk(text, piece, window, dynamic, negatives, *tables)

    slowly(text, piece, window, dynamic, negatives, *twin)
    for fast, slow, before in zip(tables, twin, random_tables(window), strict=True):
        assert np.abs(slow - before).max() > 0.01
        assert_allclose(fast, slow, atol=1e-5)


def test_keys_of_positions_that_no_word_takes_stay_as_they_were():
    tables = random_tables(3)
    before = [table.copy() for table in tables]

    text, piece = text_of([[0, 1], [2, 3]], WORDS), Piece(0, 2, 0.2, 0.0, 5)
    attention.walk(text, piece, 3, False, 5, *tables)

    # One word alone has all attention, wherever it stands: there is nothing to learn.
    assert_array_equal(tables[2], before[2])
    assert_array_equal(tables[3], before[3])

    attention.walk(text_of([[0, 1, 2]], WORDS), Piece(0, 1, 0.2, 0.0, 5), 3, False, 5, *tables)

    places = np.flatnonzero((tables[3] != before[3])[0])
    assert_array_equal(places, [1, 2, 3, 4])
    moved = set(zip(*np.nonzero(tables[2] != before[2]), strict=True))
    assert moved == {(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (2, 4)}


@njit
def _exponential(values, powers):
    put(powers, 0, attention.exponential(take(values, 0)))


def test_powers_of_e():
    values = np.array([-80, -20.5, -1, -0.3, 0, 0.4, 1, 30], np.float32)
    powers = np.zeros(8, np.float32)

    _exponential(values, powers)

    assert_allclose(powers, np.exp(values.astype(np.float64)), rtol=4e-6)


@njit
def _attend(keys, places, positions, first, count, shares):
    attention.attend(keys, places, positions, first, count, shares)


@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 16])
@pytest.mark.parametrize("size", [0.1, 30.0, 3e4])
def test_shares_are_a_softmax_however_large_the_keys(count, size):
    rng = np.random.default_rng(count)
    keys, positions = (rng.normal(0, size, number).astype(np.float32) for number in (50, 20))
    places, shares = rng.permutation(50)[:count], np.zeros(16, np.float32)

    _attend(keys, places, positions, 3, count, shares)

    together = (keys[places] + positions[3 : 3 + count]).astype(np.float64)
    assert_allclose(shares[:count], softmax(together), atol=2e-6)


@njit
def _step(words, first, target, coming, rate, inputs, outputs, keys, positions):
    width, breadth, count = inputs.shape[1], keys.shape[1], words.shape[0]
    tiles = tiles_of(coming.shape[0])
    places, weights = np.zeros(tiles * TILE, np.int64), np.zeros(tiles * LANES, np.float32)
    slopes = np.zeros(tiles * LANES, np.float32)
    hidden, error = np.zeros(width, np.float32), np.zeros(width, np.float32)
    rows, held = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    shares, gains = np.zeros(LANES, np.float32), np.zeros(LANES, np.float32)
    own, common = keys.reshape(keys.size), positions.reshape(positions.size)
    line_up(target, coming, rate, places, weights)
    attention.seat(words, count, first, width, breadth, rows, held)
    attention.attend(own, held, common, first, count, shares)
    attention.gather(inputs, rows, shares, count, width, hidden)
    answer(hidden, 0, width, outputs, places, weights, slopes, error)
    attention.credit(inputs, rows, shares, count, width, error, gains)
    attention.scatter(inputs, rows, shares, count, width, error)
    attention.learn(own, held, common, first, count, gains)


def loss(inputs, outputs, keys, positions):
    """Words 4, 5 and 4 stand at places 1 to 3 around word 7; drawn are 8, 9, 8, 11 and 10."""
    words, places = [4, 5, 4], [1, 2, 3]
    hidden = softmax(keys[words, places] + positions[0, places]) @ inputs[words]
    scores = outputs @ hidden
    return np.logaddexp(0, -scores[7]) + np.logaddexp(0, scores[[8, 9, 8, 11, 10]]).sum()


def test_a_step_goes_down_the_slope_of_the_loss_for_every_number():
    tables = random_tables(2)
    before = [table.astype(np.float64) for table in tables]
    width = tables[0].shape[1]
    coming = np.array([8, 9, 8, 11, 10]) * width

    _step(np.array([4, 5, 4]), 1, 7 * width, coming, np.float32(1), *tables)

    for which, start in enumerate(before):
        parts = [part.copy() for part in before]

        def cost(part, which=which, parts=parts):
            return loss(*parts[:which], part, *parts[which + 1 :])

        expected = differences(cost, parts[which])
        assert np.abs(expected).max() > 0.01
        assert_allclose(tables[which] - start, -expected, atol=1e-5)
