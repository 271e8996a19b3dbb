"""Continuous bag of words with attention (Ling et al. 2015).

The attention-weighted sum of the context vectors predicts the centre word. The attention of a
context word is a softmax over a key of the word at its relative position plus a key of the
position.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from lexiscope.kernels.predictive.negative_sampling import output_step, set_targets, tile_count
from lexiscope.kernels.predictive.training_loop import (
    STEP,
    Windows,
    new_buffers,
    prefetch_row,
    sample_and_prefetch,
    training_loop,
)
from lexiscope.kernels.simd.lanes import (
    LANES,
    broadcast,
    broadcast_from,
    exp,
    horizontal_sum,
    horizontal_sums,
    load,
    multiply_add,
    store,
)


class _Model(NamedTuple):
    inputs: Any
    outputs: Any
    keys: Any  # flat
    positions: Any  # flat
    key_width: int
    rows: Any  # offsets of the context words' rows
    key_offsets: Any
    alphas: Any
    key_gradients: Any
    gradients: Any
    hidden: Any
    error: Any


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def softmax_attention(keys, key_offsets, positions, first, count, alphas):
    """Write the attention of `count` words: softmax(keys[key_offsets] + positions[first:]).

    `alphas` is padded to a multiple of eight with (nearly) zero.
    """
    largest = np.float32(-np.inf)
    for c in range(count):
        alphas[c] = keys[key_offsets[c]] + positions[first + c]
        largest = max(largest, alphas[c])
    for c in range(count, -(-count // LANES) * LANES):
        alphas[c] = -np.inf
    summed = broadcast(np.float32(0))
    for c in range(0, count, LANES):
        exponentials = exp(load(alphas, c) - broadcast(largest))
        store(alphas, c, exponentials)
        summed = summed + exponentials
    scale = broadcast(np.float32(1) / horizontal_sum(summed))
    for c in range(0, count, LANES):
        store(alphas, c, load(alphas, c) * scale)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def gather(inputs, rows, alphas, count, width, hidden):
    """Write the attention-weighted sum of `count` rows to `hidden` (width,)."""
    for k in range(0, width, LANES):
        summed = broadcast(np.float32(0))
        for c in range(count):
            summed = multiply_add(summed, broadcast_from(alphas, c), load(inputs, rows[c] + k))
        store(hidden, k, summed)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def products(inputs, rows, c, width, error):
    """Products of eight rows, from rows[c] on, with an error (width,)."""
    r0, r1, r2, r3 = rows[c], rows[c + 1], rows[c + 2], rows[c + 3]
    r4, r5, r6, r7 = rows[c + 4], rows[c + 5], rows[c + 6], rows[c + 7]
    zero = broadcast(np.float32(0))
    a0, a1, a2, a3, a4, a5, a6, a7 = zero, zero, zero, zero, zero, zero, zero, zero
    for k in range(0, width, LANES):
        e = load(error, k)
        a0 = multiply_add(a0, e, load(inputs, r0 + k))
        a1 = multiply_add(a1, e, load(inputs, r1 + k))
        a2 = multiply_add(a2, e, load(inputs, r2 + k))
        a3 = multiply_add(a3, e, load(inputs, r3 + k))
        a4 = multiply_add(a4, e, load(inputs, r4 + k))
        a5 = multiply_add(a5, e, load(inputs, r5 + k))
        a6 = multiply_add(a6, e, load(inputs, r6 + k))
        a7 = multiply_add(a7, e, load(inputs, r7 + k))
    return horizontal_sums(a0, a1, a2, a3, a4, a5, a6, a7)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def attention_gradients(inputs, rows, alphas, count, width, error, key_gradients):
    """Write the gradient of each key: alpha * (product - mean product), from the softmax."""
    weighted = broadcast(np.float32(0))
    for c in range(0, count, LANES):
        block = products(inputs, rows, c, width, error)
        store(key_gradients, c, block)
        weighted = multiply_add(weighted, block, load(alphas, c))
    mean = broadcast(horizontal_sum(weighted))
    for c in range(0, count, LANES):
        store(key_gradients, c, load(alphas, c) * (load(key_gradients, c) - mean))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def update_keys(keys, key_offsets, positions, first, count, key_gradients):
    """Add the gradients to the keys of words and of positions."""
    for c in range(count):
        keys[key_offsets[c]] += key_gradients[c]
        positions[first + c] += key_gradients[c]


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def scatter(inputs, rows, alphas, count, width, error):
    """Add an error (width,), times their attention, to `count` rows."""
    for k in range(0, width, LANES):
        change = load(error, k)
        for c in range(count):
            row = load(inputs, rows[c] + k)
            store(inputs, rows[c] + k, multiply_add(row, change, broadcast_from(alphas, c)))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def set_offsets(words, count, first, width, key_width, rows, key_offsets):
    """Write the offsets of the row and the key of each word; pad `rows` to a multiple of eight."""
    for c in range(count):
        rows[c] = words[c] * width
        key_offsets[c] = words[c] * key_width + first + c
    for c in range(count, -(-count // LANES) * LANES):
        rows[c] = rows[0]


@njit(**STEP)
def _next_targets(text, windows, buffers, centre, model, state):
    """As `training_loop.next_targets`; `buffers.kept` holds words here, not offsets."""
    kept, i, width = buffers.kept, centre.position, model.inputs.shape[1]
    negatives, outputs = buffers.negatives, model.outputs
    set_targets(kept[i] * width, negatives, centre.learning_rate, buffers.targets, buffers.weights)
    state = sample_and_prefetch(text.negative_table, width, outputs, negatives, state)
    if i + 1 < centre.length:
        prefetch_row(outputs, kept[i + 1] * width, width)
    if i + 1 + windows.window < centre.length:
        word = kept[i + 1 + windows.window]
        prefetch_row(model.inputs, word * width, width)
        prefetch_row(model.keys, word * model.key_width, model.key_width)
    return state


@njit(**STEP)
def _step(text, windows, buffers, centre, model, state):
    state = _next_targets(text, windows, buffers, centre, model, state)
    inputs, rows, keys, positions = model.inputs, model.rows, model.keys, model.positions
    key_offsets, alphas, key_gradients = model.key_offsets, model.alphas, model.key_gradients
    hidden, error, count, width = model.hidden, model.error, centre.count, inputs.shape[1]
    targets, weights = buffers.targets, buffers.weights
    first = windows.window - min(centre.position, centre.reach)
    set_offsets(buffers.context, count, first, width, model.key_width, rows, key_offsets)
    softmax_attention(keys, key_offsets, positions, first, count, alphas)
    gather(inputs, rows, alphas, count, width, hidden)
    output_step(hidden, 0, width, model.outputs, targets, weights, model.gradients, error)
    attention_gradients(inputs, rows, alphas, count, width, error, key_gradients)
    scatter(inputs, rows, alphas, count, width, error)
    update_keys(keys, key_offsets, positions, first, count, key_gradients)
    return state


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def train(text, segment, window, dynamic_window, negative, inputs, outputs, keys, positions):
    """Train on a segment of the text, in place; `inputs` and `outputs` are (words, width).

    `keys` is (words, key_width) and `positions` (1, key_width), of which the first 2 * window
    columns are used, from position -window to +window. Minimises
    -log sigmoid(h.o) - sum log sigmoid(-h.n), h being the attention-weighted sum of the context.
    """
    width, padded = inputs.shape[1], -(-2 * window // LANES) * LANES
    windows = Windows(window, dynamic_window, 1)
    buffers = new_buffers(text, segment, window, negative, 1, width)
    model = _Model(
        inputs,
        outputs,
        keys.reshape(keys.size),
        positions.reshape(positions.size),
        keys.shape[1],
        np.empty(padded, np.int64),
        np.empty(padded, np.int64),
        np.empty(padded, np.float32),
        np.empty(padded, np.float32),
        np.zeros(tile_count(negative) * LANES, np.float32),
        np.zeros(width, np.float32),
        np.zeros(width, np.float32),
    )
    training_loop(text, segment, windows, buffers, _step, model)
