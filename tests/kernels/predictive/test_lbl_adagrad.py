import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.kernels.predictive import lbl_adagrad
from lexiscope.kernels.predictive.lbl_adagrad import Network
from lexiscope.kernels.predictive.training_loop import Segment
from lexiscope.kernels.simd.lanes import load, store
from tests.kernels.predictive.reference_loop import random_text, sigmoid, steps, text_of
from tests.kernels.predictive.reference_loss import numerical_gradient

WORDS, DIMENSION, WIDTH = 30, 13, 16


def random_network(window, seed=1, squares=0.3):
    """Parameters without padding, in double precision, and their sums of squares."""
    rng = np.random.default_rng(seed)
    shapes = {
        "inputs": (WORDS, DIMENSION),
        "outputs": (WORDS, DIMENSION),
        "border": (1, DIMENSION),
        "weights": (DIMENSION, 2 * window, DIMENSION),
    }
    tables = {name: rng.normal(size=shape) * 0.5 for name, shape in shapes.items()}
    return tables, {name: np.full(shape, squares) for name, shape in shapes.items()}


def padded(tables, squares):
    """The same as tables of the kernel."""
    halves = []
    for each in (tables, squares):
        wide = {
            k: np.zeros((len(v), v.size // len(v) // DIMENSION, WIDTH)) for k, v in each.items()
        }
        for name, table in each.items():
            wide[name][:, :, :DIMENSION] = table.reshape(len(table), -1, DIMENSION)
        wide["weights"] = np.pad(wide["weights"], ((0, WIDTH - DIMENSION), (0, 0), (0, 0)))
        halves.append({name: table.reshape(len(table), -1) for name, table in wide.items()})
    joined = {k: np.hstack([half[k] for half in halves]).astype(np.float32) for k in tables}
    for table in joined.values():
        half = table.shape[1] // 2
        table[:, half:][table[:, half:] == 0] = 1e-8
    return Network(**joined)


def unpadded(network):
    """Parameters and sums of squares without padding, and whether the padding is still zero."""
    found, zero = ({}, {}), True
    for name, table in network._asdict().items():
        rows = DIMENSION if name == "weights" else len(table)
        for half, part in zip(found, np.hsplit(table, 2), strict=True):
            slots = part.reshape(len(part), -1, WIDTH)
            values = slots[:rows, :, :DIMENSION]
            half[name] = values if name == "weights" else values[:, 0]
        slots = np.hsplit(table, 2)[0].reshape(len(table), -1, WIDTH)
        zero &= not slots[rows:].any() and not slots[:, :, DIMENSION:].any()
    return *found, zero


def inverse_sqrt(numbers):
    """The approximation of the program: a guess from the bits, and one step of Newton's method."""
    numbers = np.asarray(numbers, np.float32)
    guess = (np.int32(0x5F3759DF) - (numbers.view(np.int32) >> 1)).view(np.float32)
    return guess * (1.5 - 0.5 * numbers * guess * guess)


def adagrad(table, squares, at, gradient, learning_rate):
    squares[at] += gradient**2
    table[at] += learning_rate * gradient * inverse_sqrt(squares[at])


def reference_train(text, segment, window, negative, tables, squares):
    offsets = [offset for offset in range(-window, window + 1) if offset]
    for step in steps(text, segment, window, False, negative, isolated=True):
        words = dict(step.context)
        where = [
            ("inputs", words[offset]) if offset in words else ("border", 0) for offset in offsets
        ]
        context = np.array([tables[name][row] for name, row in where])
        hidden = np.einsum("hpd,pd->h", tables["weights"], context)
        error = np.zeros(DIMENSION)
        sampled = [word for word in step.negative if word != step.target]
        for label, word in [(1, step.target), *((0, word) for word in sampled)]:
            gradient = label - sigmoid(hidden @ tables["outputs"][word])
            error += gradient * tables["outputs"][word]
            outputs = tables["outputs"], squares["outputs"]
            adagrad(*outputs, word, gradient * hidden, step.learning_rate)
        errors = np.einsum("h,hpd->pd", error, tables["weights"])
        gradients = np.einsum("h,pd->hpd", error, context)
        adagrad(tables["weights"], squares["weights"], ..., gradients, step.learning_rate)
        for (name, row), gradient in zip(where, errors, strict=True):
            adagrad(tables[name], squares[name], row, gradient, step.learning_rate)


@pytest.mark.parametrize(("window", "negative"), [(1, 5), (2, 13), (3, 1)])
def test_training_agrees_with_the_reference(window, negative):
    text, segment = random_text(WORDS), Segment(1, 12, 0.2, 0.001, 5)
    tables, squares = random_network(window)
    before, network = random_network(window)[0], padded(tables, squares)

    lbl_adagrad.train(text, segment, window, negative, DIMENSION, network)

    reference_train(text, segment, window, negative, tables, squares)
    found, found_squares, padding_is_zero = unpadded(network)
    for name, expected in tables.items():
        assert np.abs(expected - before[name]).max() > 0.1
        assert_allclose(found[name], expected, atol=1e-4)
        assert_allclose(found_squares[name], squares[name], rtol=1e-3)
    assert padding_is_zero


def test_a_step_follows_the_gradient_of_the_loss_for_every_parameter():
    """With sums of squares of a million, a step is a thousandth of the gradient."""
    text, segment = text_of([[4, 7, 5]], WORDS), Segment(0, 1, 1.0, 0.0, 5)
    tables, squares = random_network(1, squares=1e6)
    network = padded(tables, squares)
    examples = list(steps(text, segment, 1, False, 3, isolated=True))

    def loss(tables):
        total = 0.0
        for step in examples:
            rows = [dict(step.context).get(offset) for offset in (-1, 1)]
            context = [tables["border"][0] if r is None else tables["inputs"][r] for r in rows]
            scores = tables["outputs"] @ np.einsum("hpd,pd->h", tables["weights"], context)
            wrong = [word for word in step.negative if word != step.target]
            total += np.logaddexp(0, -scores[step.target]) + np.logaddexp(0, scores[wrong]).sum()
        return total

    lbl_adagrad.train(text, segment, 1, 3, DIMENSION, network)

    found, _, _ = unpadded(network)
    for name, table in tables.items():
        parts = {other: each.copy() for other, each in tables.items()}

        def cost(part, name=name, parts=parts):
            return loss({**parts, name: part})

        gradient = numerical_gradient(cost, table.copy())
        assert np.abs(gradient).max() > 0.01
        assert_allclose((found[name] - table) * 1000, -gradient, rtol=0.05, atol=0.02)


def test_words_at_the_end_of_a_sentence_have_the_border_as_context():
    text = text_of([[0], [1, 2]], WORDS)
    tables, squares = random_network(1)
    network = padded(tables, squares)

    lbl_adagrad.train(text, Segment(0, 1, 0.2, 0.0, 5), 1, 3, DIMENSION, network)

    found, _, _ = unpadded(network)
    assert (found["border"] != tables["border"]).any()
    assert_array_equal(found["inputs"], tables["inputs"].astype(np.float32))
    assert (found["outputs"][0] != tables["outputs"][0]).any()  # a sentence of one word is trained


def test_a_negative_sample_that_is_the_target_is_skipped():
    text = text_of([[0, 0, 0]], 2, negative_weights=[1, 0])
    tables, squares = random_network(1)
    network, scores = padded(tables, squares), []

    for _ in range(5):
        lbl_adagrad.train(text, Segment(0, 1, 0.2, 0.0, 3), 1, 3, DIMENSION, network)
        found, _, _ = unpadded(network)
        hidden = np.einsum("hpd,d->h", found["weights"], found["inputs"][0])
        scores.append(float(hidden @ found["outputs"][0]))

    assert scores == sorted(scores)  # there are positive examples only
    assert scores[-1] > 5


@njit
def _approximate(numbers, results):
    store(results, 0, lbl_adagrad.inverse_sqrt(load(numbers, 0)))


@pytest.mark.parametrize("exponent", range(-30, 30, 6))
def test_the_inverse_square_root_is_that_of_the_program(exponent):
    numbers = (np.linspace(1, 4, 8) * 4.0**exponent).astype(np.float32)
    found = np.empty(8, np.float32)

    _approximate(numbers, found)

    assert_allclose(found, inverse_sqrt(numbers), rtol=1e-6)
    assert_allclose(found, numbers.astype(float) ** -0.5, rtol=1.8e-3)
