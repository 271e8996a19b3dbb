import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import softmax

from lexiscope.kernels.predictive import attention
from lexiscope.kernels.predictive.negative_sampling import (
    TILE,
    output_step,
    set_targets,
    tile_count,
)
from lexiscope.kernels.predictive.training_loop import Segment
from lexiscope.kernels.simd.lanes import LANES, exp, load, store
from tests.kernels.predictive.reference_loop import (
    random_table,
    random_text,
    sigmoid,
    steps,
    text_of,
)
from tests.kernels.predictive.reference_loss import numerical_gradient, tiles

WORDS, DIMENSION = 30, 13


def random_tables(window):
    """Inputs, outputs, keys of words by position, and keys of the positions."""
    vectors = (random_table(WORDS, DIMENSION, seed) for seed in (1, 2))
    keys = random_table(WORDS, 2 * window, 3, size=1.0)
    return *vectors, keys, random_table(1, 2 * window, 4, size=1.0)


def position_index(offset, window):
    return offset + window - (offset > 0)


def reference_train(
    text, segment, window, dynamic_window, negative, inputs, outputs, keys, positions
):
    for step in steps(text, segment, window, dynamic_window, negative):
        words = [word for _, word in step.context]
        columns = [position_index(offset, window) for offset, _ in step.context]
        alphas = softmax(keys[words, columns] + positions[0, columns])
        hidden = alphas @ inputs[words]
        scores = sigmoid(outputs @ hidden)
        error = np.zeros_like(hidden)
        for group in tiles(step):
            gradients = np.zeros(len(outputs))
            for word, label in group:
                gradients[word] += step.learning_rate * (label - scores[word])
            error += gradients @ outputs
            outputs += np.outer(gradients, hidden)
        # The gradient of the softmax: alpha * (product - mean product).
        gains = alphas * (inputs[words] @ error - hidden @ error)
        keys[words, columns] += gains
        positions[0, columns] += gains
        for word, alpha in zip(words, alphas, strict=True):
            inputs[word] += alpha * error


@pytest.mark.parametrize(
    ("window", "dynamic_window", "negative"),
    [(1, False, 5), (3, False, 13), (4, False, 5), (6, True, 5)],
)
def test_training_agrees_with_the_reference(window, dynamic_window, negative):
    text, segment = random_text(WORDS, longest=15), Segment(1, 12, 0.3, 0.002, 5)
    tables, expected = random_tables(window), [t.astype(np.float64) for t in random_tables(window)]

    attention.train(text, segment, window, dynamic_window, negative, *tables)

    reference_train(text, segment, window, dynamic_window, negative, *expected)
    for fast, slow, before in zip(tables, expected, random_tables(window), strict=True):
        assert np.abs(slow - before).max() > 0.01
        assert_allclose(fast, slow, atol=1e-5)


def test_keys_of_unfilled_positions_do_not_change():
    tables = random_tables(3)
    before = [table.copy() for table in tables]

    text, segment = text_of([[0, 1], [2, 3]], WORDS), Segment(0, 2, 0.2, 0.0, 5)
    attention.train(text, segment, 3, False, 5, *tables)

    # A single context word has all attention at any position: the gradients are zero.
    assert_array_equal(tables[2], before[2])
    assert_array_equal(tables[3], before[3])

    attention.train(text_of([[0, 1, 2]], WORDS), Segment(0, 1, 0.2, 0.0, 5), 3, False, 5, *tables)

    columns = np.flatnonzero((tables[3] != before[3])[0])
    assert_array_equal(columns, [1, 2, 3, 4])
    changed = set(zip(*np.nonzero(tables[2] != before[2]), strict=True))
    assert changed == {(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (2, 4)}


@njit
def _exponential(values, powers):
    store(powers, 0, exp(load(values, 0)))


def test_exp_agrees_with_numpy():
    values = np.array([-80, -20.5, -1, -0.3, 0, 0.4, 1, 30], np.float32)
    powers = np.zeros(8, np.float32)

    _exponential(values, powers)

    assert_allclose(powers, np.exp(values.astype(np.float64)), rtol=4e-6)


@njit
def _softmax_attention(keys, columns, positions, first, count, alphas):
    attention.softmax_attention(keys, columns, positions, first, count, alphas)


@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 16])
@pytest.mark.parametrize("size", [0.1, 30.0, 3e4])
def test_attention_is_a_softmax_for_keys_of_any_size(count, size):
    rng = np.random.default_rng(count)
    keys, positions = (rng.normal(0, size, number).astype(np.float32) for number in (50, 20))
    columns, alphas = rng.permutation(50)[:count], np.zeros(16, np.float32)

    _softmax_attention(keys, columns, positions, 3, count, alphas)

    summed = (keys[columns] + positions[3 : 3 + count]).astype(np.float64)
    assert_allclose(alphas[:count], softmax(summed), atol=2e-6)


@njit
def _step(words, first, target, negatives, learning_rate, inputs, outputs, keys, positions):
    width, key_width, count = inputs.shape[1], keys.shape[1], words.shape[0]
    tiles = tile_count(negatives.shape[0])
    targets, weights = np.zeros(tiles * TILE, np.int64), np.zeros(tiles * LANES, np.float32)
    gradients = np.zeros(tiles * LANES, np.float32)
    hidden, error = np.zeros(width, np.float32), np.zeros(width, np.float32)
    rows, key_offsets = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    alphas, gains = np.zeros(LANES, np.float32), np.zeros(LANES, np.float32)
    own, common = keys.reshape(keys.size), positions.reshape(positions.size)
    set_targets(target, negatives, learning_rate, targets, weights)
    attention.set_offsets(words, count, first, width, key_width, rows, key_offsets)
    attention.softmax_attention(own, key_offsets, common, first, count, alphas)
    attention.gather(inputs, rows, alphas, count, width, hidden)
    output_step(hidden, 0, width, outputs, targets, weights, gradients, error)
    attention.attention_gradients(inputs, rows, alphas, count, width, error, gains)
    attention.scatter(inputs, rows, alphas, count, width, error)
    attention.update_keys(own, key_offsets, common, first, count, gains)


def loss(inputs, outputs, keys, positions):
    """Words 4, 5, 4 are at positions 1 to 3 around word 7; negatives are 8, 9, 8, 11, 10."""
    words, columns = [4, 5, 4], [1, 2, 3]
    hidden = softmax(keys[words, columns] + positions[0, columns]) @ inputs[words]
    scores = outputs @ hidden
    return np.logaddexp(0, -scores[7]) + np.logaddexp(0, scores[[8, 9, 8, 11, 10]]).sum()


def test_a_step_follows_the_gradient_of_the_loss_for_every_parameter():
    tables = random_tables(2)
    before = [table.astype(np.float64) for table in tables]
    width = tables[0].shape[1]
    negatives = np.array([8, 9, 8, 11, 10]) * width

    _step(np.array([4, 5, 4]), 1, 7 * width, negatives, np.float32(1), *tables)

    for which, start in enumerate(before):
        parts = [part.copy() for part in before]

        def cost(part, which=which, parts=parts):
            return loss(*parts[:which], part, *parts[which + 1 :])

        expected = numerical_gradient(cost, parts[which])
        assert np.abs(expected).max() > 0.01
        assert_allclose(tables[which] - start, -expected, atol=1e-5)
