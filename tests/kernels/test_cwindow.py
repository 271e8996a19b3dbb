import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.kernels import cwindow
from lexiscope.kernels.cwindow import weigh
from lexiscope.kernels.negatives import line_up
from lexiscope.kernels.structured import move
from lexiscope.kernels.walking import Piece
from tests.kernels.slopes import differences, loss, tiles
from tests.kernels.test_structured import follow_slowly, place_of
from tests.kernels.walked import random_table, random_text, sigmoid, steps, text_of

WORDS = 30


def side_by_side(step, window, inputs):
    """The vectors around, each in its place; zeros where there is no word."""
    hidden = np.zeros((2 * window, inputs.shape[1]))
    for offset, word in step.around:
        hidden[place_of(offset, window)] = inputs[word]
    return hidden.ravel()


def slowly(text, piece, window, dynamic, negatives, inputs, outputs):
    """The slopes of a step by the whole side-by-side vector; then rows move, place by place."""
    by_place = outputs.reshape(len(outputs), 2 * window, -1)
    for step in steps(text, piece, window, dynamic, negatives):
        hidden = side_by_side(step, window, inputs)
        slopes = [
            [step.rate * (y - sigmoid(hidden @ outputs[other])) for other, y in group]
            for group in tiles(step)
        ]
        for offset, word in step.around:
            table = by_place[:, place_of(offset, window)]
            for group, of_group in zip(tiles(step), slopes, strict=True):
                follow_slowly(group, of_group, word, inputs, table)


@pytest.mark.parametrize("negatives", [1, 3, 5, 6, 14])
@pytest.mark.parametrize(("window", "dynamic"), [(1, False), (3, False), (4, True)])
def test_a_walk_is_that_of_the_slow_twin(window, dynamic, negatives):
    text, piece = random_text(WORDS), Piece(1, 12, 0.3, 0.002, 5)
    tables = random_table(WORDS, 13, 1), random_table(WORDS, 13, 2, slots=2 * window)
    slow = [table.astype(np.float64) for table in tables]

    cwindow.walk(text, piece, window, dynamic, negatives, *tables)

    slowly(text, piece, window, dynamic, negatives, *slow)
    assert np.abs(slow[0] - random_table(WORDS, 13, 1)).max() > 0.01
    for fast, twin in zip(tables, slow, strict=True):
        assert_allclose(fast, twin, atol=1e-5)


@njit
def _step(rows, begin, target, coming, inputs, outputs):
    """A step at a rate of 1, with up to five negatives."""
    width = inputs.shape[1]
    places, weights = np.zeros(6, np.int64), np.zeros(8, np.float32)
    slopes = np.zeros(8, np.float32)
    line_up(target, coming, np.float32(1), places, weights)
    weigh(inputs, rows, len(rows), begin, outputs, places, width, weights, slopes)
    for c in range(len(rows)):
        move(inputs, rows[c], outputs, places, begin + c * width, width, slopes, 0)


@pytest.mark.parametrize("negatives", [1, 5])
def test_a_step_goes_down_the_slope_of_the_loss(negatives):
    """The second, third and fourth of four places have the words 3, 4 and 5, and foretell 0."""
    near, wrong = np.arange(3, 6), np.arange(6, 6 + negatives)
    inputs, outputs = random_table(12, 13, 1), random_table(12, 13, 2, slots=4)
    x, o = inputs.astype(np.float64), outputs.astype(np.float64)

    _step(near * 16, 16, 0, wrong * 64, inputs, outputs)

    def whole(inputs, outputs):
        hidden = np.concatenate([np.zeros(16), *inputs[near]])
        return loss(hidden, outputs[0], outputs[wrong])

    assert_allclose(inputs, x - differences(lambda table: whole(table, o), x.copy()), atol=1e-5)
    assert_allclose(outputs, o - differences(lambda table: whole(x, table), o.copy()), atol=1e-5)


def test_only_the_vectors_of_places_that_have_a_word_move():
    tables = random_table(12, 8, 1), random_table(12, 8, 2, slots=6)
    before = tables[1].reshape(12, 6, 8).copy()

    cwindow.walk(text_of([[0, 1]], 12), Piece(0, 1, 0.3, 0.0, 3), 3, False, 5, *tables)

    moved = (tables[1].reshape(12, 6, 8) != before).any(axis=(0, 2))
    assert moved.tolist() == [False, False, True, True, False, False]


def test_zeros_that_fill_vectors_up_stay_zeros():
    tables = random_table(WORDS, 13, 1), random_table(WORDS, 13, 2, slots=4)

    cwindow.walk(random_text(WORDS), Piece(0, 12, 0.3, 0.0, 5), 2, True, 5, *tables)

    assert_array_equal(tables[0][:, 13:], 0)
    assert_array_equal(tables[1].reshape(WORDS, 4, 16)[:, :, 13:], 0)


def test_nothing_moves_where_no_word_has_another_beside_it():
    tables = random_table(4, 8, 1), random_table(4, 8, 2, slots=4)
    before = [table.copy() for table in tables]

    cwindow.walk(text_of([[0], [], [3]], 4), Piece(0, 3, 0.3, 0.0, 5), 2, True, 3, *tables)

    for table, old in zip(tables, before, strict=True):
        assert_array_equal(table, old)
