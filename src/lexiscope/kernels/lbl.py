"""The log-bilinear model (Mnih and Kavukcuoglu 2013): words around, weighed by where they stand.

The number behind a vector is a bias: the hidden vector is 1 there, weights and inputs are 0. Noise
contrastive estimation takes log(k P(w)) from a score, which for a bias is a matter of where it
begins: the loop is that of negative sampling, but for drawn words that are the right one.
"""

import numpy as np
from numba import njit

from lexiscope.kernels.lanes import LANES, plus_product, put, spread, take
from lexiscope.kernels.negatives import TILE, follow, line_up, tiles_of, weigh_one
from lexiscope.kernels.walking import around, fetch, foresee, longest, reached, thin


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def gather(inputs, rows, count, positions, first, width, hidden):
    """Write the sum of some rows, times the weights from place `first` on, to `hidden`."""
    for k in range(0, width, LANES):
        summed = spread(np.float32(0))
        for c in range(count):
            weight = take(positions, first + c * width + k)
            summed = plus_product(summed, weight, take(inputs, rows[c] + k))
        put(hidden, k, summed)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def scatter(inputs, rows, count, positions, first, width, error):
    """Move rows and their weights by an error of the hidden vector, one position at a time."""
    for k in range(0, width, LANES):
        moved = take(error, k)
        for c in range(count):
            at = first + c * width + k
            row = take(inputs, rows[c] + k)
            weight = take(positions, at)
            put(positions, at, plus_product(weight, moved, row))
            put(inputs, rows[c] + k, plus_product(row, moved, weight))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def contrast(hidden, width, outputs, places, again, weights, slopes, error):
    """Move the output rows for one hidden vector, and write what it should move by to `error`.

    `again` is the weight of draws that gave the right word itself: they count against it.
    """
    weights[0] += again
    for tile in range(places.shape[0] // TILE):
        weigh_one(hidden, 0, 0, width, outputs, places, tile, weights, slopes, tile * LANES)
    slopes[0] -= again
    follow(hidden, 0, width, outputs, places, slopes, error)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def drawn_again(target, coming):
    """How many drawn words are the right one."""
    count = 0
    for m in range(coming.shape[0]):
        count += coming[m] == target
    return np.float32(count)


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def walk(text, piece, window, dynamic, negatives, contrastive, inputs, outputs, positions, bias):
    """Take the steps of a piece of the text.

    `inputs` and `outputs` are (words, width), `positions` (2 * window, width), the farthest word
    before the middle first; biases are column `bias`. A drawn word that is the right one counts
    if the loss is `contrastive`.
    """
    width = inputs.shape[1]
    tiles = tiles_of(negatives)
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
            again = rate * drawn_again(kept[i], coming) if contrastive else np.float32(0)
            state = foresee(text.noise, width, outputs, coming, state)
            if i + 1 < n:
                fetch(outputs, kept[i + 1], width)
            if i + 1 + window < n:
                fetch(inputs, kept[i + 1 + window], width)
            first = (window - min(i, reach)) * width
            gather(inputs, rows, count, positions, first, width, hidden)
            hidden[bias] = np.float32(1)
            contrast(hidden, width, outputs, places, again, weights, slopes, error)
            scatter(inputs, rows, count, positions, first, width, error)
