"""Document context models (Sun et al. 2015): documents and context words predict the centre word.

`document_of` (sentences,) holds the document of each sentence, a row of `documents` (documents,
width). A word without context words is still predicted by its document. Both losses of a centre
word share its negative samples.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from lexiscope.kernels.predictive.negative_sampling import (
    TILE,
    compute_gradients,
    output_step,
    tile_count,
    update_rows,
)
from lexiscope.kernels.predictive.training_loop import (
    STEP,
    Windows,
    new_buffers,
    next_targets,
    prefetch_row,
    training_loop,
)
from lexiscope.kernels.simd.lanes import (
    LANES,
    broadcast,
    broadcast_from,
    load,
    multiply_add,
    store,
)


class _Model(NamedTuple):
    document_of: Any
    inputs: Any
    outputs: Any
    documents: Any
    both: Any  # offsets in `hidden` of the context mean and of the document
    gradients: Any
    hidden: Any
    error: Any


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def gather(inputs, rows, count, scale, width, hidden):
    """Write `scale` times the sum of `count` rows to `hidden` (width,)."""
    for k in range(0, width, LANES):
        summed = load(inputs, rows[0] + k)
        for c in range(1, count):
            summed = summed + load(inputs, rows[c] + k)
        store(hidden, k, summed * broadcast(scale))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def scatter(inputs, rows, count, scale, width, error):
    """Add `scale` times an error (width,) to `count` rows."""
    for k in range(0, width, LANES):
        change = load(error, k) * broadcast(scale)
        for c in range(count):
            store(inputs, rows[c] + k, load(inputs, rows[c] + k) + change)


@njit(**STEP)
def _read_document(model, centre, width, offset):
    """Copy the document of a sentence to `hidden` at its first word."""
    if centre.position == 0:
        document = np.int64(model.document_of[centre.sentence]) * width
        _copy(model.documents, document, model.hidden, offset, width)


@njit(**STEP)
def _write_document(model, centre, width, offset):
    """Copy the document of a sentence back at its last word."""
    if centre.position == centre.length - 1:
        document = np.int64(model.document_of[centre.sentence]) * width
        _copy(model.hidden, offset, model.documents, document, width)


@njit(**STEP)
def _parallel_step(text, windows, buffers, centre, model, state):
    inputs, outputs, hidden, error = model.inputs, model.outputs, model.hidden, model.error
    context, targets, count, width = buffers.context, buffers.targets, centre.count, buffers.width
    _read_document(model, centre, width, width)
    state = next_targets(text, windows, buffers, centre, inputs, outputs, state)
    fraction = np.float32(1) / np.float32(max(count, 1))
    if count:
        gather(inputs, context, count, fraction, width, hidden)
    else:
        _clear(hidden, width)
    weights, gradients = buffers.weights, model.gradients
    compute_gradients(hidden, model.both, 2, outputs, targets, width, weights, gradients)
    _update_two(hidden, outputs, targets, width, gradients, error)
    # The gradient of a mean: each context word gets its part, the document gets all.
    scatter(inputs, context, count, fraction, width, error)
    _add(error, width, hidden, width, width)
    _write_document(model, centre, width, width)
    return state


@njit(**STEP)
def _hierarchical_step(text, windows, buffers, centre, model, state):
    inputs, outputs, hidden, error = model.inputs, model.outputs, model.hidden, model.error
    context, targets, count, width = buffers.context, buffers.targets, centre.count, buffers.width
    _read_document(model, centre, width, 0)
    state = next_targets(text, windows, buffers, centre, inputs, outputs, state)
    for m in range(buffers.negatives.shape[0]):
        prefetch_row(inputs, buffers.negatives[m], width)
    weights, gradients = buffers.weights, model.gradients
    compute_gradients(inputs, context, count, outputs, targets, width, weights, gradients)
    update_rows(inputs, context, count, outputs, targets, width, gradients)
    output_step(hidden, 0, width, inputs, targets, weights, gradients, error)
    _add(error, 0, hidden, 0, width)
    _write_document(model, centre, width, 0)
    return state


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def train_parallel(
    text, document_of, segment, window, dynamic_window, negative, inputs, outputs, documents
):
    """Parallel document context: train on a segment of the text, in place.

    The mean of the context vectors and the document vector each predict the centre word;
    `inputs` and `outputs` are (words, width). Minimises -log sigmoid(h.o) - sum log sigmoid(-h.n)
    for both as h.
    """
    width = inputs.shape[1]
    windows = Windows(window, dynamic_window, 0)
    buffers = new_buffers(text, segment, window, negative, width, width)
    gradients = np.zeros(tile_count(negative) * 2 * LANES, np.float32)
    hidden, error = np.zeros(2 * width, np.float32), np.zeros(2 * width, np.float32)
    tables = document_of, inputs, outputs, documents
    model = _Model(*tables, np.array([0, width]), gradients, hidden, error)
    training_loop(text, segment, windows, buffers, _parallel_step, model)


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def train_hierarchical(
    text, document_of, segment, window, dynamic_window, negative, inputs, outputs, documents
):
    """Hierarchical document context: train on a segment of the text, in place.

    Each context word predicts the centre word's row of `outputs`, as in skip-gram; then the
    document predicts its row of `inputs`. Both tables are (words, width).
    """
    width = inputs.shape[1]
    windows = Windows(window, dynamic_window, 0)
    buffers = new_buffers(text, segment, window, negative, width, width)
    gradients = np.zeros(tile_count(negative) * 2 * window * LANES, np.float32)
    hidden, error = np.zeros(width, np.float32), np.zeros(width, np.float32)
    tables = document_of, inputs, outputs, documents
    model = _Model(*tables, np.array([0, width]), gradients, hidden, error)
    training_loop(text, segment, windows, buffers, _hierarchical_step, model)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def _update_two(hidden, outputs, targets, width, gradients, error):
    """Update the output rows for two hidden vectors; write the updates of these to `error`."""
    for k in range(0, 2 * width, LANES):
        store(error, k, broadcast(np.float32(0)))
    for tile in range(targets.shape[0] // TILE):
        o0, o1, o2 = targets[tile * TILE], targets[tile * TILE + 1], targets[tile * TILE + 2]
        o3, o4, o5 = targets[tile * TILE + 3], targets[tile * TILE + 4], targets[tile * TILE + 5]
        at = tile * 2 * LANES
        for k in range(0, width, LANES):
            x, y = load(hidden, k), load(hidden, width + k)
            b0, b1, b2 = load(outputs, o0 + k), load(outputs, o1 + k), load(outputs, o2 + k)
            b3, b4, b5 = load(outputs, o3 + k), load(outputs, o4 + k), load(outputs, o5 + k)
            for c in range(2):
                first = at + c * LANES
                left = multiply_add(
                    load(error, c * width + k), broadcast_from(gradients, first), b0
                )
                left = multiply_add(left, broadcast_from(gradients, first + 1), b1)
                left = multiply_add(left, broadcast_from(gradients, first + 2), b2)
                right = broadcast_from(gradients, first + 3) * b3
                right = multiply_add(right, broadcast_from(gradients, first + 4), b4)
                right = multiply_add(right, broadcast_from(gradients, first + 5), b5)
                store(error, c * width + k, left + right)
            # Backwards: of equal rows only the first has changed.
            store(outputs, o5 + k, _updated(b5, x, y, gradients, at + 5))
            store(outputs, o4 + k, _updated(b4, x, y, gradients, at + 4))
            store(outputs, o3 + k, _updated(b3, x, y, gradients, at + 3))
            store(outputs, o2 + k, _updated(b2, x, y, gradients, at + 2))
            store(outputs, o1 + k, _updated(b1, x, y, gradients, at + 1))
            store(outputs, o0 + k, _updated(b0, x, y, gradients, at))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def _updated(row, x, y, gradients, at):
    halfway = multiply_add(row, broadcast_from(gradients, at), x)
    return multiply_add(halfway, broadcast_from(gradients, at + LANES), y)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def _copy(source, offset, target, target_offset, width):
    for k in range(0, width, LANES):
        store(target, target_offset + k, load(source, offset + k))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def _add(source, offset, target, target_offset, width):
    for k in range(0, width, LANES):
        store(target, target_offset + k, load(target, target_offset + k) + load(source, offset + k))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def _clear(target, width):
    for k in range(0, width, LANES):
        store(target, k, broadcast(np.float32(0)))
