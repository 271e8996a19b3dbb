import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.kernels.predictive import cbow
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


def reference_train(text, segment, window, dynamic_window, negative, mean, inputs, outputs):
    for step in steps(text, segment, window, dynamic_window, negative):
        words = [word for _, word in step.context]
        hidden = inputs[words].sum(0) / (len(words) if mean else 1)
        groups = [(w, y) for group in tiles(step) for w, y in group]
        gradients = [step.learning_rate * (y - sigmoid(hidden @ outputs[w])) for w, y in groups]
        error = sum(
            gradient * outputs[w] for (w, _), gradient in zip(groups, gradients, strict=True)
        )
        for (word, _), gradient in zip(groups, gradients, strict=True):
            outputs[word] += gradient * hidden
        for word in words:
            inputs[word] += error / (1 if mean else len(words))


@pytest.mark.parametrize("mean", [True, False], ids=["mean", "sum"])
@pytest.mark.parametrize(("window", "dynamic_window"), [(1, False), (3, False), (4, True)])
def test_training_agrees_with_the_reference(window, dynamic_window, mean):
    text, segment = random_text(WORDS), Segment(1, 12, 0.3, 0.002, 5)
    tables = random_table(WORDS, 13, 1), random_table(WORDS, 13, 2)
    slow = [table.astype(np.float64) for table in tables]

    cbow.train(text, segment, window, dynamic_window, 5, mean, *tables)

    reference_train(text, segment, window, dynamic_window, 5, mean, *slow)
    assert np.abs(slow[0] - random_table(WORDS, 13, 1)).max() > 0.01
    for fast, expected in zip(tables, slow, strict=True):
        assert_allclose(fast, expected, atol=1e-5)


def test_a_step_follows_the_gradient_of_the_loss():
    """The sum of the context vectors gets the gradient, each of them an equal fraction."""
    text, segment = text_of([[0, 1, 2]], 12), Segment(0, 1, 1e-3, 0.0, 3)
    found = list(steps(text, segment, 2, False, 5))
    tables = random_table(12, 13, 1), random_table(12, 13, 2)
    before = [table.astype(np.float64) for table in tables]

    cbow.train(text, segment, 2, False, 5, False, *tables)

    def whole(inputs, outputs):
        total = 0.0
        for step in found:
            (right, _), *wrong = labelled(step)
            hidden = inputs[[word for _, word in step.context]].sum(0)
            total += loss(hidden, outputs[right], [outputs[word] for word, _ in wrong])
        return total

    of_inputs = numerical_gradient(lambda table: whole(table, before[1]), before[0].copy())
    of_outputs = numerical_gradient(lambda table: whole(before[0], table), before[1].copy())
    assert_allclose((tables[0] - before[0]) / 1e-3, -of_inputs / 2, atol=1e-2)
    assert_allclose((tables[1] - before[1]) / 1e-3, -of_outputs, atol=1e-2)
