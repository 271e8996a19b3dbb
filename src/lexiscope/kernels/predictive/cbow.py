"""Continuous bag of words with negative sampling (Mikolov et al. 2013).

The mean or the sum of the context vectors predicts the centre word.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from lexiscope.kernels.predictive.negative_sampling import output_step, tile_count
from lexiscope.kernels.predictive.training_loop import (
    STEP,
    Windows,
    new_buffers,
    next_targets,
    training_loop,
)
from lexiscope.kernels.simd.lanes import LANES, broadcast, load, store

_ONE = np.float32(1)


class _Model(NamedTuple):
    inputs: Any
    outputs: Any
    mean: bool
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
def _step(text, windows, buffers, centre, model, state):
    inputs, outputs, hidden, error = model.inputs, model.outputs, model.hidden, model.error
    state = next_targets(text, windows, buffers, centre, inputs, outputs, state)
    context, width, count = buffers.context, buffers.width, centre.count
    fraction = _ONE / np.float32(count)
    gather(inputs, context, count, fraction if model.mean else _ONE, width, hidden)
    output_step(hidden, 0, width, outputs, buffers.targets, buffers.weights, model.gradients, error)
    scatter(inputs, context, count, _ONE if model.mean else fraction, width, error)
    return state


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def train(text, segment, window, dynamic_window, negative, mean, inputs, outputs):
    """Train on a segment of the text; `inputs` and `outputs` are (words, width), in place.

    Minimises -log sigmoid(h.o) - sum log sigmoid(-h.n) for each centre word o with its negative
    samples n. With `mean`, h is the mean of the context vectors and each of them gets the whole
    error, as in word2vec's program; without, h is their sum and each gets an equal part of it.
    """
    width = inputs.shape[1]
    windows = Windows(window, dynamic_window, 1)
    buffers = new_buffers(text, segment, window, negative, width, width)
    gradients = np.zeros(tile_count(negative) * LANES, np.float32)
    hidden, error = np.zeros(width, np.float32), np.zeros(width, np.float32)
    model = _Model(inputs, outputs, mean, gradients, hidden, error)
    training_loop(text, segment, windows, buffers, _step, model)
