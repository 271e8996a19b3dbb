"""The log-bilinear model with one matrix for the whole context (Lai et al. 2015), by AdaGrad.

The hidden vector is the product of a matrix and the concatenated context vectors; it predicts the
centre word by negative sampling, without biases. Positions beyond the sentence have a vector of
their own. Each row of a table holds parameters and then, in its second half, the sums of their
squared gradients. Targets are trained one after the other, so that a word that is sampled twice
is updated twice.
"""

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit
from numba.extending import intrinsic

from lexiscope.kernels.predictive.training_loop import (
    STEP,
    Windows,
    new_buffers,
    sample_and_prefetch,
    training_loop,
)
from lexiscope.kernels.simd.lanes import (
    LANES,
    broadcast,
    broadcast_from,
    horizontal_sum,
    horizontal_sums,
    lanes,
    load,
    multiply_add,
    sigmoid,
    store,
)


class Network(NamedTuple):
    """The parameters, float32, and their sums of squares; padding is 0 and stays 0.

    `inputs` and `outputs` are (words, 2 * width), `border` (1, 2 * width): a vector and its sums
    of squares, with a width that is a multiple of 8. `weights` is (width, 2 * span): a row per
    hidden unit, with a span of 2 * window * width.
    """

    inputs: Any
    outputs: Any
    border: Any
    weights: Any


class _Model(NamedTuple):
    inputs: Any  # the tables are flattened
    outputs: Any
    border: Any
    weights: Any
    dimension: int
    width: int
    span: int
    context: Any  # (span,) concatenated context vectors
    context_error: Any  # (span,)
    hidden: Any  # (width,)
    hidden_error: Any  # (width,)


@intrinsic
def inverse_sqrt(typingctx, value):
    """1 / sqrt(value) of positive numbers, with a relative error of at most 0.18 %.

    A first guess from the bits of the number, and one step of Newton's method.
    """

    def generate(context, builder, signature, arguments):
        (number,) = arguments
        vector, integers = number.type, ir.VectorType(ir.IntType(32), LANES)
        halved = builder.lshr(builder.bitcast(number, integers), ir.Constant(integers, [1] * LANES))
        guess = builder.bitcast(
            builder.sub(ir.Constant(integers, [0x5F3759DF] * LANES), halved), vector
        )
        half = builder.fmul(number, ir.Constant(vector, [0.5] * LANES))
        square = builder.fmul(guess, guess)
        factor = builder.fsub(ir.Constant(vector, [1.5] * LANES), builder.fmul(half, square))
        return builder.fmul(guess, factor)

    return lanes(lanes), generate


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def adagrad(table, at, squares, gradient, learning_rate):
    """Add the step of eight parameters at table[at], and their squared gradients."""
    total = multiply_add(load(table, squares), gradient, gradient)
    store(table, squares, total)
    step = learning_rate * gradient
    store(table, at, multiply_add(load(table, at), step, inverse_sqrt(total)))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _row_of(position, buffers, centre, window):
    """Row offset of the word at `position` of the window, from 0; -1 beyond the sentence."""
    j = centre.position - window + position + (position >= window)
    return buffers.kept[j] if 0 <= j < centre.length else -1


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _gather(buffers, centre, window, model):
    """Concatenate the context vectors."""
    width = model.width
    for position in range(2 * window):
        row = _row_of(position, buffers, centre, window)
        for k in range(0, width, LANES):
            vector = load(model.border, k) if row < 0 else load(model.inputs, row + k)
            store(model.context, position * width + k, vector)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _project(weights, context, span, width, hidden):
    """Write the products of the rows of the weights and the context, eight rows at a time."""
    for i in range(0, width, LANES):
        w0, step = i * 2 * span, 2 * span
        w1, w2, w3, w4 = w0 + step, w0 + 2 * step, w0 + 3 * step, w0 + 4 * step
        w5, w6, w7 = w0 + 5 * step, w0 + 6 * step, w0 + 7 * step
        zero = broadcast(np.float32(0))
        a0, a1, a2, a3, a4, a5, a6, a7 = zero, zero, zero, zero, zero, zero, zero, zero
        for k in range(0, span, LANES):
            x = load(context, k)
            a0 = multiply_add(a0, x, load(weights, w0 + k))
            a1 = multiply_add(a1, x, load(weights, w1 + k))
            a2 = multiply_add(a2, x, load(weights, w2 + k))
            a3 = multiply_add(a3, x, load(weights, w3 + k))
            a4 = multiply_add(a4, x, load(weights, w4 + k))
            a5 = multiply_add(a5, x, load(weights, w5 + k))
            a6 = multiply_add(a6, x, load(weights, w6 + k))
            a7 = multiply_add(a7, x, load(weights, w7 + k))
        store(hidden, i, horizontal_sums(a0, a1, a2, a3, a4, a5, a6, a7))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _train_target(outputs, target, label, width, hidden, error, learning_rate):
    """Update the output vector of a target, and add its part to the error of the hidden vector."""
    summed = broadcast(np.float32(0))
    for k in range(0, width, LANES):
        summed = multiply_add(summed, load(hidden, k), load(outputs, target + k))
    gradient = broadcast(label) - sigmoid(broadcast(horizontal_sum(summed)))
    for k in range(0, width, LANES):
        store(error, k, multiply_add(load(error, k), gradient, load(outputs, target + k)))
        adagrad(outputs, target + k, target + width + k, gradient * load(hidden, k), learning_rate)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _train_weights(model, learning_rate):
    """Write the error of the context, and update the weights."""
    span, weights, errors = model.span, model.weights, model.context_error
    for k in range(0, span, LANES):
        store(errors, k, broadcast(np.float32(0)))
    for i in range(model.dimension):
        error = broadcast_from(model.hidden_error, i)
        for k in range(0, span, LANES):
            at = i * 2 * span + k
            store(errors, k, multiply_add(load(errors, k), error, load(weights, at)))
            adagrad(weights, at, at + span, error * load(model.context, k), learning_rate)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _train_context(buffers, centre, window, model, learning_rate):
    """Update the context vectors, position by position."""
    width = model.width
    for position in range(2 * window):
        row = _row_of(position, buffers, centre, window)
        for k in range(0, width, LANES):
            gradient = load(model.context_error, position * width + k)
            if row < 0:
                adagrad(model.border, k, width + k, gradient, learning_rate)
            else:
                adagrad(model.inputs, row + k, row + width + k, gradient, learning_rate)


