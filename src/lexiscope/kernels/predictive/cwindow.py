"""Continuous window (Ling et al. 2015): the concatenated context vectors predict the centre word.

Positions beyond the sentence are zero vectors, which contribute nothing and get no update: what
remains is one contiguous span of the concatenation and of every output row. The concatenation is
never written out; each context vector is read from its row.
"""

import numpy as np
from numba import njit

from lexiscope.kernels.predictive.negative_sampling import TILE, store_gradients, tile_count
from lexiscope.kernels.predictive.structured import Model, position_step
from lexiscope.kernels.predictive.training_loop import STEP, Windows, new_buffers, training_loop
from lexiscope.kernels.simd.lanes import LANES, broadcast, horizontal_sums, load, multiply_add


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def compute_gradients(inputs, rows, count, begin, outputs, targets, width, weights, gradients):
    """Write the gradients (tiles, 8) of `count` concatenated input rows, of which six are used.

    The concatenation is multiplied with the columns of each output row from `begin` on.
    """
    for tile in range(targets.shape[0] // TILE):
        at = tile * TILE
        o0, o1, o2 = targets[at] + begin, targets[at + 1] + begin, targets[at + 2] + begin
        o3, o4, o5 = targets[at + 3] + begin, targets[at + 4] + begin, targets[at + 5] + begin
        zero = broadcast(np.float32(0))
        a0, a1, a2, a3, a4, a5 = zero, zero, zero, zero, zero, zero
        for c in range(count):
            x = rows[c] - c * width
            for k in range(c * width, (c + 1) * width, LANES):
                a = load(inputs, x + k)
                a0 = multiply_add(a0, a, load(outputs, o0 + k))
                a1 = multiply_add(a1, a, load(outputs, o1 + k))
                a2 = multiply_add(a2, a, load(outputs, o2 + k))
                a3 = multiply_add(a3, a, load(outputs, o3 + k))
                a4 = multiply_add(a4, a, load(outputs, o4 + k))
                a5 = multiply_add(a5, a, load(outputs, o5 + k))
        products = horizontal_sums(a0, a1, a2, a3, a4, a5, zero, zero)
        store_gradients(products, tile, weights, gradients, tile * LANES)


@njit(**STEP)
def _step(text, windows, buffers, centre, model, state):
    # All context words share the gradients of their concatenation: a stride of 0.
    return position_step(text, windows, buffers, centre, model, compute_gradients, 0, state)


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def train(text, segment, window, dynamic_window, negative, inputs, outputs):
    """Train on a segment of the text, in place.

    `inputs` is (words, width), `outputs` (words, 2 * window * width). Minimises
    -log sigmoid(h.o) - sum log sigmoid(-h.n) for each centre word o with its negative samples n,
    h being the concatenation of its context vectors.
    """
    windows = Windows(window, dynamic_window, 1)
    widths = inputs.shape[1], outputs.shape[1]
    buffers = new_buffers(text, segment, window, negative, *widths)
    gradients = np.zeros(tile_count(negative) * LANES, np.float32)
    training_loop(text, segment, windows, buffers, _step, Model(inputs, outputs, gradients))
