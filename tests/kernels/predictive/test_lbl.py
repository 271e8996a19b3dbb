import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.kernels.predictive import lbl
from lexiscope.kernels.predictive.negative_sampling import TILE, set_targets, tile_count
from lexiscope.kernels.predictive.training_loop import Segment
from lexiscope.kernels.simd.lanes import LANES
from tests.kernels.predictive.reference_loop import (
    random_table,
    random_text,
    sigmoid,
    steps,
    text_of,
)
from tests.kernels.predictive.reference_loss import numerical_gradient

WORDS, DIMENSION = 30, 13
NEGATIVE_WEIGHTS = (1 / np.arange(1, WORDS + 1)) ** 0.75  # as in `random_text`


def random_tables(window, biases=0.0):
    """Inputs, outputs with their biases in the next column, and position weights."""
    inputs, outputs = (random_table(WORDS, DIMENSION, seed) for seed in (1, 2))
    positions = random_table(2 * window, DIMENSION, 3)
    positions[:, :DIMENSION] += 1
    outputs[:, DIMENSION] = biases
    return inputs, outputs, positions


def split(inputs, outputs, positions):
    """The parameters without padding, in double precision: inputs, outputs, biases, positions."""
    parts = inputs[:, :DIMENSION], outputs[:, :DIMENSION], outputs[:, DIMENSION]
    return [part.astype(np.float64) for part in (*parts, positions[:, :DIMENSION])]


def position_index(offset, window):
    return offset + window - (offset > 0)


def tile_gradients(step, scores, contrastive):
    """The gradients of all words, in tiles of six words, the target first."""
    words = [step.target, *step.negative]
    for k in range(0, len(words), TILE):
        gradients = np.zeros(len(scores))
        for word in words[k : k + TILE]:
            if word != step.target:
                gradients[word] -= step.learning_rate * scores[word]
        if k == 0:
            repeated = step.negative.count(step.target) if contrastive else 0
            gradients[step.target] = step.learning_rate * (1 - (1 + repeated) * scores[step.target])
        yield gradients


def reference_train(text, segment, window, dynamic_window, negative, shift, tables):
    """`shift` is log(k P(w)), or None for negative sampling."""
    inputs, outputs, biases, positions = tables
    subtracted = np.zeros(len(biases)) if shift is None else shift
    for step in steps(text, segment, window, dynamic_window, negative):
        context = [(position_index(offset, window), word) for offset, word in step.context]
        hidden = sum(positions[index] * inputs[word] for index, word in context)
        scores = sigmoid(outputs @ hidden + biases - subtracted)
        error = np.zeros(DIMENSION)
        for gradients in tile_gradients(step, scores, shift is not None):
            error += gradients @ outputs
            outputs += np.outer(gradients, hidden)
            biases += gradients
        for index, word in context:
            weight = positions[index].copy()
            positions[index] += error * inputs[word]
            inputs[word] += error * weight


@pytest.mark.parametrize("contrastive", [True, False], ids=["nce", "negative"])
@pytest.mark.parametrize(
    ("window", "dynamic_window", "negative"), [(1, False, 5), (3, False, 13), (4, True, 5)]
)
def test_training_agrees_with_the_reference(window, dynamic_window, negative, contrastive):
    text, segment = random_text(WORDS), Segment(1, 12, 0.2, 0.001, 5)
    shift = (
        np.log(negative * NEGATIVE_WEIGHTS / NEGATIVE_WEIGHTS.sum())
        if contrastive
        else np.zeros(WORDS)
    )
    biases = np.random.default_rng(4).normal(size=WORDS)
    tables = random_tables(window, biases - shift)
    expected = split(*random_tables(window, biases))

    lbl.train(text, segment, window, dynamic_window, negative, contrastive, *tables, DIMENSION)

    reference_train(
        text, segment, window, dynamic_window, negative, shift if contrastive else None, expected
    )
    found = split(*tables)
    found[2] += shift
    assert np.abs(expected[3] - split(*random_tables(window))[3]).max() > 0.01
    for fast, slow in zip(found, expected, strict=True):
        assert_allclose(fast, slow, atol=1e-5)


