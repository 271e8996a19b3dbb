import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.kernels import structured
from lexiscope.kernels.negatives import line_up
from lexiscope.kernels.structured import ahead, move, stretch, weigh
from lexiscope.kernels.walking import Piece
from tests.kernels.slopes import differences, loss, tiles
from tests.kernels.walked import random_table, random_text, sigmoid, steps, text_of

WORDS = 30


def place_of(offset, window):
    """Which of the places around an offset is, from the farthest before the middle on."""
    return window + offset - (offset > 0)


def slowly(text, piece, window, dynamic, negatives, inputs, outputs):
    """All slopes of a word first; then rows move, place by place."""
    by_place = outputs.reshape(len(outputs), 2 * window, -1)
    for step in steps(text, piece, window, dynamic, negatives):
        near = [(word, by_place[:, place_of(offset, window)]) for offset, word in step.around]
        slopes = [
            [
                [step.rate * (y - sigmoid(inputs[word] @ table[other])) for other, y in group]
                for group in tiles(step)
            ]
            for word, table in near
        ]
        for (word, table), of_word in zip(near, slopes, strict=True):
            for group, of_group in zip(tiles(step), of_word, strict=True):
                follow_slowly(group, of_group, word, inputs, table)


def follow_slowly(group, slopes, word, inputs, table):
    """Move an input row and the output rows of a group, all from where they were."""
    x, before = inputs[word].copy(), table.copy()
    for (other, _), slope in zip(group, slopes, strict=True):
        table[other] += slope * x
        inputs[word] += slope * before[other]


@pytest.mark.parametrize("negatives", [1, 3, 5, 6, 14])
@pytest.mark.parametrize(("window", "dynamic"), [(1, False), (3, False), (4, True)])
def test_a_walk_is_that_of_the_slow_twin(window, dynamic, negatives):
    text, piece = random_text(WORDS), Piece(1, 12, 0.3, 0.002, 5)
    tables = random_table(WORDS, 13, 1), random_table(WORDS, 13, 2, slots=2 * window)
    slow = [table.astype(np.float64) for table in tables]

    structured.walk(text, piece, window, dynamic, negatives, *tables)

    slowly(text, piece, window, dynamic, negatives, *slow)
    assert np.abs(slow[0] - random_table(WORDS, 13, 1)).max() > 0.01
    for fast, twin in zip(tables, slow, strict=True):
        assert_allclose(fast, twin, atol=1e-5)


@njit
def _step(rows, begin, target, coming, inputs, outputs):
    """A step at a rate of 1, with up to five negatives."""
    width = inputs.shape[1]
    places, weights = np.zeros(6, np.int64), np.zeros(8, np.float32)
    slopes = np.zeros(8 * len(rows), np.float32)
    line_up(target, coming, np.float32(1), places, weights)
    weigh(inputs, rows, len(rows), begin, outputs, places, width, weights, slopes)
    for c in range(len(rows)):
        move(inputs, rows[c], outputs, places, begin + c * width, width, slopes, 8 * c)


@pytest.mark.parametrize("negatives", [1, 5])
def test_a_step_goes_down_the_slope_of_the_loss(negatives):
    """The second, third and fourth of four places have the words 3, 4 and 5, and foretell 0."""
    near, wrong = np.arange(3, 6), np.arange(6, 6 + negatives)
    inputs, outputs = random_table(12, 13, 1), random_table(12, 13, 2, slots=4)
    x, o = inputs.astype(np.float64), outputs.astype(np.float64)

    _step(near * 16, 16, 0, wrong * 64, inputs, outputs)

    def whole(inputs, outputs):
        places = [outputs.reshape(12, 4, 16)[:, place] for place in (1, 2, 3)]
        return sum(loss(inputs[w], at[0], at[wrong]) for w, at in zip(near, places, strict=True))

    assert_allclose(inputs, x - differences(lambda table: whole(table, o), x.copy()), atol=1e-5)
    assert_allclose(outputs, o - differences(lambda table: whole(x, table), o.copy()), atol=1e-5)


@njit
def _stretch(i, reach, n, window, width):
    return stretch(i, reach, n, window, width)


@pytest.mark.parametrize(
    ("i", "reach", "expected"),
    [
        (0, 3, (3, 3)),
        (1, 3, (2, 4)),
        (4, 3, (0, 6)),
        (8, 3, (0, 4)),
        (9, 3, (0, 3)),
        (4, 1, (2, 2)),
    ],
)
def test_places_that_have_a_word_are_one_stretch(i, reach, expected):
    begin, count = _stretch(i, reach, 10, 3, 16)

    assert (begin / 16, count) == expected


@njit
def _ahead(i, n, window, dynamic, width, state):
    return ahead(i, n, window, dynamic, width, state)


def test_after_the_last_word_of_a_sentence_nothing_is_asked_for():
    state = np.uint64(1)

    assert _ahead(1, 3, 2, False, 8, state) == (0, 2)
    assert _ahead(2, 3, 2, False, 8, state) == (0, 0)


def test_only_the_vectors_of_places_that_have_a_word_move():
    tables = random_table(12, 8, 1), random_table(12, 8, 2, slots=6)
    before = tables[1].reshape(12, 6, 8).copy()

    structured.walk(text_of([[0, 1]], 12), Piece(0, 1, 0.3, 0.0, 3), 3, False, 5, *tables)

    moved = (tables[1].reshape(12, 6, 8) != before).any(axis=(0, 2))
    assert moved.tolist() == [False, False, True, True, False, False]


def test_zeros_that_fill_vectors_up_stay_zeros():
    tables = random_table(WORDS, 13, 1), random_table(WORDS, 13, 2, slots=4)

    structured.walk(random_text(WORDS), Piece(0, 12, 0.3, 0.0, 5), 2, True, 5, *tables)

    assert_array_equal(tables[0][:, 13:], 0)
    assert_array_equal(tables[1].reshape(WORDS, 4, 16)[:, :, 13:], 0)


def test_nothing_moves_where_no_word_has_another_beside_it():
    tables = random_table(4, 8, 1), random_table(4, 8, 2, slots=4)
    before = [table.copy() for table in tables]

    structured.walk(text_of([[0], [], [3]], 4), Piece(0, 3, 0.3, 0.0, 5), 2, True, 3, *tables)

    for table, old in zip(tables, before, strict=True):
        assert_array_equal(table, old)
