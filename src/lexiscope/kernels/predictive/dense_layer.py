"""Products of a dense layer for a few dozen rows, tiled for registers.

Rows may overlap in their buffer: row r of `x` begins at x.flat[offsets[r]]. Weights are
(height, columns), with a multiple of 16 columns.
"""

from llvmlite import ir
from numba import njit
from numba.extending import intrinsic

from lexiscope.kernels.simd.lanes import (
    LANES,
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
