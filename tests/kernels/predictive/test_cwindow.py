import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose

from lexiscope.kernels.predictive.cwindow import compute_gradients
from lexiscope.kernels.predictive.negative_sampling import set_targets
from lexiscope.kernels.predictive.structured import update_position
from tests.kernels.predictive.reference_loop import (
    random_table,
    sigmoid,
    steps,
)
from tests.kernels.predictive.reference_loss import loss, numerical_gradient, tiles
from tests.kernels.predictive.test_structured import position_index, reference_update


def concatenated(step, window, inputs):
    """The context vectors, each at its position; zeros where there is no word."""
    hidden = np.zeros((2 * window, inputs.shape[1]))
    for offset, word in step.context:
        hidden[position_index(offset, window)] = inputs[word]
    return hidden.ravel()


def reference_train(text, segment, window, dynamic_window, negative, inputs, outputs):
    """Gradients from the whole concatenation; then updates, position by position."""
    by_position = outputs.reshape(len(outputs), 2 * window, -1)
    for step in steps(text, segment, window, dynamic_window, negative):
        hidden = concatenated(step, window, inputs)
        gradients = [
            [step.learning_rate * (y - sigmoid(hidden @ outputs[other])) for other, y in group]
            for group in tiles(step)
        ]
        for offset, word in step.context:
            table = by_position[:, position_index(offset, window)]
            for group, of_group in zip(tiles(step), gradients, strict=True):
                reference_update(group, of_group, word, inputs, table)


@njit
def _step(rows, begin, target, negatives, inputs, outputs):
    """A step at a learning rate of 1, with up to five negative samples."""
    width = inputs.shape[1]
    targets, weights = np.zeros(6, np.int64), np.zeros(8, np.float32)
    gradients = np.zeros(8, np.float32)
    set_targets(target, negatives, np.float32(1), targets, weights)
    compute_gradients(inputs, rows, len(rows), begin, outputs, targets, width, weights, gradients)
    for c in range(len(rows)):
        update_position(inputs, rows[c], outputs, targets, begin + c * width, width, gradients, 0)


@pytest.mark.parametrize("negative", [1, 5])
def test_a_step_follows_the_gradient_of_the_loss(negative):
    """The second, third and fourth of four positions have the words 3, 4 and 5, and predict 0."""
    near, wrong = np.arange(3, 6), np.arange(6, 6 + negative)
    inputs, outputs = random_table(12, 13, 1), random_table(12, 13, 2, slots=4)
    x, o = inputs.astype(np.float64), outputs.astype(np.float64)

    _step(near * 16, 16, 0, wrong * 64, inputs, outputs)

    def whole(inputs, outputs):
        hidden = np.concatenate([np.zeros(16), *inputs[near]])
        return loss(hidden, outputs[0], outputs[wrong])

    assert_allclose(
        inputs, x - numerical_gradient(lambda table: whole(table, o), x.copy()), atol=1e-5
    )
    assert_allclose(
        outputs, o - numerical_gradient(lambda table: whole(x, table), o.copy()), atol=1e-5
    )