@njit(**STEP)
def _step(text, windows, buffers, centre, model, state):
    window, width = windows.window, model.width
    learning_rate = broadcast(np.float32(centre.learning_rate))
    _gather(buffers, centre, window, model)
    _project(model.weights, model.context, model.span, width, model.hidden)
    for k in range(0, width, LANES):
        store(model.hidden_error, k, broadcast(np.float32(0)))
    target, rows = buffers.kept[centre.position], (model.hidden, model.hidden_error)
    _train_target(model.outputs, target, np.float32(1), width, *rows, learning_rate)
    for m in range(buffers.negatives.shape[0]):
        if buffers.negatives[m] != target:
            sampled = buffers.negatives[m]
            _train_target(model.outputs, sampled, np.float32(0), width, *rows, learning_rate)
    _train_weights(model, learning_rate)
    _train_context(buffers, centre, window, model, learning_rate)
    outputs, negatives = model.outputs, buffers.negatives
    return sample_and_prefetch(text.negative_table, buffers.width, outputs, negatives, state)


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def train(text, segment, window, negative, dimension, network):
    """Train on a segment of the text, in place.

    Minimises -log sigmoid(h.o) - sum log sigmoid(-h.n) for each centre word o with its negative
    samples n, h being the weights times the concatenated context. A negative sample that is the
    centre word is skipped.
    """
    row = network.inputs.shape[1]
    width, span = row // 2, network.weights.shape[1] // 2
    buffers = new_buffers(text, segment, window, negative, row, row)
    model = _Model(
        network.inputs.reshape(-1), network.outputs.reshape(-1), network.border.reshape(-1),
        network.weights.reshape(-1), dimension, width, span, np.zeros(span, np.float32),
        np.zeros(span, np.float32), np.zeros(width, np.float32), np.zeros(width, np.float32),
    )  # fmt: skip
    training_loop(text, segment, Windows(window, False, 0), buffers, _step, model)