def test_padding_stays_zero():
    text, segment = random_text(WORDS), Segment(0, 12, 0.2, 0.0, 5)
    inputs, outputs, positions = random_tables(2)

    lbl.train(text, segment, 2, False, 5, True, inputs, outputs, positions, DIMENSION)

    for table, first in ((inputs, DIMENSION), (outputs, DIMENSION + 1), (positions, DIMENSION)):
        assert not table[:, first:].any()


def test_an_unfilled_position_keeps_its_weights():
    text = text_of([[0, 1], [2, 3]], WORDS)
    tables = random_tables(3)
    before = tables[2].copy()

    lbl.train(text, Segment(0, 2, 0.2, 0.0, 5), 3, False, 5, True, *tables, DIMENSION)

    changed = (tables[2] != before).any(axis=1)
    assert_array_equal(np.flatnonzero(changed), [2, 3])  # just before, just after


@njit
def _step(
    rows, first, target, negatives, learning_rate, contrastive, inputs, outputs, positions, bias
):
    width, tiles = inputs.shape[1], tile_count(negatives.shape[0])
    targets, weights = np.zeros(tiles * TILE, np.int64), np.zeros(tiles * LANES, np.float32)
    gradients = np.zeros(tiles * LANES, np.float32)
    hidden, error = np.zeros(width, np.float32), np.zeros(width, np.float32)
    set_targets(target, negatives, learning_rate, targets, weights)
    repeated = learning_rate * lbl.count_target(target, negatives) if contrastive else np.float32(0)
    lbl.gather(inputs, rows, rows.shape[0], positions, first, width, hidden)
    hidden[bias] = 1
    lbl.contrastive_step(hidden, width, outputs, targets, repeated, weights, gradients, error)
    lbl.scatter(inputs, rows, rows.shape[0], positions, first, width, error)


def loss(inputs, outputs, biases, positions, shift, contrastive):
    """Words 4, 5, 6 are at positions 1 to 3 around word 7; negatives are 8, 9, 8, 7, 10."""
    hidden = sum(positions[index] * inputs[word] for index, word in ((1, 4), (2, 5), (3, 6)))
    scores = outputs @ hidden + biases - shift
    wrong = [8, 9, 8, 7, 10] if contrastive else [8, 9, 8, 10]
    return np.logaddexp(0, -scores[7]) + np.logaddexp(0, scores[wrong]).sum()


@pytest.mark.parametrize("contrastive", [True, False], ids=["nce", "negative"])
def test_a_step_follows_the_gradient_of_the_loss_for_every_parameter(contrastive):
    shift = (
        np.log(5 * NEGATIVE_WEIGHTS / NEGATIVE_WEIGHTS.sum()) if contrastive else np.zeros(WORDS)
    )
    biases = np.random.default_rng(4).normal(size=WORDS)
    tables = random_tables(2, (biases - shift).astype(np.float32))
    before = split(*tables)
    before[2] += shift
    width = tables[0].shape[1]
    rows, negatives = np.array([4, 5, 6]) * width, np.array([8, 9, 8, 7, 10]) * width

    _step(rows, width, 7 * width, negatives, np.float32(1), contrastive, *tables, DIMENSION)

    after = split(*tables)
    after[2] += shift
    for which, start in enumerate(before):
        parts = [part.copy() for part in before]

        def cost(part, which=which, parts=parts):
            return loss(*parts[:which], part, *parts[which + 1 :], shift, contrastive)

        expected = numerical_gradient(cost, parts[which])
        assert np.abs(expected).max() > 0.01
        assert_allclose(after[which] - start, -expected, atol=1e-5)
