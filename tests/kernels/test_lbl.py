import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.kernels import lbl
from lexiscope.kernels.lanes import LANES
from lexiscope.kernels.negatives import TILE, line_up, tiles_of
from lexiscope.kernels.walking import Piece
from tests.kernels.slopes import differences
from tests.kernels.walked import random_table, random_text, sigmoid, steps, text_of

WORDS, DIMENSION = 30, 13
NOISE = (1 / np.arange(1, WORDS + 1)) ** 0.75  # as `random_text` draws


def random_tables(window, biases=0.0):
    """Inputs, outputs with their biases behind them, and weights of the positions."""
    inputs, outputs = (random_table(WORDS, DIMENSION, seed) for seed in (1, 2))
    positions = random_table(2 * window, DIMENSION, 3)
    positions[:, :DIMENSION] += 1
    outputs[:, DIMENSION] = biases
    return inputs, outputs, positions


def split(inputs, outputs, positions):
    """The numbers that count, in double precision: inputs, outputs, biases, positions."""
    parts = inputs[:, :DIMENSION], outputs[:, :DIMENSION], outputs[:, DIMENSION]
    return [part.astype(np.float64) for part in (*parts, positions[:, :DIMENSION])]


def place_of(offset, window):
    return offset + window - (offset > 0)


def grouped(step, scores, contrastive):
    """The slopes of all words, in groups of six words that move at once, the right one first."""
    words = [step.target, *step.negatives]
    for k in range(0, len(words), TILE):
        slopes = np.zeros(len(scores))
        for word in words[k : k + TILE]:
            if word != step.target:
                slopes[word] -= step.rate * scores[word]
        if k == 0:
            again = step.negatives.count(step.target) if contrastive else 0
            slopes[step.target] = step.rate * (1 - (1 + again) * scores[step.target])
        yield slopes


def slowly(text, piece, window, dynamic, negatives, shift, tables):
    """`shift` is log(k P(w)), or None for negative sampling."""
    inputs, outputs, biases, positions = tables
    taken = np.zeros(len(biases)) if shift is None else shift
    for step in steps(text, piece, window, dynamic, negatives):
        around = [(place_of(offset, window), word) for offset, word in step.around]
        hidden = sum(positions[place] * inputs[word] for place, word in around)
        scores = sigmoid(outputs @ hidden + biases - taken)
        error = np.zeros(DIMENSION)
        for slopes in grouped(step, scores, shift is not None):
            error += slopes @ outputs
            outputs += np.outer(slopes, hidden)
            biases += slopes
        for place, word in around:
            weight = positions[place].copy()
            positions[place] += error * inputs[word]
            inputs[word] += error * weight


@pytest.mark.parametrize("contrastive", [True, False], ids=["nce", "negative"])
@pytest.mark.parametrize(
    ("window", "dynamic", "negatives"), [(1, False, 5), (3, False, 13), (4, True, 5)]
)
def test_a_walk_is_that_of_the_slow_twin(window, dynamic, negatives, contrastive):
    text, piece = random_text(WORDS), Piece(1, 12, 0.2, 0.001, 5)
    shift = np.log(negatives * NOISE / NOISE.sum()) if contrastive else np.zeros(WORDS)
    biases = np.random.default_rng(4).normal(size=WORDS)
    tables = random_tables(window, biases - shift)
    twin = split(*random_tables(window, biases))

    lbl.walk(text, piece, window, dynamic, negatives, contrastive, *tables, DIMENSION)

    slowly(text, piece, window, dynamic, negatives, shift if contrastive else None, twin)
    found = split(*tables)
    found[2] += shift
    assert np.abs(twin[3] - split(*random_tables(window))[3]).max() > 0.01
    for fast, slow in zip(found, twin, strict=True):
        assert_allclose(fast, slow, atol=1e-5)


def test_what_fills_rows_up_stays_as_it_was():
    text, piece = random_text(WORDS), Piece(0, 12, 0.2, 0.0, 5)
    inputs, outputs, positions = random_tables(2)

    lbl.walk(text, piece, 2, False, 5, True, inputs, outputs, positions, DIMENSION)

    for table, first in ((inputs, DIMENSION), (outputs, DIMENSION + 1), (positions, DIMENSION)):
        assert not table[:, first:].any()


def test_a_position_that_no_word_takes_keeps_its_weights():
    text = text_of([[0, 1], [2, 3]], WORDS)
    tables = random_tables(3)
    before = tables[2].copy()

    lbl.walk(text, Piece(0, 2, 0.2, 0.0, 5), 3, False, 5, True, *tables, DIMENSION)

    moved = (tables[2] != before).any(axis=1)
    assert_array_equal(np.flatnonzero(moved), [2, 3])  # just before, just after


@njit
def _step(rows, first, target, coming, rate, contrastive, inputs, outputs, positions, bias):
    width, tiles = inputs.shape[1], tiles_of(coming.shape[0])
    places, weights = np.zeros(tiles * TILE, np.int64), np.zeros(tiles * LANES, np.float32)
    slopes = np.zeros(tiles * LANES, np.float32)
    hidden, error = np.zeros(width, np.float32), np.zeros(width, np.float32)
    line_up(target, coming, rate, places, weights)
    again = rate * lbl.drawn_again(target, coming) if contrastive else np.float32(0)
    lbl.gather(inputs, rows, rows.shape[0], positions, first, width, hidden)
    hidden[bias] = 1
    lbl.contrast(hidden, width, outputs, places, again, weights, slopes, error)
    lbl.scatter(inputs, rows, rows.shape[0], positions, first, width, error)


def loss(inputs, outputs, biases, positions, shift, contrastive):
    """Words 4, 5 and 6 stand at places 1 to 3 around word 7; drawn are 8, 9, 8, 7 and 10."""
    hidden = sum(positions[place] * inputs[word] for place, word in ((1, 4), (2, 5), (3, 6)))
    scores = outputs @ hidden + biases - shift
    wrong = [8, 9, 8, 7, 10] if contrastive else [8, 9, 8, 10]
    return np.logaddexp(0, -scores[7]) + np.logaddexp(0, scores[wrong]).sum()


@pytest.mark.parametrize("contrastive", [True, False], ids=["nce", "negative"])
def test_a_step_goes_down_the_slope_of_the_loss_for_every_number(contrastive):
    shift = np.log(5 * NOISE / NOISE.sum()) if contrastive else np.zeros(WORDS)
    biases = np.random.default_rng(4).normal(size=WORDS)
    tables = random_tables(2, (biases - shift).astype(np.float32))
    before = split(*tables)
    before[2] += shift
    width = tables[0].shape[1]
    rows, coming = np.array([4, 5, 6]) * width, np.array([8, 9, 8, 7, 10]) * width

    _step(rows, width, 7 * width, coming, np.float32(1), contrastive, *tables, DIMENSION)

    after = split(*tables)
    after[2] += shift
    for which, start in enumerate(before):
        parts = [part.copy() for part in before]

        def cost(part, which=which, parts=parts):
            return loss(*parts[:which], part, *parts[which + 1 :], shift, contrastive)

        expected = differences(cost, parts[which])
        assert np.abs(expected).max() > 0.01
        assert_allclose(after[which] - start, -expected, atol=1e-5)
