"""Bag of words with attention (Ling et al. 2015): a word around counts by what and where it is."""

import numpy as np
from numba import njit

from lexiscope.kernels.lanes import (
    LANES,
    exponential,
    plus_product,
    put,
    spread,
    spread_from,
    take,
    total,
    totals,
)
from lexiscope.kernels.negatives import TILE, answer, line_up, tiles_of
from lexiscope.kernels.walking import around, fetch, foresee, longest, reached, thin


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def attend(keys, places, positions, first, count, shares):
    """Write the shares of `count` words to `shares`: they grow with e to the power of two keys.

    One is that of the word where it stands, at keys[places[c]], one that of the position itself.
    What fills the last eight up is next to nothing.
    """
    most = np.float32(-np.inf)
    for c in range(count):
        shares[c] = keys[places[c]] + positions[first + c]
        most = max(most, shares[c])
    for c in range(count, -(-count // LANES) * LANES):
        shares[c] = -np.inf
    summed = spread(np.float32(0))
    for c in range(0, count, LANES):
        powers = exponential(take(shares, c) - spread(most))
        put(shares, c, powers)
        summed = summed + powers
    share = spread(np.float32(1) / total(summed))
    for c in range(0, count, LANES):
        put(shares, c, take(shares, c) * share)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def gather(inputs, rows, shares, count, width, hidden):
    """Write the sum of some rows, times their shares, to `hidden`."""
    for k in range(0, width, LANES):
        summed = spread(np.float32(0))
        for c in range(count):
            summed = plus_product(summed, spread_from(shares, c), take(inputs, rows[c] + k))
        put(hidden, k, summed)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def products(inputs, rows, c, width, error):
    """The products of eight rows, from the one at `c` on, with an error."""
    r0, r1, r2, r3 = rows[c], rows[c + 1], rows[c + 2], rows[c + 3]
    r4, r5, r6, r7 = rows[c + 4], rows[c + 5], rows[c + 6], rows[c + 7]
    zero = spread(np.float32(0))
    a0, a1, a2, a3, a4, a5, a6, a7 = zero, zero, zero, zero, zero, zero, zero, zero
    for k in range(0, width, LANES):
        e = take(error, k)
        a0 = plus_product(a0, e, take(inputs, r0 + k))
        a1 = plus_product(a1, e, take(inputs, r1 + k))
        a2 = plus_product(a2, e, take(inputs, r2 + k))
        a3 = plus_product(a3, e, take(inputs, r3 + k))
        a4 = plus_product(a4, e, take(inputs, r4 + k))
        a5 = plus_product(a5, e, take(inputs, r5 + k))
        a6 = plus_product(a6, e, take(inputs, r6 + k))
        a7 = plus_product(a7, e, take(inputs, r7 + k))
    return totals(a0, a1, a2, a3, a4, a5, a6, a7)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def credit(inputs, rows, shares, count, width, error, gains):
    """Write what each key should move by to `gains`: share * (product - mean product)."""
    mean = spread(np.float32(0))
    for c in range(0, count, LANES):
        found = products(inputs, rows, c, width, error)
        put(gains, c, found)
        mean = plus_product(mean, found, take(shares, c))
    middle = spread(total(mean))
    for c in range(0, count, LANES):
        put(gains, c, take(shares, c) * (take(gains, c) - middle))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def learn(keys, places, positions, first, count, gains):
    """Add what they should move by to the keys of words and of positions."""
    for c in range(count):
        keys[places[c]] += gains[c]
        positions[first + c] += gains[c]


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def scatter(inputs, rows, shares, count, width, error):
    """Add an error, times their shares, to some rows."""
    for k in range(0, width, LANES):
        moved = take(error, k)
        for c in range(count):
            row = take(inputs, rows[c] + k)
            put(inputs, rows[c] + k, plus_product(row, moved, spread_from(shares, c)))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def seat(words, count, first, width, breadth, rows, places):
    """Write where the row and the key of each word begin; eights are filled up with the first."""
    for c in range(count):
        rows[c] = words[c] * width
        places[c] = words[c] * breadth + first + c
    for c in range(count, -(-count // LANES) * LANES):
        rows[c] = rows[0]


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def walk(text, piece, window, dynamic, negatives, inputs, outputs, keys, positions):
    """Take the steps of a piece of the text; `inputs` and `outputs` are (words, width).

    `keys` are (words, breadth) and `positions` (1, breadth). Of a row 2 * window numbers count,
    that of the farthest place before the middle first.
    """
    width, breadth = inputs.shape[1], keys.shape[1]
    tiles, most = tiles_of(negatives), -(-2 * window // LANES) * LANES
    own, common = keys.reshape(keys.size), positions.reshape(positions.size)
    kept = np.empty(longest(text.starts, piece.begin, piece.end), np.int64)
    words = np.empty(2 * window + 1, np.int64)
    rows, held = np.empty(most, np.int64), np.empty(most, np.int64)
    shares, gains = np.empty(most, np.float32), np.empty(most, np.float32)
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
        n, state = thin(text, s, 1, kept, state)
        for i in range(n):
            reach, state = reached(window, dynamic, state)
            count = around(kept, i, reach, n, words)
            if count == 0:
                continue
            line_up(kept[i] * width, coming, rate, places, weights)
            state = foresee(text.noise, width, outputs, coming, state)
            if i + 1 < n:
                fetch(outputs, kept[i + 1] * width, width)
            if i + 1 + window < n:
                fetch(inputs, kept[i + 1 + window] * width, width)
                fetch(keys, kept[i + 1 + window] * breadth, breadth)
            first = window - min(i, reach)
            seat(words, count, first, width, breadth, rows, held)
            attend(own, held, common, first, count, shares)
            gather(inputs, rows, shares, count, width, hidden)
            answer(hidden, 0, width, outputs, places, weights, slopes, error)
            credit(inputs, rows, shares, count, width, error, gains)
            scatter(inputs, rows, shares, count, width, error)
            learn(own, held, common, first, count, gains)
