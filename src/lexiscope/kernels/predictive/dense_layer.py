"""Forward and backward products of a dense layer for a few dozen rows, tiled for registers.

Rows may overlap in their buffer: row r of `x` begins at x.flat[offsets[r]]. Weights are
(height, columns), with a multiple of 16 columns.
"""

import numpy as np
from llvmlite import ir
from numba import njit
from numba.core import types
from numba.extending import intrinsic

from lexiscope.kernels.simd.lanes import (
    LANES,
    broadcast,
    broadcast_from,
    lanes,
    load,
    multiply_add,
    store,
)

COLUMNS = 16  # columns of the weights in a tile
ROWS = 6  # rows of x in a tile, which has 12 vectors of sums


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def forward(x, offsets, count, weights, first, length, out):
    """Add `count` rows of x times rows `first` to `first + length` of the weights to `out`.

    `offsets` and `out` are padded to a multiple of six rows; the padding of `out` is undefined.
    """
    width = weights.shape[1]
    for column in range(0, width, COLUMNS):
        for r in range(0, count, ROWS):
            at, start = first * width + column, r * width + column
            _forward_tile(x, offsets, r, weights, at, length, width, out, start)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def _forward_tile(x, offsets, r, weights, at, length, width, out, o0):
    x0, x1, x2 = offsets[r], offsets[r + 1], offsets[r + 2]
    x3, x4, x5 = offsets[r + 3], offsets[r + 4], offsets[r + 5]
    o1, o2, o3 = o0 + width, o0 + 2 * width, o0 + 3 * width
    o4, o5 = o0 + 4 * width, o0 + 5 * width
    a0, b0 = load(out, o0), load(out, o0 + LANES)
    a1, b1 = load(out, o1), load(out, o1 + LANES)
    a2, b2 = load(out, o2), load(out, o2 + LANES)
    a3, b3 = load(out, o3), load(out, o3 + LANES)
    a4, b4 = load(out, o4), load(out, o4 + LANES)
    a5, b5 = load(out, o5), load(out, o5 + LANES)
    for k in range(length):
        a = load(weights, at + k * width)
        b = load(weights, at + k * width + LANES)
        number = broadcast_from(x, x0 + k)
        a0, b0 = multiply_add(a0, number, a), multiply_add(b0, number, b)
        number = broadcast_from(x, x1 + k)
        a1, b1 = multiply_add(a1, number, a), multiply_add(b1, number, b)
        number = broadcast_from(x, x2 + k)
        a2, b2 = multiply_add(a2, number, a), multiply_add(b2, number, b)
        number = broadcast_from(x, x3 + k)
        a3, b3 = multiply_add(a3, number, a), multiply_add(b3, number, b)
        number = broadcast_from(x, x4 + k)
        a4, b4 = multiply_add(a4, number, a), multiply_add(b4, number, b)
        number = broadcast_from(x, x5 + k)
        a5, b5 = multiply_add(a5, number, a), multiply_add(b5, number, b)
    _store_two(out, o0, a0, b0)
    _store_two(out, o1, a1, b1)
    _store_two(out, o2, a2, b2)
    _store_two(out, o3, a3, b3)
    _store_two(out, o4, a4, b4)
    _store_two(out, o5, a5, b5)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _store_two(array, index, a, b):
    store(array, index, a)
    store(array, index + LANES, b)


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def backward(transposed, count, weights, first, length, offsets, errors):
    """Add gradients times transposed rows `first` to `first + length` of the weights to `errors`.

    `transposed` is (rows / 8, columns, 8): the gradients of eight rows interleaved, padded with
    zeros; `offsets` is padded as far. The length is rounded up to a multiple of eight.
    """
    for k in range(0, length, LANES):
        for r in range(0, count, LANES):
            _backward_tile(transposed, r, weights, first + k, offsets, k, errors)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def _backward_tile(transposed, r, weights, row, offsets, k, errors):
    width = weights.shape[1]
    w0, w1, w2, w3 = row * width, (row + 1) * width, (row + 2) * width, (row + 3) * width
    w4, w5, w6, w7 = w0 + 4 * width, w1 + 4 * width, w2 + 4 * width, w3 + 4 * width
    zero = broadcast(np.float32(0))
    s0, s1, s2, s3, s4, s5, s6, s7 = zero, zero, zero, zero, zero, zero, zero, zero
    for j in range(width):
        gradients = load(transposed, r * width + j * LANES)
        s0 = multiply_add(s0, broadcast_from(weights, w0 + j), gradients)
        s1 = multiply_add(s1, broadcast_from(weights, w1 + j), gradients)
        s2 = multiply_add(s2, broadcast_from(weights, w2 + j), gradients)
        s3 = multiply_add(s3, broadcast_from(weights, w3 + j), gradients)
        s4 = multiply_add(s4, broadcast_from(weights, w4 + j), gradients)
        s5 = multiply_add(s5, broadcast_from(weights, w5 + j), gradients)
        s6 = multiply_add(s6, broadcast_from(weights, w6 + j), gradients)
        s7 = multiply_add(s7, broadcast_from(weights, w7 + j), gradients)
    s0, s1, s2, s3, s4, s5, s6, s7 = transpose(s0, s1, s2, s3, s4, s5, s6, s7)
    _add(errors, offsets[r] + k, s0)
    _add(errors, offsets[r + 1] + k, s1)
    _add(errors, offsets[r + 2] + k, s2)
    _add(errors, offsets[r + 3] + k, s3)
    _add(errors, offsets[r + 4] + k, s4)
    _add(errors, offsets[r + 5] + k, s5)
    _add(errors, offsets[r + 6] + k, s6)
    _add(errors, offsets[r + 7] + k, s7)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _add(array, index, value):
    store(array, index, load(array, index) + value)


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def outer(x, offsets, count, gradients, weights, first, length):
    """Add the outer products of `count` rows of x and their gradients (rows, columns) to `weights`.

    The length is rounded up to a multiple of four.
    """
    width = weights.shape[1]
    for k in range(0, length, 4):
        for column in range(0, width, COLUMNS):
            at = (first + k) * width + column
            _outer_tile(x, offsets, count, k, gradients, column, width, weights, at)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def _outer_tile(x, offsets, count, k, gradients, column, width, weights, w0):
    w1, w2, w3 = w0 + width, w0 + 2 * width, w0 + 3 * width
    a0, b0 = load(weights, w0), load(weights, w0 + LANES)
    a1, b1 = load(weights, w1), load(weights, w1 + LANES)
    a2, b2 = load(weights, w2), load(weights, w2 + LANES)
    a3, b3 = load(weights, w3), load(weights, w3 + LANES)
    for r in range(count):
        a = load(gradients, r * width + column)
        b = load(gradients, r * width + column + LANES)
        index = offsets[r] + k
        number = broadcast_from(x, index)
        a0, b0 = multiply_add(a0, number, a), multiply_add(b0, number, b)
        number = broadcast_from(x, index + 1)
        a1, b1 = multiply_add(a1, number, a), multiply_add(b1, number, b)
        number = broadcast_from(x, index + 2)
        a2, b2 = multiply_add(a2, number, a), multiply_add(b2, number, b)
        number = broadcast_from(x, index + 3)
        a3, b3 = multiply_add(a3, number, a), multiply_add(b3, number, b)
    _store_two(weights, w0, a0, b0)
    _store_two(weights, w1, a1, b1)
    _store_two(weights, w2, a2, b2)
    _store_two(weights, w3, a3, b3)


