"""Negative sampling: a right word against drawn ones, six output rows at a time.

Slopes are what the loss -log sigmoid(x.o) - sum log sigmoid(-x.n) falls by along each product,
times the rate. All products of a word are taken before any row moves. Six output rows and two
input rows are as many as sixteen registers of eight numbers can hold sums for.
"""

import numpy as np
from numba import njit

from lexiscope.kernels.lanes import (
    LANES,
    plus_product,
    put,
    sigmoid,
    spread,
    spread_from,
    take,
    totals,
)

TILE = 6


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def tiles_of(negatives):
    """How many groups of six rows a right word and its negatives make."""
    return (negatives + TILE) // TILE


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def line_up(target, coming, rate, places, weights):
    """Write the right row and the drawn ones to `places`, and what each counts to `weights`.

    A negative that is the right word counts nothing; one drawn twice within six rows counts
    double once. What fills the last six up is the right row, and counts nothing.
    """
    for tile in range(places.shape[0] // TILE):
        for m in range(TILE):
            here = tile * TILE + m
            drawn = 0 < here <= coming.shape[0]
            place = coming[here - 1] if drawn else target
            weight = rate if here == 0 or (drawn and place != target) else np.float32(0)
            for other in range(tile * TILE, here):
                if weight > 0 and places[other] == place:
                    weights[tile * LANES + other - tile * TILE] += weight
                    weight = np.float32(0)
            places[here] = place
            weights[tile * LANES + m] = weight


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def weigh(inputs, rows, count, outputs, places, width, weights, slopes):
    """Write the slopes of `count` input rows: eight for each row of each tile, six of them used."""
    for tile in range(places.shape[0] // TILE):
        into = tile * count * LANES
        for c in range(0, count - 1, 2):
            at = into + c * LANES
            _weigh_two(
                inputs, rows[c], rows[c + 1], outputs, places, tile, width, weights, slopes, at
            )
        if count % 2:
            at = into + (count - 1) * LANES
            weigh_one(inputs, rows[count - 1], 0, width, outputs, places, tile, weights, slopes, at)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def _weigh_two(inputs, x, y, outputs, places, tile, width, weights, slopes, into):
    o0, o1, o2 = places[tile * TILE], places[tile * TILE + 1], places[tile * TILE + 2]
    o3, o4, o5 = places[tile * TILE + 3], places[tile * TILE + 4], places[tile * TILE + 5]
    zero = spread(np.float32(0))
    a0, a1, a2, a3, a4, a5 = zero, zero, zero, zero, zero, zero
    b0, b1, b2, b3, b4, b5 = zero, zero, zero, zero, zero, zero
    for k in range(0, width, LANES):
        a = take(inputs, x + k)
        b = take(inputs, y + k)
        o = take(outputs, o0 + k)
        a0 = plus_product(a0, a, o)
        b0 = plus_product(b0, b, o)
        o = take(outputs, o1 + k)
        a1 = plus_product(a1, a, o)
        b1 = plus_product(b1, b, o)
        o = take(outputs, o2 + k)
        a2 = plus_product(a2, a, o)
        b2 = plus_product(b2, b, o)
        o = take(outputs, o3 + k)
        a3 = plus_product(a3, a, o)
        b3 = plus_product(b3, b, o)
        o = take(outputs, o4 + k)
        a4 = plus_product(a4, a, o)
        b4 = plus_product(b4, b, o)
        o = take(outputs, o5 + k)
        a5 = plus_product(a5, a, o)
        b5 = plus_product(b5, b, o)
    fall(totals(a0, a1, a2, a3, a4, a5, zero, zero), tile, weights, slopes, into)
    fall(totals(b0, b1, b2, b3, b4, b5, zero, zero), tile, weights, slopes, into + LANES)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def weigh_one(hidden, x, begin, end, outputs, places, tile, weights, slopes, into):
    """Write the slopes of one row, of which the numbers from `begin` to `end` count, for a tile."""
    o0, o1, o2 = places[tile * TILE], places[tile * TILE + 1], places[tile * TILE + 2]
    o3, o4, o5 = places[tile * TILE + 3], places[tile * TILE + 4], places[tile * TILE + 5]
    zero = spread(np.float32(0))
    a0, a1, a2, a3, a4, a5 = zero, zero, zero, zero, zero, zero
    for k in range(begin, end, LANES):
        a = take(hidden, x + k)
        a0 = plus_product(a0, a, take(outputs, o0 + k))
        a1 = plus_product(a1, a, take(outputs, o1 + k))
        a2 = plus_product(a2, a, take(outputs, o2 + k))
        a3 = plus_product(a3, a, take(outputs, o3 + k))
        a4 = plus_product(a4, a, take(outputs, o4 + k))
        a5 = plus_product(a5, a, take(outputs, o5 + k))
    fall(totals(a0, a1, a2, a3, a4, a5, zero, zero), tile, weights, slopes, into)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def fall(products, tile, weights, slopes, into):
    """Write the slopes of a tile, given the products of a row with its output rows."""
    rest = spread(np.float32(0)) - sigmoid(products)
    put(slopes, into, rest * take(weights, tile * LANES))
    if tile == 0:  # the right word comes first: its slope is 1 - sigmoid
        slopes[into] += weights[0]


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def move(inputs, rows, count, outputs, places, width, slopes):
    """Move input and output rows along their slopes."""
    for tile in range(places.shape[0] // TILE):
        _move_tile(inputs, rows, count, outputs, places, tile, width, slopes, tile * count * LANES)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def _move_tile(inputs, rows, count, outputs, places, tile, width, slopes, of):
    o0, o1, o2 = places[tile * TILE], places[tile * TILE + 1], places[tile * TILE + 2]
    o3, o4, o5 = places[tile * TILE + 3], places[tile * TILE + 4], places[tile * TILE + 5]
    for k in range(0, width, LANES):
        b0, b1, b2 = take(outputs, o0 + k), take(outputs, o1 + k), take(outputs, o2 + k)
        b3, b4, b5 = take(outputs, o3 + k), take(outputs, o4 + k), take(outputs, o5 + k)
        n0, n1, n2, n3, n4, n5 = b0, b1, b2, b3, b4, b5
        for c in range(count):
            x = take(inputs, rows[c] + k)
            at = of + c * LANES
            slope = spread_from(slopes, at)
            moved = plus_product(x, slope, b0)
            n0 = plus_product(n0, slope, x)
            slope = spread_from(slopes, at + 1)
            moved = plus_product(moved, slope, b1)
            n1 = plus_product(n1, slope, x)
            slope = spread_from(slopes, at + 2)
            moved = plus_product(moved, slope, b2)
            n2 = plus_product(n2, slope, x)
            slope = spread_from(slopes, at + 3)
            moved = plus_product(moved, slope, b3)
            n3 = plus_product(n3, slope, x)
            slope = spread_from(slopes, at + 4)
            moved = plus_product(moved, slope, b4)
            n4 = plus_product(n4, slope, x)
            slope = spread_from(slopes, at + 5)
            moved = plus_product(moved, slope, b5)
            n5 = plus_product(n5, slope, x)
            put(inputs, rows[c] + k, moved)
        put(outputs, o5 + k, n5)  # backwards: of equal rows only the first has moved
        put(outputs, o4 + k, n4)
        put(outputs, o3 + k, n3)
        put(outputs, o2 + k, n2)
        put(outputs, o1 + k, n1)
        put(outputs, o0 + k, n0)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def answer(hidden, begin, end, outputs, places, weights, slopes, error):
    """Move the output rows for one hidden vector, and write what it should move by to `error`.

    Only the numbers from `begin` to `end` count. `slopes` keeps eight numbers for each tile.
    """
    tiles = places.shape[0] // TILE
    for tile in range(tiles):
        weigh_one(hidden, 0, begin, end, outputs, places, tile, weights, slopes, tile * LANES)
    follow(hidden, begin, end, outputs, places, slopes, error)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def follow(hidden, begin, end, outputs, places, slopes, error):
    """Move the output rows along given slopes; write what `hidden` should move by to `error`."""
    for tile in range(places.shape[0] // TILE):
        o0, o1, o2 = places[tile * TILE], places[tile * TILE + 1], places[tile * TILE + 2]
        o3, o4, o5 = places[tile * TILE + 3], places[tile * TILE + 4], places[tile * TILE + 5]
        at = tile * LANES
        s0, s1, s2 = (
            spread_from(slopes, at),
            spread_from(slopes, at + 1),
            spread_from(slopes, at + 2),
        )
        s3, s4, s5 = (
            spread_from(slopes, at + 3),
            spread_from(slopes, at + 4),
            spread_from(slopes, at + 5),
        )
        for k in range(begin, end, LANES):
            x = take(hidden, k)
            b0, b1, b2 = take(outputs, o0 + k), take(outputs, o1 + k), take(outputs, o2 + k)
            b3, b4, b5 = take(outputs, o3 + k), take(outputs, o4 + k), take(outputs, o5 + k)
            put(outputs, o5 + k, plus_product(b5, s5, x))  # backwards, as above
            put(outputs, o4 + k, plus_product(b4, s4, x))
            put(outputs, o3 + k, plus_product(b3, s3, x))
            put(outputs, o2 + k, plus_product(b2, s2, x))
            put(outputs, o1 + k, plus_product(b1, s1, x))
            put(outputs, o0 + k, plus_product(b0, s0, x))
            left = plus_product(plus_product(s0 * b0, s1, b1), s2, b2)
            right = plus_product(plus_product(s3 * b3, s4, b4), s5, b5)
            put(error, k, left + right if tile == 0 else take(error, k) + (left + right))
