"""Negative sampling: a target word against negative samples, six output rows at a time.

A gradient here is minus the derivative of the loss -log sigmoid(x.o) - sum log sigmoid(-x.n) with
respect to a product x.o or x.n, times the learning rate. All products of a centre word are
computed before any row changes. Two input rows and six output rows (a tile) need as many partial
sums as sixteen registers of eight numbers can hold.
"""

import numpy as np
from numba import njit

from lexiscope.kernels.simd.lanes import (
    LANES,
    broadcast,
    broadcast_from,
    horizontal_sums,
    load,
    multiply_add,
    sigmoid,
    store,
)

TILE = 6


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def tile_count(negative):
    """Number of tiles of six rows for a target word and its negative samples."""
    return (negative + TILE) // TILE


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def set_targets(target, negatives, learning_rate, targets, weights):
    """Write the rows of the target and of the negatives to `targets`, their weights to `weights`.

    `targets` is (tiles * TILE,), `weights` (tiles * LANES,). A negative sample that is the target
    has weight 0. One that occurs twice in a tile has twice the weight at its first occurrence.
    The last tile is padded with the target's row at weight 0.
    """
    for tile in range(targets.shape[0] // TILE):
        for m in range(TILE):
            position = tile * TILE + m
            sampled = 0 < position <= negatives.shape[0]
            offset = negatives[position - 1] if sampled else target
            weight = (
                learning_rate if position == 0 or (sampled and offset != target) else np.float32(0)
            )
            for other in range(tile * TILE, position):
                if weight > 0 and targets[other] == offset:
                    weights[tile * LANES + other - tile * TILE] += weight
                    weight = np.float32(0)
            targets[position] = offset
            weights[tile * LANES + m] = weight


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def compute_gradients(inputs, rows, count, outputs, targets, width, weights, gradients):
    """Write the gradients of `count` input rows (tiles, count, 8), of which six are used."""
    for tile in range(targets.shape[0] // TILE):
        offset = tile * count * LANES
        for c in range(0, count - 1, 2):
            at = offset + c * LANES
            _gradients_of_two(
                inputs, rows[c], rows[c + 1], outputs, targets, tile, width, weights, gradients, at
            )
        if count % 2:
            at = offset + (count - 1) * LANES
            compute_row_gradients(
                inputs, rows[count - 1], 0, width, outputs, targets, tile, weights, gradients, at
            )


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def _gradients_of_two(inputs, x, y, outputs, targets, tile, width, weights, gradients, offset):
    o0, o1, o2 = targets[tile * TILE], targets[tile * TILE + 1], targets[tile * TILE + 2]
    o3, o4, o5 = targets[tile * TILE + 3], targets[tile * TILE + 4], targets[tile * TILE + 5]
    zero = broadcast(np.float32(0))
    a0, a1, a2, a3, a4, a5 = zero, zero, zero, zero, zero, zero
    b0, b1, b2, b3, b4, b5 = zero, zero, zero, zero, zero, zero
    for k in range(0, width, LANES):
        a = load(inputs, x + k)
        b = load(inputs, y + k)
        o = load(outputs, o0 + k)
        a0 = multiply_add(a0, a, o)
        b0 = multiply_add(b0, b, o)
        o = load(outputs, o1 + k)
        a1 = multiply_add(a1, a, o)
        b1 = multiply_add(b1, b, o)
        o = load(outputs, o2 + k)
        a2 = multiply_add(a2, a, o)
        b2 = multiply_add(b2, b, o)
        o = load(outputs, o3 + k)
        a3 = multiply_add(a3, a, o)
        b3 = multiply_add(b3, b, o)
        o = load(outputs, o4 + k)
        a4 = multiply_add(a4, a, o)
        b4 = multiply_add(b4, b, o)
        o = load(outputs, o5 + k)
        a5 = multiply_add(a5, a, o)
        b5 = multiply_add(b5, b, o)
    store_gradients(
        horizontal_sums(a0, a1, a2, a3, a4, a5, zero, zero), tile, weights, gradients, offset
    )
    store_gradients(
        horizontal_sums(b0, b1, b2, b3, b4, b5, zero, zero),
        tile,
        weights,
        gradients,
        offset + LANES,
    )


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def compute_row_gradients(
    hidden, x, begin, end, outputs, targets, tile, weights, gradients, offset
):
    """Write the gradients of one row for a tile, using only columns `begin` to `end`."""
    o0, o1, o2 = targets[tile * TILE], targets[tile * TILE + 1], targets[tile * TILE + 2]
    o3, o4, o5 = targets[tile * TILE + 3], targets[tile * TILE + 4], targets[tile * TILE + 5]
    zero = broadcast(np.float32(0))
    a0, a1, a2, a3, a4, a5 = zero, zero, zero, zero, zero, zero
    for k in range(begin, end, LANES):
        a = load(hidden, x + k)
        a0 = multiply_add(a0, a, load(outputs, o0 + k))
        a1 = multiply_add(a1, a, load(outputs, o1 + k))
        a2 = multiply_add(a2, a, load(outputs, o2 + k))
        a3 = multiply_add(a3, a, load(outputs, o3 + k))
        a4 = multiply_add(a4, a, load(outputs, o4 + k))
        a5 = multiply_add(a5, a, load(outputs, o5 + k))
    store_gradients(
        horizontal_sums(a0, a1, a2, a3, a4, a5, zero, zero), tile, weights, gradients, offset
    )


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def store_gradients(products, tile, weights, gradients, offset):
    """Write the gradients of a tile from the products of a row with its six output rows."""
    negated = broadcast(np.float32(0)) - sigmoid(products)
    store(gradients, offset, negated * load(weights, tile * LANES))
    if tile == 0:  # the target comes first: its label is 1, that of negatives 0
        gradients[offset] += weights[0]


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def update_rows(inputs, rows, count, outputs, targets, width, gradients):
    """Update `count` input rows and all output rows by their gradients."""
    for tile in range(targets.shape[0] // TILE):
        _update_tile(
            inputs, rows, count, outputs, targets, tile, width, gradients, tile * count * LANES
        )


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def _update_tile(inputs, rows, count, outputs, targets, tile, width, gradients, base):
    o0, o1, o2 = targets[tile * TILE], targets[tile * TILE + 1], targets[tile * TILE + 2]
    o3, o4, o5 = targets[tile * TILE + 3], targets[tile * TILE + 4], targets[tile * TILE + 5]
    for k in range(0, width, LANES):
        b0, b1, b2 = load(outputs, o0 + k), load(outputs, o1 + k), load(outputs, o2 + k)
        b3, b4, b5 = load(outputs, o3 + k), load(outputs, o4 + k), load(outputs, o5 + k)
        n0, n1, n2, n3, n4, n5 = b0, b1, b2, b3, b4, b5
        for c in range(count):
            x = load(inputs, rows[c] + k)
            at = base + c * LANES
            gradient = broadcast_from(gradients, at)
            updated = multiply_add(x, gradient, b0)
            n0 = multiply_add(n0, gradient, x)
            gradient = broadcast_from(gradients, at + 1)
            updated = multiply_add(updated, gradient, b1)
            n1 = multiply_add(n1, gradient, x)
            gradient = broadcast_from(gradients, at + 2)
            updated = multiply_add(updated, gradient, b2)
            n2 = multiply_add(n2, gradient, x)
            gradient = broadcast_from(gradients, at + 3)
            updated = multiply_add(updated, gradient, b3)
            n3 = multiply_add(n3, gradient, x)
            gradient = broadcast_from(gradients, at + 4)
            updated = multiply_add(updated, gradient, b4)
            n4 = multiply_add(n4, gradient, x)
            gradient = broadcast_from(gradients, at + 5)
            updated = multiply_add(updated, gradient, b5)
            n5 = multiply_add(n5, gradient, x)
            store(inputs, rows[c] + k, updated)
        store(outputs, o5 + k, n5)  # backwards: of equal rows only the first has changed
        store(outputs, o4 + k, n4)
        store(outputs, o3 + k, n3)
        store(outputs, o2 + k, n2)
        store(outputs, o1 + k, n1)
        store(outputs, o0 + k, n0)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def output_step(hidden, begin, end, outputs, targets, weights, gradients, error):
    """Update the output rows for one hidden vector, and write the update of `hidden` to `error`.

    Only columns `begin` to `end` are used. `gradients` is (tiles, 8).
    """
    tiles = targets.shape[0] // TILE
    for tile in range(tiles):
        compute_row_gradients(
            hidden, 0, begin, end, outputs, targets, tile, weights, gradients, tile * LANES
        )
    update_outputs(hidden, begin, end, outputs, targets, gradients, error)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def update_outputs(hidden, begin, end, outputs, targets, gradients, error):
    """Update the output rows by given gradients; write the update of `hidden` to `error`."""
    for tile in range(targets.shape[0] // TILE):
        o0, o1, o2 = targets[tile * TILE], targets[tile * TILE + 1], targets[tile * TILE + 2]
        o3, o4, o5 = targets[tile * TILE + 3], targets[tile * TILE + 4], targets[tile * TILE + 5]
        at = tile * LANES
        s0, s1, s2 = (
            broadcast_from(gradients, at),
            broadcast_from(gradients, at + 1),
            broadcast_from(gradients, at + 2),
        )
        s3, s4, s5 = (
            broadcast_from(gradients, at + 3),
            broadcast_from(gradients, at + 4),
            broadcast_from(gradients, at + 5),
        )
        for k in range(begin, end, LANES):
            x = load(hidden, k)
            b0, b1, b2 = load(outputs, o0 + k), load(outputs, o1 + k), load(outputs, o2 + k)
            b3, b4, b5 = load(outputs, o3 + k), load(outputs, o4 + k), load(outputs, o5 + k)
            store(outputs, o5 + k, multiply_add(b5, s5, x))  # backwards, as above
            store(outputs, o4 + k, multiply_add(b4, s4, x))
            store(outputs, o3 + k, multiply_add(b3, s3, x))
            store(outputs, o2 + k, multiply_add(b2, s2, x))
            store(outputs, o1 + k, multiply_add(b1, s1, x))
            store(outputs, o0 + k, multiply_add(b0, s0, x))
            left = multiply_add(multiply_add(s0 * b0, s1, b1), s2, b2)
            right = multiply_add(multiply_add(s3 * b3, s4, b4), s5, b5)
            store(error, k, left + right if tile == 0 else load(error, k) + (left + right))
