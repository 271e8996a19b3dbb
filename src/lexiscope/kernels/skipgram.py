"""Skip-gram (Mikolov et al. 2013): each word around is to foretell the word in the middle.

The words around share their negative examples, so that six output rows serve all of them.
"""

import numpy as np
from numba import njit

from lexiscope.kernels.lanes import LANES
from lexiscope.kernels.negatives import TILE, line_up, move, tiles_of, weigh
from lexiscope.kernels.walking import around, fetch, foresee, longest, reached, thin


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def walk(text, piece, window, dynamic, negatives, inputs, outputs):
    """Take the steps of a piece of the text; `inputs` and `outputs` are (words, width)."""
    width = inputs.shape[1]
    tiles = tiles_of(negatives)
    kept = np.empty(longest(text.starts, piece.begin, piece.end), np.int64)
    rows = np.empty(2 * window + 1, np.int64)
    coming = np.empty(negatives, np.int64)
    places = np.zeros(tiles * TILE, np.int64)
    weights = np.zeros(tiles * LANES, np.float32)
    slopes = np.zeros(tiles * 2 * window * LANES, np.float32)
    state = foresee(text.noise, width, outputs, coming, np.uint64(piece.seed))
    for s in range(piece.begin, piece.end):
        walked = text.starts[s] - text.starts[piece.begin]
        rate = np.float32(piece.rate - piece.fall * walked)
        n, state = thin(text, s, width, kept, state)
        for i in range(n):
            reach, state = reached(window, dynamic, state)
            count = around(kept, i, reach, n, rows)
            if count == 0:
                continue
            line_up(kept[i], coming, rate, places, weights)
            state = foresee(text.noise, width, outputs, coming, state)
            if i + 1 < n:
                fetch(outputs, kept[i + 1], width)
            if i + 1 + window < n:
                fetch(inputs, kept[i + 1 + window], width)
            weigh(inputs, rows, count, outputs, places, width, weights, slopes)
            move(inputs, rows, count, outputs, places, width, slopes)
