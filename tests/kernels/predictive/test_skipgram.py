import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.kernels.predictive import skipgram
from lexiscope.kernels.predictive.training_loop import Segment
from tests.kernels.predictive.reference_loop import (
    random_table,
    random_text,
    sigmoid,
    steps,
    text_of,
)
from tests.kernels.predictive.reference_loss import labelled, loss, numerical_gradient, tiles

WORDS = 30


def reference_train(text, segment, window, dynamic_window, negative, inputs, outputs):
    """All gradients of a centre word first; then updates, word by word."""
    for step in steps(text, segment, window, dynamic_window, negative):
        errors = [
            [
                [
                    step.learning_rate * (y - sigmoid(inputs[word] @ outputs[other]))
                    for other, y in group
                ]
                for group in tiles(step)
            ]
            for _, word in step.context
        ]
        for number, group in enumerate(tiles(step)):
            before = {other: outputs[other].copy() for other, _ in group}
            for (_, word), of_word in zip(step.context, errors, strict=True):
                x = inputs[word].copy()
                for (other, _), gradient in zip(group, of_word[number], strict=True):
                    outputs[other] += gradient * x
                    inputs[word] += gradient * before[other]


@pytest.mark.parametrize("negative", [1, 3, 5, 6, 14])
@pytest.mark.parametrize(("window", "dynamic_window"), [(1, False), (3, False), (4, True)])
def test_training_agrees_with_the_reference(window, dynamic_window, negative):
    text, segment = random_text(WORDS), Segment(1, 12, 0.3, 0.002, 5)
    tables = random_table(WORDS, 13, 1), random_table(WORDS, 13, 2)
    slow = [table.astype(np.float64) for table in tables]

    skipgram.train(text, segment, window, dynamic_window, negative, *tables)

    reference_train(text, segment, window, dynamic_window, negative, *slow)
    assert np.abs(slow[0] - random_table(WORDS, 13, 1)).max() > 0.01
    for fast, expected in zip(tables, slow, strict=True):
        assert_allclose(fast, expected, atol=1e-5)


def test_a_step_follows_the_gradient_of_the_loss():
    text, segment = text_of([[0, 1]], 12), Segment(0, 1, 1e-3, 0.0, 3)
    first, second = steps(text, segment, 1, False, 5)
    tables = random_table(12, 13, 1), random_table(12, 13, 2)
    before = [table.astype(np.float64) for table in tables]

    skipgram.train(text, segment, 1, False, 5, *tables)

    def whole(inputs, outputs):
        total = 0.0
        for step in (first, second):
            (right, _), *wrong = labelled(step)
            x = inputs[step.context[0][1]]
            total += loss(x, outputs[right], [outputs[word] for word, _ in wrong])
        return total

    of_inputs = numerical_gradient(lambda table: whole(table, before[1]), before[0].copy())
    of_outputs = numerical_gradient(lambda table: whole(before[0], table), before[1].copy())
    # The second step starts where the first ended: equal up to the squared learning rate.
    assert_allclose((tables[0] - before[0]) / 1e-3, -of_inputs, atol=5e-3)
    assert_allclose((tables[1] - before[1]) / 1e-3, -of_outputs, atol=5e-3)


def test_padding_stays_zero():
    tables = random_table(WORDS, 13, 1), random_table(WORDS, 13, 2)

    skipgram.train(random_text(WORDS), Segment(0, 12, 0.3, 0.0, 5), 2, True, 5, *tables)

    assert_array_equal(tables[0][:, 13:], 0)
    assert_array_equal(tables[1][:, 13:], 0)


def test_words_without_context_change_nothing():
    tables = random_table(4, 8, 1), random_table(4, 8, 2)
    before = tables[0].copy(), tables[1].copy()

    skipgram.train(text_of([[0], [], [3]], 4), Segment(0, 3, 0.3, 0.0, 5), 2, True, 3, *tables)

    assert_array_equal(tables, before)
