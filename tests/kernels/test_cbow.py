import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.kernels import cbow
from lexiscope.kernels.walking import Piece
from tests.kernels.slopes import against, differences, loss, tiles
from tests.kernels.walked import random_table, random_text, sigmoid, steps, text_of

WORDS = 30


def slowly(text, piece, window, dynamic, negatives, mean, inputs, outputs):
    for step in steps(text, piece, window, dynamic, negatives):
        words = [word for _, word in step.around]
        hidden = inputs[words].sum(0) / (len(words) if mean else 1)
        groups = [(w, y) for group in tiles(step) for w, y in group]
        slopes = [step.rate * (y - sigmoid(hidden @ outputs[w])) for w, y in groups]
        error = sum(slope * outputs[w] for (w, _), slope in zip(groups, slopes, strict=True))
        for (word, _), slope in zip(groups, slopes, strict=True):
            outputs[word] += slope * hidden
        for word in words:
            inputs[word] += error / (1 if mean else len(words))


@pytest.mark.parametrize("mean", [True, False], ids=["mean", "sum"])
@pytest.mark.parametrize(("window", "dynamic"), [(1, False), (3, False), (4, True)])
def test_a_walk_is_that_of_the_slow_twin(window, dynamic, mean):
    text, piece = random_text(WORDS), Piece(1, 12, 0.3, 0.002, 5)
    tables = random_table(WORDS, 13, 1), random_table(WORDS, 13, 2)
    slow = [table.astype(np.float64) for table in tables]

    cbow.walk(text, piece, window, dynamic, 5, mean, *tables)

    slowly(text, piece, window, dynamic, 5, mean, *slow)
    assert np.abs(slow[0] - random_table(WORDS, 13, 1)).max() > 0.01
    for fast, twin in zip(tables, slow, strict=True):
        assert_allclose(fast, twin, atol=1e-5)


def test_a_step_goes_down_the_slope_of_the_loss():
    """The sum of the words around gets the slope itself, each of them an equal share of it."""
    text, piece = text_of([[0, 1, 2]], 12), Piece(0, 1, 1e-3, 0.0, 3)
    found = list(steps(text, piece, 2, False, 5))
    tables = random_table(12, 13, 1), random_table(12, 13, 2)
    before = [table.astype(np.float64) for table in tables]

    cbow.walk(text, piece, 2, False, 5, False, *tables)

    def whole(inputs, outputs):
        total = 0.0
        for step in found:
            (right, _), *wrong = against(step)
            hidden = inputs[[word for _, word in step.around]].sum(0)
            total += loss(hidden, outputs[right], [outputs[word] for word, _ in wrong])
        return total

    of_inputs = differences(lambda table: whole(table, before[1]), before[0].copy())
    of_outputs = differences(lambda table: whole(before[0], table), before[1].copy())
    assert_allclose((tables[0] - before[0]) / 1e-3, -of_inputs / 2, atol=1e-2)
    assert_allclose((tables[1] - before[1]) / 1e-3, -of_outputs, atol=1e-2)
