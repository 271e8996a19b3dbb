"""Structured skip-gram (Ling et al. 2015): as skip-gram, with output vectors for each place around.

The output vectors of a word lie side by side, from the farthest place before the middle to the
farthest after it. Places of which a sentence has a word are one stretch of that row.
"""

import numpy as np
from numba import njit

from lexiscope.kernels.chance import drawn, following, mixed
from lexiscope.kernels.lanes import LANES, plus_product, put, spread_from, take
from lexiscope.kernels.negatives import TILE, line_up, tiles_of, weigh_one
from lexiscope.kernels.walking import around, fetch, longest, reached, thin


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def draw(noise, length, coming, state):
    """Draw the next negative examples; an output row has `length` numbers."""
    for m in range(coming.shape[0]):
        state = following(state)
        coming[m] = drawn(mixed(state), noise) * length
    return state


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def stretch(i, reach, n, window, width):
    """Where in an output row the places around the i-th of n words begin, and how many they are."""
    before = min(reach, i)
    return (window - before) * width, before + min(reach, n - 1 - i)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def ahead(i, n, window, dynamic, width, state):
    """The stretch of the word after the i-th, which will draw the same reach; none at the end."""
    if i + 1 >= n:
        return 0, 0
    reach, _ = reached(window, dynamic, state)
    return stretch(i + 1, reach, n, window, width)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def foresee(outputs, target, coming, place, width):
    """Ask for the vectors of one place: of the word that comes next, and drawn against it."""
    fetch(outputs, target + place, width)
    for m in range(coming.shape[0]):
        fetch(outputs, coming[m] + place, width)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def weigh(inputs, rows, count, begin, outputs, places, width, weights, slopes):
    """Write the slopes of `count` input rows, each by the vectors of its place: tile by tile."""
    tiles = places.shape[0] // TILE
    for c in range(count):
        here = begin + c * width
        x, end = rows[c] - here, here + width
        for tile in range(tiles):
            into = (c * tiles + tile) * LANES
            weigh_one(inputs, x, here, end, outputs, places, tile, weights, slopes, into)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def move(inputs, x, outputs, places, here, width, slopes, of):
    """Move an input row and the vectors of its place, which begin at `here` of each output row."""
    for tile in range(places.shape[0] // TILE):
        at = tile * TILE
        o0, o1, o2 = places[at] + here, places[at + 1] + here, places[at + 2] + here
        o3, o4, o5 = places[at + 3] + here, places[at + 4] + here, places[at + 5] + here
        at = of + tile * LANES
        s0, s1 = spread_from(slopes, at), spread_from(slopes, at + 1)
        s2, s3 = spread_from(slopes, at + 2), spread_from(slopes, at + 3)
        s4, s5 = spread_from(slopes, at + 4), spread_from(slopes, at + 5)
        for k in range(0, width, LANES):
            a = take(inputs, x + k)
            b0, b1, b2 = take(outputs, o0 + k), take(outputs, o1 + k), take(outputs, o2 + k)
            b3, b4, b5 = take(outputs, o3 + k), take(outputs, o4 + k), take(outputs, o5 + k)
            put(outputs, o5 + k, plus_product(b5, s5, a))  # backwards: of equal rows only
            put(outputs, o4 + k, plus_product(b4, s4, a))  # the first one has a slope
            put(outputs, o3 + k, plus_product(b3, s3, a))
            put(outputs, o2 + k, plus_product(b2, s2, a))
            put(outputs, o1 + k, plus_product(b1, s1, a))
            put(outputs, o0 + k, plus_product(b0, s0, a))
            left = plus_product(plus_product(a, s0, b0), s1, b1)
            right = plus_product(plus_product(s2 * b2, s3, b3), s4, b4)
            put(inputs, x + k, plus_product(left + right, s5, b5))


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def walk(text, piece, window, dynamic, negatives, inputs, outputs):
    """Take the steps of a piece of the text.

    `inputs` are (words, width), `outputs` (words, 2 * window * width).
    """
    width, length = inputs.shape[1], outputs.shape[1]
    tiles = tiles_of(negatives)
    kept = np.empty(longest(text.starts, piece.begin, piece.end), np.int64)
    rows = np.empty(2 * window + 1, np.int64)
    coming = np.empty(negatives, np.int64)
    places = np.zeros(tiles * TILE, np.int64)
    weights = np.zeros(tiles * LANES, np.float32)
    slopes = np.zeros(tiles * 2 * window * LANES, np.float32)
    state = draw(text.noise, length, coming, np.uint64(piece.seed))
    for s in range(piece.begin, piece.end):
        walked = text.starts[s] - text.starts[piece.begin]
        rate = np.float32(piece.rate - piece.fall * walked)
        n, state = thin(text, s, width, kept, state)
        for i in range(n):
            reach, state = reached(window, dynamic, state)
            count = around(kept, i, reach, n, rows)
            if count == 0:
                continue
            begin, _ = stretch(i, reach, n, window, width)
            line_up(kept[i] * 2 * window, coming, rate, places, weights)
            state = draw(text.noise, length, coming, state)
            after, there = ahead(i, n, window, dynamic, width, state)
            if i + 1 + window < n:
                fetch(inputs, kept[i + 1 + window], width)
            weigh(inputs, rows, count, begin, outputs, places, width, weights, slopes)
            for c in range(count):
                if c < there:
                    foresee(outputs, kept[i + 1] * 2 * window, coming, after + c * width, width)
                of = c * tiles * LANES
                move(inputs, rows[c], outputs, places, begin + c * width, width, slopes, of)
