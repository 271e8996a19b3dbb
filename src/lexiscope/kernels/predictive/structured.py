"""Structured skip-gram (Ling et al. 2015): skip-gram with one output vector per relative position.

The output vectors of a word are concatenated in one row, from position -window to position
+window. Departs from the paper: all context words of neighbouring centre words share their
negative samples.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from lexiscope.kernels.predictive.pairs import (
    INLINE,
    TILE,
    PairWindows,
    compute_pair_gradients,
    gradients_at,
    new_pair_buffers,
    pair_loop,
    rows_at,
    set_pair_targets,
    update_pair_outputs,
)
from lexiscope.kernels.predictive.training_loop import (
    STEP,
    prefetch_row,
    prefetch_sentence,
    sample_negatives,
)
from lexiscope.kernels.simd.lanes import LANES, broadcast_from, load, multiply_add, store


class Positions(NamedTuple):
    """The positions that a pair fills, one span. A word is missing at some of them.

    `present` is 1 or 0; the row of a missing word is that of any other.
    """

    rows: Any  # (positions, 2) offsets of the input rows
    present: Any  # (positions, 2) float32


class _Model(NamedTuple):
    inputs: Any
    outputs: Any
    positions: Positions


@njit(nogil=True, cache=True, boundscheck=False)
def new_positions(window):
    """Allocate the positions of a pair."""
    return Positions(np.zeros(4 * window, np.int64), np.zeros(4 * window, np.float32))


@njit(**INLINE)
def context_words(i, reach, n):
    """Numbers of context words before and after word i of n."""
    return min(reach, i), min(reach, n - 1 - i)


@njit(**INLINE)
def fill_positions(windows, pair, kept, positions):
    """Set the positions of a pair; returns the first of them and their number."""
    i, n, window = pair.position, pair.length, windows.window
    before, after = context_words(i, pair.reach, n)
    next_before, next_after = (0, 0)
    if pair.size == 2:
        next_before, next_after = context_words(i + 1, pair.next_reach, n)
    first, last = window - max(before, next_before), window + max(after, next_after)
    for position in range(first, last):
        at, offset = 2 * (position - first), position - window + (position >= window)
        here = -before <= offset <= after
        there = -next_before <= offset <= next_after
        positions.rows[at] = kept[i + offset] if here else kept[i]
        positions.rows[at + 1] = kept[i + 1 + offset] if there else kept[i]
        positions.present[at], positions.present[at + 1] = here, there
    return first, last - first


@njit(**STEP)
def next_position_targets(text, windows, buffers, pair, inputs, state):
    """Set the targets of a pair, sample the next negatives and prefetch input rows."""
    kept, i, n, window = buffers.kept, pair.position, pair.length, windows.window
    first = kept[i] * 2 * window
    second = kept[i + 1] * 2 * window if pair.size == 2 else first
    set_pair_targets(first, second, pair, buffers.negatives, buffers.targets, buffers.weights)
    if pair.last:
        table, length = text.negative_table, buffers.output_width
        state = sample_negatives(table, length, buffers.negatives, state)
    if i == 0:
        prefetch_sentence(text, pair.sentence + 1, window + 2, inputs, buffers.width)
    for j in range(i + 2 + window, min(i + 4 + window, n)):
        prefetch_row(inputs, kept[j], buffers.width)
    return state


@njit(**STEP)
def prefetch_position(windows, buffers, pair, outputs, position):
    """Prefetch the vectors of one position that the next pair of the sentence needs."""
    i, n, width = pair.position, pair.length, buffers.width
    column = position * width
    for j in range(i + 2, min(i + 4, n)):
        prefetch_row(outputs, buffers.kept[j] * 2 * windows.window + column, width)
    if pair.last:
        for m in range(buffers.negatives.shape[0]):
            prefetch_row(outputs, buffers.negatives[m] + column, width)


@njit(**STEP)
def update_position(hidden, x, y, model, c, buffers, column, base):
    """Update the output vectors of a position by vectors x and y, and the input rows of both."""
    inputs, targets, width = model.inputs, buffers.targets, buffers.width
    rows, present = model.positions.rows, model.positions.present
    first, second = rows[2 * c], rows[2 * c + 1]
    m, n = broadcast_from(present, 2 * c), broadcast_from(present, 2 * c + 1)
    for tile in range(targets.shape[0] // TILE):
        at, targeted = base + tile * 2 * LANES, rows_at(targets, tile, column)
        g, h = gradients_at(buffers.gradients, at), gradients_at(buffers.gradients, at + LANES)
        for k in range(0, width, LANES):
            a, b = load(hidden, x + k), load(hidden, y + k)
            e, f = update_pair_outputs(model.outputs, targeted, k, a, b, g, h)
            store(inputs, first + k, multiply_add(load(inputs, first + k), m, e))
            store(inputs, second + k, multiply_add(load(inputs, second + k), n, f))


@njit(**STEP)
def _mask(gradients, at, present, c):
    """A word that is missing at a position has no gradients there."""
    for word in range(2):
        masked = load(gradients, at + word * LANES) * broadcast_from(present, 2 * c + word)
        store(gradients, at + word * LANES, masked)


@njit(**STEP)
def _step(text, windows, buffers, pair, model, state):
    inputs, outputs, positions = model.inputs, model.outputs, model.positions
    targets, weights, width = buffers.targets, buffers.weights, buffers.width
    state = next_position_targets(text, windows, buffers, pair, inputs, state)
    begin, count = fill_positions(windows, pair, buffers.kept, positions)
    stride = targets.shape[0] // TILE * 2 * LANES
    for c in range(count):
        x, y, column = positions.rows[2 * c], positions.rows[2 * c + 1], (begin + c) * width
        compute_pair_gradients(
            inputs, x, y, outputs, targets, column, width, weights, buffers.gradients, c * stride
        )
        for at in range(c * stride, (c + 1) * stride, 2 * LANES):
            _mask(buffers.gradients, at, positions.present, c)
    for c in range(count):
        prefetch_position(windows, buffers, pair, outputs, begin + c)
        x, y, column = positions.rows[2 * c], positions.rows[2 * c + 1], (begin + c) * width
        update_position(inputs, x, y, model, c, buffers, column, c * stride)
    return state


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def train(text, segment, window, dynamic_window, negative, shared_centres, inputs, outputs):
    """Train on a segment of the text, in place.

    `inputs` is (words, width), `outputs` (words, 2 * window * width). Minimises the loss of
    skip-gram, with the output vectors of the context word's relative position.
    """
    windows = PairWindows(window, dynamic_window, shared_centres)
    widths = inputs.shape[1], outputs.shape[1]
    buffers = new_pair_buffers(text, segment, negative, *widths, 2 * window)
    model = _Model(inputs, outputs, new_positions(window))
    pair_loop(text, segment, windows, buffers, _step, model)
