"""Structured skip-gram (Ling et al. 2015): skip-gram with one output vector per relative position.

The output vectors of a word are concatenated in one row, from position -window to position
+window. The positions that a sentence fills form one contiguous span of that row.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from lexiscope.kernels.predictive.negative_sampling import (
    TILE,
    compute_row_gradients,
    set_targets,
    tile_count,
)
from lexiscope.kernels.predictive.training_loop import (
    STEP,
    Windows,
    new_buffers,
    prefetch_row,
    sample_negatives,
    sample_window,
    training_loop,
)
from lexiscope.kernels.simd.lanes import LANES, broadcast_from, load, multiply_add, store


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def context_span(i, reach, n, window, width):
    """Column of an output row where the context of word i of n begins, and its number of words."""
    before = min(reach, i)
    return (window - before) * width, before + min(reach, n - 1 - i)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def next_context_span(i, n, windows, width, state):
    """Span of the word after word i, whose window is sampled from `state`; empty at the end."""
    if i + 1 >= n:
        return 0, 0
    reach, _ = sample_window(windows, state)
    return context_span(i + 1, reach, n, windows.window, width)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def prefetch_position(outputs, target, negatives, column, width):
    """Prefetch the vectors of one position: of the next target and its negative samples."""
    prefetch_row(outputs, target + column, width)
    for m in range(negatives.shape[0]):
        prefetch_row(outputs, negatives[m] + column, width)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def compute_gradients(inputs, rows, count, begin, outputs, targets, width, weights, gradients):
    """Write the gradients (count, tiles, 8) of input rows with their position's output vectors."""
    tiles = targets.shape[0] // TILE
    for c in range(count):
        column = begin + c * width
        x, end = rows[c] - column, column + width
        for tile in range(tiles):
            at = (c * tiles + tile) * LANES
            compute_row_gradients(
                inputs, x, column, end, outputs, targets, tile, weights, gradients, at
            )


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def update_position(inputs, x, outputs, targets, column, width, gradients, base):
    """Update an input row and the vectors of its position, at `column` of each output row."""
    for tile in range(targets.shape[0] // TILE):
        at = tile * TILE
        o0, o1, o2 = targets[at] + column, targets[at + 1] + column, targets[at + 2] + column
        o3, o4, o5 = targets[at + 3] + column, targets[at + 4] + column, targets[at + 5] + column
        at = base + tile * LANES
        s0, s1 = broadcast_from(gradients, at), broadcast_from(gradients, at + 1)
        s2, s3 = broadcast_from(gradients, at + 2), broadcast_from(gradients, at + 3)
        s4, s5 = broadcast_from(gradients, at + 4), broadcast_from(gradients, at + 5)
        for k in range(0, width, LANES):
            a = load(inputs, x + k)
            b0, b1, b2 = load(outputs, o0 + k), load(outputs, o1 + k), load(outputs, o2 + k)
            b3, b4, b5 = load(outputs, o3 + k), load(outputs, o4 + k), load(outputs, o5 + k)
            store(outputs, o5 + k, multiply_add(b5, s5, a))  # backwards: of equal rows only
            store(outputs, o4 + k, multiply_add(b4, s4, a))  # the first has a gradient
            store(outputs, o3 + k, multiply_add(b3, s3, a))
            store(outputs, o2 + k, multiply_add(b2, s2, a))
            store(outputs, o1 + k, multiply_add(b1, s1, a))
            store(outputs, o0 + k, multiply_add(b0, s0, a))
            left = multiply_add(multiply_add(a, s0, b0), s1, b1)
            right = multiply_add(multiply_add(s2 * b2, s3, b3), s4, b4)
            store(inputs, x + k, multiply_add(left + right, s5, b5))


class Model(NamedTuple):
    """Tables and the gradients of one centre word."""

    inputs: Any
    outputs: Any
    gradients: Any


@njit(**STEP)
def next_position_targets(text, windows, buffers, centre, inputs, state):
    """Set the targets of a centre word, sample the next negatives and prefetch an input row.

    Returns the random state, and the span of the next centre word.
    """
    kept, i, window, width = buffers.kept, centre.position, windows.window, buffers.width
    target = kept[i] * 2 * window
    set_targets(target, buffers.negatives, centre.learning_rate, buffers.targets, buffers.weights)
    table, length = text.negative_table, buffers.output_width
    state = sample_negatives(table, length, buffers.negatives, state)
    begin, count = next_context_span(i, centre.length, windows, width, state)
    if i + 1 + window < centre.length:
        prefetch_row(inputs, kept[i + 1 + window], width)
    return state, begin, count


@njit(**STEP)
def update_positions(windows, buffers, centre, next_begin, next_count, model, stride):
    """Update the rows of all context words, each with the output vectors of its position.

    The gradients of context word c begin at c * stride. The vectors that the next centre word
    needs are prefetched meanwhile.
    """
    inputs, outputs, context, width = model.inputs, model.outputs, buffers.context, buffers.width
    span = centre.position, centre.reach, centre.length, windows.window, width
    begin, _ = context_span(*span)
    for c in range(centre.count):
        if c < next_count:
            target = buffers.kept[centre.position + 1] * 2 * windows.window
            prefetch_position(outputs, target, buffers.negatives, next_begin + c * width, width)
        column, at = begin + c * width, c * stride
        update_position(
            inputs, context[c], outputs, buffers.targets, column, width, model.gradients, at
        )


@njit(**STEP)
def position_step(text, windows, buffers, centre, model, gradients_of, stride, state):
    """Update all rows of a centre word and its context; returns the new random state.

    `gradients_of` is `compute_gradients` of the model, `stride` as in `update_positions`.
    """
    inputs, outputs, targets, width = model.inputs, model.outputs, buffers.targets, buffers.width
    targeted = next_position_targets(text, windows, buffers, centre, inputs, state)
    state, next_begin, next_count = targeted
    begin, _ = context_span(centre.position, centre.reach, centre.length, windows.window, width)
    rows, weights, gradients = buffers.context, buffers.weights, model.gradients
    gradients_of(inputs, rows, centre.count, begin, outputs, targets, width, weights, gradients)
    update_positions(windows, buffers, centre, next_begin, next_count, model, stride)
    return state


@njit(**STEP)
def _step(text, windows, buffers, centre, model, state):
    stride = buffers.targets.shape[0] // TILE * LANES
    return position_step(text, windows, buffers, centre, model, compute_gradients, stride, state)


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def train(text, segment, window, dynamic_window, negative, inputs, outputs):
    """Train on a segment of the text, in place.

    `inputs` is (words, width), `outputs` (words, 2 * window * width). Minimises the loss of
    skip-gram, with the output vectors of the context word's relative position.
    """
    windows = Windows(window, dynamic_window, 1)
    widths = inputs.shape[1], outputs.shape[1]
    buffers = new_buffers(text, segment, window, negative, *widths)
    gradients = np.zeros(tile_count(negative) * 2 * window * LANES, np.float32)
    training_loop(text, segment, windows, buffers, _step, Model(inputs, outputs, gradients))
