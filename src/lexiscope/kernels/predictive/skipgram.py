"""Skip-gram with negative sampling (Mikolov et al. 2013).

Departs from the paper: the context words of one centre word share their negative samples, so that
six output rows serve all of them. As in word2vec's program, the rows of the context words are the
inputs and predict the centre word.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from lexiscope.kernels.predictive.negative_sampling import (
    compute_gradients,
    tile_count,
    update_rows,
)
from lexiscope.kernels.predictive.training_loop import (
    STEP,
    Windows,
    new_buffers,
    next_targets,
    training_loop,
)
from lexiscope.kernels.simd.lanes import LANES


class _Model(NamedTuple):
    inputs: Any
    outputs: Any
    gradients: Any


@njit(**STEP)
def _step(text, windows, buffers, centre, model, state):
    inputs, outputs, gradients = model.inputs, model.outputs, model.gradients
    state = next_targets(text, windows, buffers, centre, inputs, outputs, state)
    context, targets, count, width = buffers.context, buffers.targets, centre.count, buffers.width
    compute_gradients(inputs, context, count, outputs, targets, width, buffers.weights, gradients)
    update_rows(inputs, context, count, outputs, targets, width, gradients)
    return state


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def train(text, segment, window, dynamic_window, negative, inputs, outputs):
    """Train on a segment of the text; `inputs` and `outputs` are (words, width), in place.

    Minimises -log sigmoid(x.o) - sum log sigmoid(-x.n) for each context word x of each centre word
    o with its negative samples n.
    """
    width = inputs.shape[1]
    windows = Windows(window, dynamic_window, 1)
    buffers = new_buffers(text, segment, window, negative, width, width)
    gradients = np.zeros(tile_count(negative) * 2 * window * LANES, np.float32)
    training_loop(text, segment, windows, buffers, _step, _Model(inputs, outputs, gradients))
