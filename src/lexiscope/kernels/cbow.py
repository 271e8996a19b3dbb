"""Continuous bag of words (Mikolov et al. 2013): the words around together foretell the middle."""

import numpy as np
from numba import njit

from lexiscope.kernels.lanes import LANES, put, spread, take
from lexiscope.kernels.negatives import TILE, answer, line_up, tiles_of
from lexiscope.kernels.walking import around, fetch, foresee, longest, reached, thin


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def gather(inputs, rows, count, share, width, hidden):
    """Write `share` times the sum of some rows to `hidden`."""
    for k in range(0, width, LANES):
        summed = take(inputs, rows[0] + k)
        for c in range(1, count):
            summed = summed + take(inputs, rows[c] + k)
        put(hidden, k, summed * spread(share))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def scatter(inputs, rows, count, share, width, error):
    """Add `share` times an error to some rows."""
    for k in range(0, width, LANES):
        moved = take(error, k) * spread(share)
        for c in range(count):
            put(inputs, rows[c] + k, take(inputs, rows[c] + k) + moved)


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def walk(text, piece, window, dynamic, negatives, mean, inputs, outputs):
    """Take the steps of a piece of the text; `inputs` and `outputs` are (words, width).

    With `mean` the hidden vector is the mean of the words around and each of them gets the whole
    error; without, it is their sum and they share the error.
    """
    width = inputs.shape[1]
    tiles = tiles_of(negatives)
    one = np.float32(1)
    kept = np.empty(longest(text.starts, piece.begin, piece.end), np.int64)
    rows = np.empty(2 * window + 1, np.int64)
    coming = np.empty(negatives, np.int64)
    places = np.zeros(tiles * TILE, np.int64)
    weights = np.zeros(tiles * LANES, np.float32)
    slopes = np.zeros(tiles * LANES, np.float32)
    hidden = np.zeros(width, np.float32)
    error = np.zeros(width, np.float32)
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
            share = one / np.float32(count)
            gather(inputs, rows, count, share if mean else one, width, hidden)
            answer(hidden, 0, width, outputs, places, weights, slopes, error)
            scatter(inputs, rows, count, one if mean else share, width, error)