# Three rounds of pairwise shuffles exchange rows and columns.
_STEPS = (
    (1, [0, 8, 2, 10, 4, 12, 6, 14], [1, 9, 3, 11, 5, 13, 7, 15]),
    (2, [0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]),
    (4, [0, 1, 2, 3, 8, 9, 10, 11], [4, 5, 6, 7, 12, 13, 14, 15]),
)


@intrinsic
def transpose(typingctx, a, b, c, d, e, f, g, h):
    """Transpose of eight vectors of eight numbers."""

    def generate(context, builder, signature, arguments):
        rows = list(arguments)
        for step, left, right in _STEPS:
            for one in [row for row in range(LANES) if not row & step]:
                both = rows[one], rows[one + step]
                rows[one], rows[one + step] = (
                    builder.shuffle_vector(*both, _order(order)) for order in (left, right)
                )
        return context.make_tuple(builder, signature.return_type, rows)

    return types.UniTuple(lanes, LANES)(*[lanes] * LANES), generate


def _order(lanes_of_two):
    return ir.Constant(ir.VectorType(ir.IntType(32), LANES), lanes_of_two)


@intrinsic
def select_inside(typingctx, value, limit, then):
    """`then` where -limit < value < limit, else 0."""

    def generate(context, builder, signature, arguments):
        value, limit, then = arguments
        below = builder.fcmp_ordered("<", value, limit)
        above = builder.fcmp_ordered(">", value, builder.fneg(limit))
        zero = ir.Constant(then.type, [0.0] * LANES)
        return builder.select(builder.and_(below, above), then, zero)

    return lanes(lanes, lanes, lanes), generate
