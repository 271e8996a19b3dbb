"""Continuous window (Ling et al. 2015): the concatenated context vectors predict the centre word.

Positions beyond the sentence are zero vectors, which contribute nothing and get no update: what
remains is one contiguous span of the concatenation and of every output row. Departs from the
paper: neighbouring centre words share their negative samples.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from lexiscope.kernels.predictive.pairs import (
    PairWindows,
    compute_pair_gradients,
    new_pair_buffers,
    pair_loop,
)
from lexiscope.kernels.predictive.structured import (
    Positions,
    fill_positions,
    new_positions,
    next_position_targets,
    prefetch_position,
    update_position,
)
from lexiscope.kernels.predictive.training_loop import STEP
from lexiscope.kernels.simd.lanes import LANES, broadcast_from, load, store


class _Model(NamedTuple):
    inputs: Any
    outputs: Any
    positions: Positions
    hidden: Any  # (2, positions * width), the concatenations of a pair


@njit(**STEP)
def _concatenate(model, count, width):
    rows, present, hidden = model.positions.rows, model.positions.present, model.hidden
    for word in range(2):
        for c in range(count):
            row, to = rows[2 * c + word], (word * count + c) * width
            mask = broadcast_from(present, 2 * c + word)
            for k in range(0, width, LANES):
                store(hidden, to + k, load(model.inputs, row + k) * mask)


@njit(**STEP)
def _step(text, windows, buffers, pair, model, state):
    outputs, hidden, width = model.outputs, model.hidden, buffers.width
    state = next_position_targets(text, windows, buffers, pair, model.inputs, state)
    begin, count = fill_positions(windows, pair, buffers.kept, model.positions)
    _concatenate(model, count, width)
    length, column = count * width, begin * width
    targets, weights, gradients = buffers.targets, buffers.weights, buffers.gradients
    compute_pair_gradients(
        hidden, 0, length, outputs, targets, column, length, weights, gradients, 0
    )
    for c in range(count):
        prefetch_position(windows, buffers, pair, outputs, begin + c)
        x, column = c * width, (begin + c) * width
        update_position(hidden, x, length + x, model, c, buffers, column, 0)
    return state


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def train(text, segment, window, dynamic_window, negative, shared_centres, inputs, outputs):
    """Train on a segment of the text, in place.

    `inputs` is (words, width), `outputs` (words, 2 * window * width). Minimises
    -log sigmoid(h.o) - sum log sigmoid(-h.n) for each centre word o with its negative samples n,
    h being the concatenation of its context vectors.
    """
    windows = PairWindows(window, dynamic_window, shared_centres)
    widths = inputs.shape[1], outputs.shape[1]
    buffers = new_pair_buffers(text, segment, negative, *widths, 1)
    hidden = np.zeros(4 * window * inputs.shape[1], np.float32)
    model = _Model(inputs, outputs, new_positions(window), hidden)
    pair_loop(text, segment, windows, buffers, _step, model)
