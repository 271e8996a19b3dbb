import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.kernels import skipgram
from lexiscope.kernels.walking import Piece
from tests.kernels.slopes import against, differences, loss, tiles
from tests.kernels.walked import random_table, random_text, sigmoid, steps, text_of

WORDS = 30


def slowly(text, piece, window, dynamic, negatives, inputs, outputs):
    """All slopes of a word first; then rows move, word by word."""
    for step in steps(text, piece, window, dynamic, negatives):
        errors = [
            [
                [step.rate * (y - sigmoid(inputs[word] @ outputs[other])) for other, y in group]
                for group in tiles(step)
            ]
            for _, word in step.around
        ]
        for number, group in enumerate(tiles(step)):
            before = {other: outputs[other].copy() for other, _ in group}
            for (_, word), of_word in zip(step.around, errors, strict=True):
                x = inputs[word].copy()
                for (other, _), slope in zip(group, of_word[number], strict=True):
                    outputs[other] += slope * x
                    inputs[word] += slope * before[other]


@pytest.mark.parametrize("negatives", [1, 3, 5, 6, 14])
@pytest.mark.parametrize(("window", "dynamic"), [(1, False), (3, False), (4, True)])
def test_a_walk_is_that_of_the_slow_twin(window, dynamic, negatives):
    text, piece = random_text(WORDS), Piece(1, 12, 0.3, 0.002, 5)
    tables = random_table(WORDS, 13, 1), random_table(WORDS, 13, 2)
    slow = [table.astype(np.float64) for table in tables]

    skipgram.walk(text, piece, window, dynamic, negatives, *tables)

    slowly(text, piece, window, dynamic, negatives, *slow)
    assert np.abs(slow[0] - random_table(WORDS, 13, 1)).max() > 0.01
    for fast, twin in zip(tables, slow, strict=True):
        assert_allclose(fast, twin, atol=1e-5)


def test_a_step_goes_down_the_slope_of_the_loss():
    text, piece = text_of([[0, 1]], 12), Piece(0, 1, 1e-3, 0.0, 3)
    first, second = steps(text, piece, 1, False, 5)
    tables = random_table(12, 13, 1), random_table(12, 13, 2)
    before = [table.astype(np.float64) for table in tables]

    skipgram.walk(text, piece, 1, False, 5, *tables)

    def whole(inputs, outputs):
        total = 0.0
        for step in (first, second):
            (right, _), *wrong = against(step)
            x = inputs[step.around[0][1]]
            total += loss(x, outputs[right], [outputs[word] for word, _ in wrong])
        return total

    of_inputs = differences(lambda table: whole(table, before[1]), before[0].copy())
    of_outputs = differences(lambda table: whole(before[0], table), before[1].copy())
    # The second step starts where the first one ended: equal but for the square of the rate.
    assert_allclose((tables[0] - before[0]) / 1e-3, -of_inputs, atol=5e-3)
    assert_allclose((tables[1] - before[1]) / 1e-3, -of_outputs, atol=5e-3)


def test_zeros_that_fill_rows_up_stay_zeros():
    tables = random_table(WORDS, 13, 1), random_table(WORDS, 13, 2)

    skipgram.walk(random_text(WORDS), Piece(0, 12, 0.3, 0.0, 5), 2, True, 5, *tables)

    assert_array_equal(tables[0][:, 13:], 0)
    assert_array_equal(tables[1][:, 13:], 0)


def test_nothing_moves_where_no_word_has_another_beside_it():
    tables = random_table(4, 8, 1), random_table(4, 8, 2)
    before = tables[0].copy(), tables[1].copy()

    skipgram.walk(text_of([[0], [], [3]], 4), Piece(0, 3, 0.3, 0.0, 5), 2, True, 3, *tables)

    assert_array_equal(tables, before)
