"""The vector log-bilinear model (Mnih and Kavukcuoglu 2013).

The sum of the context vectors, each multiplied with the weights of its relative position, predicts
the centre word. The column after a vector is its bias: the hidden vector is 1 there, weights and
inputs are 0. Noise-contrastive estimation subtracts log(k P(w)) from a score, which the initial
value of a bias contains; its loop is then that of negative sampling, except that negative samples
equal to the target count.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from lexiscope.kernels.predictive.negative_sampling import (
    TILE,
    compute_row_gradients,
    tile_count,
    update_outputs,
)
from lexiscope.kernels.predictive.training_loop import (
    STEP,
    Windows,
    new_buffers,
    next_targets,
    training_loop,
)
from lexiscope.kernels.simd.lanes import LANES, broadcast, load, multiply_add, store


class _Model(NamedTuple):
    inputs: Any
    outputs: Any
    positions: Any
    bias: int
    contrastive: bool
    gradients: Any
    hidden: Any
    error: Any


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def gather(inputs, rows, count, positions, first, width, hidden):
    """Write the sum of `count` rows, times the position weights from offset `first` on."""
    for k in range(0, width, LANES):
        summed = broadcast(np.float32(0))
        for c in range(count):
            weight = load(positions, first + c * width + k)
            summed = multiply_add(summed, weight, load(inputs, rows[c] + k))
        store(hidden, k, summed)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def scatter(inputs, rows, count, positions, first, width, error):
    """Update rows and position weights by the error of the hidden vector."""
    for k in range(0, width, LANES):
        change = load(error, k)
        for c in range(count):
            at = first + c * width + k
            row = load(inputs, rows[c] + k)
            weight = load(positions, at)
            store(positions, at, multiply_add(weight, change, row))
            store(inputs, rows[c] + k, multiply_add(row, change, weight))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def contrastive_step(hidden, width, outputs, targets, repeated, weights, gradients, error):
    """Update the output rows for one hidden vector, and write the update of `hidden` to `error`.

    `repeated` is the weight of the negative samples that are the target itself.
    """
    weights[0] += repeated
    for tile in range(targets.shape[0] // TILE):
        at = tile * LANES
        compute_row_gradients(hidden, 0, 0, width, outputs, targets, tile, weights, gradients, at)
    gradients[0] -= repeated
    update_outputs(hidden, 0, width, outputs, targets, gradients, error)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def count_target(target, negatives):
    """Number of negative samples that are the target."""
    count = 0
    for m in range(negatives.shape[0]):
        count += negatives[m] == target
    return np.float32(count)


@njit(**STEP)
def _step(text, windows, buffers, centre, model, state):
    inputs, outputs, positions = model.inputs, model.outputs, model.positions
    context, count, width = buffers.context, centre.count, buffers.width
    repeated = np.float32(0)
    if model.contrastive:
        target = buffers.kept[centre.position]
        repeated = centre.learning_rate * count_target(target, buffers.negatives)
    state = next_targets(text, windows, buffers, centre, inputs, outputs, state)
    hidden, error, gradients = model.hidden, model.error, model.gradients
    first = (windows.window - min(centre.position, centre.reach)) * width
    gather(inputs, context, count, positions, first, width, hidden)
    hidden[model.bias] = np.float32(1)
    targets, weights = buffers.targets, buffers.weights
    contrastive_step(hidden, width, outputs, targets, repeated, weights, gradients, error)
    scatter(inputs, context, count, positions, first, width, error)
    return state


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def train(
    text, segment, window, dynamic_window, negative, contrastive, inputs, outputs, positions, bias
):
    """Train on a segment of the text, in place.

    `inputs` and `outputs` are (words, width), `positions` (2 * window, width) from position
    -window to +window; column `bias` of `outputs` holds the biases. Minimises
    -log sigmoid(h.o + b) - sum log sigmoid(-h.n - b). Negative samples that are the target count
    only if the loss is `contrastive`.
    """
    width = inputs.shape[1]
    windows = Windows(window, dynamic_window, 1)
    buffers = new_buffers(text, segment, window, negative, width, width)
    gradients = np.zeros(tile_count(negative) * LANES, np.float32)
    hidden, error = np.zeros(width, np.float32), np.zeros(width, np.float32)
    model = _Model(inputs, outputs, positions, bias, contrastive, gradients, hidden, error)
    training_loop(text, segment, windows, buffers, _step, model)
