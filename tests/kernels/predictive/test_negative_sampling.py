import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.kernels.predictive.negative_sampling import output_step, set_targets, tile_count
from tests.kernels.predictive.reference_loop import random_table
from tests.kernels.predictive.reference_loss import loss, numerical_gradient

TARGET, RATE = 40, np.float32(0.5)


@njit
def _set_targets(target, negatives, learning_rate, targets, weights):
    set_targets(target, negatives, learning_rate, targets, weights)


def targets_and_weights(negatives):
    tiles = tile_count(len(negatives))
    targets, weights = np.full(tiles * 6, -1, np.int64), np.full(tiles * 8, -1, np.float32)
    _set_targets(TARGET, np.array(negatives, np.int64), RATE, targets, weights)
    return targets.reshape(tiles, 6).tolist(), weights.reshape(tiles, 8)[:, :6].tolist()


def test_the_target_comes_first_and_all_weights_are_equal():
    targets, weights = targets_and_weights([8, 16, 24, 32, 48])

    assert targets == [[40, 8, 16, 24, 32, 48]]
    assert weights == [[0.5] * 6]


def test_a_negative_sample_equal_to_the_target_has_weight_zero():
    _, weights = targets_and_weights([8, 40, 24, 32, 48])

    assert weights == [[0.5, 0.5, 0.0, 0.5, 0.5, 0.5]]


def test_a_repeated_negative_sample_has_its_weight_at_its_first_occurrence():
    _, weights = targets_and_weights([8, 16, 8, 32, 8])

    assert weights == [[0.5, 1.5, 0.5, 0.0, 0.5, 0.0]]


def test_padding_of_the_last_tile_has_weight_zero():
    targets, weights = targets_and_weights([8, 16, 24, 32, 48, 56, 8])

    assert targets[1] == [56, 8, 40, 40, 40, 40]
    assert weights == [[0.5] * 6, [0.5, 0.5, 0.0, 0.0, 0.0, 0.0]]


@pytest.mark.parametrize(("negative", "tiles"), [(1, 1), (5, 1), (6, 2), (11, 2), (12, 3)])
def test_a_tile_holds_six_words(negative, tiles):
    assert tile_count(negative) == tiles


@njit
def _output_step(hidden, begin, end, outputs, targets, weights, gradients, error):
    output_step(hidden, begin, end, outputs, targets, weights, gradients, error)


@pytest.mark.parametrize("negative", [1, 5, 8])
def test_an_output_step_follows_the_gradient_of_the_loss(negative):
    outputs = random_table(12, 13, seed=1)
    hidden = random_table(1, 13, seed=2)[0]
    width, words = outputs.shape[1], list(range(1, negative + 1))
    targets, weights = np.zeros(tile_count(negative) * 6, np.int64), np.zeros(16, np.float32)
    _set_targets(0, np.array(words) * width, np.float32(1), targets, weights)
    before, error = outputs.astype(np.float64), np.full(width, 9, np.float32)

    _output_step(hidden, 0, width, outputs, targets, weights, np.zeros(16, np.float32), error)

    def of_hidden(h):
        return loss(h, before[0], before[words])

    def of_outputs(table):
        return loss(hidden.astype(np.float64), table[0], table[words])

    assert_allclose(error, -numerical_gradient(of_hidden, hidden.astype(np.float64)), atol=1e-5)
    assert_allclose(outputs, before - numerical_gradient(of_outputs, before), atol=1e-5)


def test_only_the_given_columns_are_used_and_changed():
    outputs = random_table(12, 24, seed=1)
    hidden, error = random_table(1, 24, seed=2)[0], np.full(24, 9, np.float32)
    targets, weights = np.arange(6) * 24, np.ones(8, np.float32)
    before = outputs.copy()

    _output_step(hidden, 8, 16, outputs, targets, weights, np.zeros(8, np.float32), error)

    right, *wrong = before[:6, 8:16].astype(np.float64)
    gradients = numerical_gradient(lambda h: loss(h, right, wrong), hidden[8:16].astype(np.float64))
    assert_allclose(error[8:16], -gradients, atol=1e-5)
    assert_array_equal(error[[0, 7, 16, 23]], 9)
    assert_array_equal(np.delete(outputs, np.s_[8:16], 1), np.delete(before, np.s_[8:16], 1))
