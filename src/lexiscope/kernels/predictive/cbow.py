"""Continuous bag of words with negative sampling (Mikolov et al. 2013).

The mean or the sum of the context vectors predicts the centre word. Departs from the paper:
neighbouring centre words share their negative samples.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from lexiscope.kernels.predictive.pairs import (
    INLINE,
    PairWindows,
    compute_pair_gradients,
    new_pair_buffers,
    pair_loop,
    set_pair_targets,
    update_pair,
)
from lexiscope.kernels.predictive.training_loop import (
    STEP,
    prefetch_row,
    prefetch_sentence,
    sample_and_prefetch,
)
from lexiscope.kernels.simd.lanes import LANES, broadcast, broadcast_from, load, multiply_add, store

_ONE = np.float32(1)
_BLOCK = 4 * LANES  # columns that are summed in one pass over the context words


class _Model(NamedTuple):
    inputs: Any
    outputs: Any
    mean: bool
    inside: Any  # (context words, 2): 1 where a word is in the context of a word of the pair
    hidden: Any  # (2, width)
    error: Any  # (2, width)


@njit(**INLINE)
def find_contexts(pair, inside):
    """Write which words are in the context of either centre word; returns where they begin, end."""
    i, n = pair.position, pair.length
    begin = max(0, min(i - pair.reach, i + 1 - pair.next_reach))
    end = min(n, max(i + pair.reach, i + 1 + pair.next_reach) + 1)
    for j in range(begin, end):
        at = 2 * (j - begin)
        inside[at] = (j != i) & (abs(j - i) <= pair.reach)
        inside[at + 1] = (j != i + 1) & (abs(j - i - 1) <= pair.next_reach)
    return begin, end


@njit(**INLINE)
def context_fractions(pair):
    """One divided by the number of context words, for both centre words."""
    i, n = pair.position, pair.length
    count = min(pair.reach, i) + min(pair.reach, n - 1 - i)
    next_count = min(pair.next_reach, i + 1) + min(pair.next_reach, max(n - 2 - i, 0))
    return _ONE / np.float32(count), _ONE / np.float32(next_count)


@njit(**INLINE)
def gather(inputs, rows, inside, scales, width, hidden):
    """Write the scaled sums of the context vectors of both centre words to `hidden` (2, width).

    `inside` says which of the rows are context words of which centre word. The loop over the rows,
    whose number is random, is the inner one: four vectors at a time, it seldom ends.
    """
    u, v = broadcast(scales[0]), broadcast(scales[1])
    zero = broadcast(np.float32(0))
    whole = width - width % _BLOCK
    for k in range(0, whole, _BLOCK):
        a0, a1, a2, a3 = zero, zero, zero, zero
        b0, b1, b2, b3 = zero, zero, zero, zero
        for j in range(rows.shape[0]):
            row = rows[j] + k
            g, h = broadcast_from(inside, 2 * j), broadcast_from(inside, 2 * j + 1)
            x = load(inputs, row)
            a0, b0 = multiply_add(a0, g, x), multiply_add(b0, h, x)
            x = load(inputs, row + LANES)
            a1, b1 = multiply_add(a1, g, x), multiply_add(b1, h, x)
            x = load(inputs, row + 2 * LANES)
            a2, b2 = multiply_add(a2, g, x), multiply_add(b2, h, x)
            x = load(inputs, row + 3 * LANES)
            a3, b3 = multiply_add(a3, g, x), multiply_add(b3, h, x)
        _store_block(hidden, k, u * a0, u * a1, u * a2, u * a3)
        _store_block(hidden, width + k, v * b0, v * b1, v * b2, v * b3)
    for k in range(whole, width, LANES):
        a, b = zero, zero
        for j in range(rows.shape[0]):
            x = load(inputs, rows[j] + k)
            a = multiply_add(a, broadcast_from(inside, 2 * j), x)
            b = multiply_add(b, broadcast_from(inside, 2 * j + 1), x)
        store(hidden, k, u * a)
        store(hidden, width + k, v * b)


@njit(**INLINE)
def _store_block(table, k, a, b, c, d):
    store(table, k, a)
    store(table, k + LANES, b)
    store(table, k + 2 * LANES, c)
    store(table, k + 3 * LANES, d)


@njit(**INLINE)
def _load_block(table, k, scale):
    return (
        load(table, k) * scale,
        load(table, k + LANES) * scale,
        load(table, k + 2 * LANES) * scale,
        load(table, k + 3 * LANES) * scale,
    )


@njit(**INLINE)
def scatter(inputs, rows, inside, scales, width, error):
    """Add the scaled errors (2, width) of both centre words to their context vectors."""
    u, v = broadcast(scales[0]), broadcast(scales[1])
    whole = width - width % _BLOCK
    for k in range(0, whole, _BLOCK):
        e0, e1, e2, e3 = _load_block(error, k, u)
        f0, f1, f2, f3 = _load_block(error, width + k, v)
        for j in range(rows.shape[0]):
            row = rows[j] + k
            g, h = broadcast_from(inside, 2 * j), broadcast_from(inside, 2 * j + 1)
            _change(inputs, row, g, e0, h, f0)
            _change(inputs, row + LANES, g, e1, h, f1)
            _change(inputs, row + 2 * LANES, g, e2, h, f2)
            _change(inputs, row + 3 * LANES, g, e3, h, f3)
    for k in range(whole, width, LANES):
        e, f = load(error, k) * u, load(error, width + k) * v
        for j in range(rows.shape[0]):
            g, h = broadcast_from(inside, 2 * j), broadcast_from(inside, 2 * j + 1)
            _change(inputs, rows[j] + k, g, e, h, f)


@njit(**INLINE)
def _change(table, at, g, e, h, f):
    store(table, at, multiply_add(multiply_add(load(table, at), g, e), h, f))


@njit(**STEP)
def _next_targets(text, windows, buffers, pair, inputs, outputs, state):
    """Set the targets of a pair and prefetch the rows that the next one needs."""
    kept, i, n, width = buffers.kept, pair.position, pair.length, buffers.width
    second = kept[i + 1] if pair.size == 2 else kept[i]
    set_pair_targets(kept[i], second, pair, buffers.negatives, buffers.targets, buffers.weights)
    if pair.last:
        state = sample_and_prefetch(text.negative_table, width, outputs, buffers.negatives, state)
    if i == 0:
        prefetch_sentence(text, pair.sentence + 1, windows.window + 2, inputs, width)
        prefetch_sentence(text, pair.sentence + 1, 2, outputs, width)
    for j in range(i + 2, min(i + 4, n)):
        prefetch_row(outputs, kept[j], width)
    for j in range(i + 2 + windows.window, min(i + 4 + windows.window, n)):
        prefetch_row(inputs, kept[j], width)
    return state


@njit(**STEP)
def _step(text, windows, buffers, pair, model, state):
    inputs, outputs, hidden, error = model.inputs, model.outputs, model.hidden, model.error
    state = _next_targets(text, windows, buffers, pair, inputs, outputs, state)
    begin, end = find_contexts(pair, model.inside)
    rows, width = buffers.kept[begin:end], buffers.width
    fractions, ones = context_fractions(pair), (_ONE, _ONE)
    gather(inputs, rows, model.inside, fractions if model.mean else ones, width, hidden)
    targets, weights, gradients = buffers.targets, buffers.weights, buffers.gradients
    compute_pair_gradients(hidden, 0, width, outputs, targets, 0, width, weights, gradients, 0)
    update_pair(hidden, outputs, targets, width, gradients, error)
    scatter(inputs, rows, model.inside, ones if model.mean else fractions, width, error)
    return state


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def train(text, segment, window, dynamic_window, negative, shared_centres, mean, inputs, outputs):
    """Train on a segment of the text; `inputs` and `outputs` are (words, width), in place.

    Minimises -log sigmoid(h.o) - sum log sigmoid(-h.n) for each centre word o with its negative
    samples n. With `mean`, h is the mean of the context vectors and each of them gets the whole
    error, as in word2vec's program; without, h is their sum and each gets an equal part of it.
    """
    width = inputs.shape[1]
    windows = PairWindows(window, dynamic_window, shared_centres)
    buffers = new_pair_buffers(text, segment, negative, width, width, 1)
    inside = np.zeros(2 * (2 * window + 2), np.float32)
    hidden, error = np.zeros(2 * width, np.float32), np.zeros(2 * width, np.float32)
    model = _Model(inputs, outputs, mean, inside, hidden, error)
    pair_loop(text, segment, windows, buffers, _step, model)
