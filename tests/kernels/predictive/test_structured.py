import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose

from lexiscope.kernels.predictive.negative_sampling import set_targets
from lexiscope.kernels.predictive.structured import (
    compute_gradients,
    context_span,
    next_context_span,
    update_position,
)
from lexiscope.kernels.predictive.training_loop import Windows
from tests.kernels.predictive.reference_loop import (
    random_table,
    sigmoid,
    steps,
)
from tests.kernels.predictive.reference_loss import loss, numerical_gradient, tiles


def position_index(offset, window):
    """Index of a relative position among the 2 * window positions."""
    return window + offset - (offset > 0)


def reference_train(text, segment, window, dynamic_window, negative, inputs, outputs):
    """All gradients of a centre word first; then updates, position by position."""
    by_position = outputs.reshape(len(outputs), 2 * window, -1)
    for step in steps(text, segment, window, dynamic_window, negative):
        near = [
            (word, by_position[:, position_index(offset, window)]) for offset, word in step.context
        ]
        gradients = [
            [
                [
                    step.learning_rate * (y - sigmoid(inputs[word] @ table[other]))
                    for other, y in group
                ]
                for group in tiles(step)
            ]
            for word, table in near
        ]
        for (word, table), of_word in zip(near, gradients, strict=True):
            for group, of_group in zip(tiles(step), of_word, strict=True):
                reference_update(group, of_group, word, inputs, table)


def reference_update(group, gradients, word, inputs, table):
    """Update an input row and the output rows of a tile from their old values."""
    x, before = inputs[word].copy(), table.copy()
    for (other, _), gradient in zip(group, gradients, strict=True):
        table[other] += gradient * x
        inputs[word] += gradient * before[other]


@njit
def _step(rows, begin, target, negatives, inputs, outputs):
    """A step at a learning rate of 1, with up to five negative samples."""
    width = inputs.shape[1]
    targets, weights = np.zeros(6, np.int64), np.zeros(8, np.float32)
    gradients = np.zeros(8 * len(rows), np.float32)
    set_targets(target, negatives, np.float32(1), targets, weights)
    compute_gradients(inputs, rows, len(rows), begin, outputs, targets, width, weights, gradients)
    for c in range(len(rows)):
        update_position(
            inputs, rows[c], outputs, targets, begin + c * width, width, gradients, 8 * c
        )


@pytest.mark.parametrize("negative", [1, 5])
def test_a_step_follows_the_gradient_of_the_loss(negative):
    """The second, third and fourth of four positions have the words 3, 4 and 5, and predict 0."""
    near, wrong = np.arange(3, 6), np.arange(6, 6 + negative)
    inputs, outputs = random_table(12, 13, 1), random_table(12, 13, 2, slots=4)
    x, o = inputs.astype(np.float64), outputs.astype(np.float64)

    _step(near * 16, 16, 0, wrong * 64, inputs, outputs)

    def whole(inputs, outputs):
        targets = [outputs.reshape(12, 4, 16)[:, position] for position in (1, 2, 3)]
        return sum(loss(inputs[w], at[0], at[wrong]) for w, at in zip(near, targets, strict=True))

    assert_allclose(
        inputs, x - numerical_gradient(lambda table: whole(table, o), x.copy()), atol=1e-5
    )
    assert_allclose(
        outputs, o - numerical_gradient(lambda table: whole(x, table), o.copy()), atol=1e-5
    )


@njit
def _context_span(i, reach, n, window, width):
    return context_span(i, reach, n, window, width)


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
def test_filled_positions_form_one_span(i, reach, expected):
    begin, count = _context_span(i, reach, 10, 3, 16)

    assert (begin / 16, count) == expected


@njit
def _next_context_span(i, n, windows, width, state):
    return next_context_span(i, n, windows, width, state)


def test_the_last_word_of_a_sentence_has_no_next_span():
    state = np.uint64(1)

    assert _next_context_span(1, 3, Windows(2, False, 1), 8, state) == (0, 2)
    assert _next_context_span(2, 3, Windows(2, False, 1), 8, state) == (0, 0)
