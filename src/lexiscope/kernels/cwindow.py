"""Continuous window (Ling et al. 2015): the vectors around, side by side, foretell the middle.

Places of which a sentence has no word are zeros, which neither count nor learn: what remains is
one stretch of the side-by-side vector, and of every output row. It is never put together; each
word around is taken where it lies.
"""

import numpy as np
from numba import njit

from lexiscope.kernels.lanes import LANES, plus_product, spread, take, totals
from lexiscope.kernels.negatives import TILE, fall, line_up, tiles_of
from lexiscope.kernels.structured import ahead, draw, foresee, move, stretch
from lexiscope.kernels.walking import around, fetch, longest, reached, thin


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def weigh(inputs, rows, count, begin, outputs, places, width, weights, slopes):
    """Write the slopes of `count` input rows side by side: eight for each tile, six of them used.

    Their places begin at `begin` of each output row.
    """
    for tile in range(places.shape[0] // TILE):
        at = tile * TILE
        o0, o1, o2 = places[at] + begin, places[at + 1] + begin, places[at + 2] + begin
        o3, o4, o5 = places[at + 3] + begin, places[at + 4] + begin, places[at + 5] + begin
        zero = spread(np.float32(0))
        a0, a1, a2, a3, a4, a5 = zero, zero, zero, zero, zero, zero
        for c in range(count):
            x = rows[c] - c * width
            for k in range(c * width, (c + 1) * width, LANES):
                a = take(inputs, x + k)
                a0 = plus_product(a0, a, take(outputs, o0 + k))
                a1 = plus_product(a1, a, take(outputs, o1 + k))
                a2 = plus_product(a2, a, take(outputs, o2 + k))
                a3 = plus_product(a3, a, take(outputs, o3 + k))
                a4 = plus_product(a4, a, take(outputs, o4 + k))
                a5 = plus_product(a5, a, take(outputs, o5 + k))
        products = totals(a0, a1, a2, a3, a4, a5, zero, zero)
        fall(products, tile, weights, slopes, tile * LANES)


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
    slopes = np.zeros(tiles * LANES, np.float32)
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
                move(inputs, rows[c], outputs, places, begin + c * width, width, slopes, 0)
