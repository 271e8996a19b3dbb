"""Products of a dense layer with a few dozen rows at once, as many sums as registers can hold.

Rows lie anywhere in a buffer, also over each other: row r of `x` begins at x.flat[bases[r]].
Weights are (height, columns), with columns in sixteens.
"""

import numpy as np
from llvmlite import ir
from numba import njit
from numba.core import types
from numba.extending import intrinsic

from lexiscope.kernels.lanes import LANES, lanes, plus_product, put, spread, spread_from, take

COLUMNS = 16  # of the weights at once
ROWS = 6  # of x with them: 12 sums of eight numbers


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def forward(x, bases, count, weights, first, length, out):
    """Add `count` rows of x times the rows `first` to `first + length` of the weights to `out`.

    `bases` and `out` go on to a multiple of six rows; what comes out there means nothing.
    """
    width = weights.shape[1]
    for column in range(0, width, COLUMNS):
        for r in range(0, count, ROWS):
            at, into = first * width + column, r * width + column
            _forward_tile(x, bases, r, weights, at, length, width, out, into)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def _forward_tile(x, bases, r, weights, at, length, width, out, o0):
    x0, x1, x2 = bases[r], bases[r + 1], bases[r + 2]
    x3, x4, x5 = bases[r + 3], bases[r + 4], bases[r + 5]
    o1, o2, o3 = o0 + width, o0 + 2 * width, o0 + 3 * width
    o4, o5 = o0 + 4 * width, o0 + 5 * width
    a0, b0 = take(out, o0), take(out, o0 + LANES)
    a1, b1 = take(out, o1), take(out, o1 + LANES)
    a2, b2 = take(out, o2), take(out, o2 + LANES)
    a3, b3 = take(out, o3), take(out, o3 + LANES)
    a4, b4 = take(out, o4), take(out, o4 + LANES)
    a5, b5 = take(out, o5), take(out, o5 + LANES)
    for k in range(length):
        a = take(weights, at + k * width)
        b = take(weights, at + k * width + LANES)
        number = spread_from(x, x0 + k)
        a0, b0 = plus_product(a0, number, a), plus_product(b0, number, b)
        number = spread_from(x, x1 + k)
        a1, b1 = plus_product(a1, number, a), plus_product(b1, number, b)
        number = spread_from(x, x2 + k)
        a2, b2 = plus_product(a2, number, a), plus_product(b2, number, b)
        number = spread_from(x, x3 + k)
        a3, b3 = plus_product(a3, number, a), plus_product(b3, number, b)
        number = spread_from(x, x4 + k)
        a4, b4 = plus_product(a4, number, a), plus_product(b4, number, b)
        number = spread_from(x, x5 + k)
        a5, b5 = plus_product(a5, number, a), plus_product(b5, number, b)
    _put_two(out, o0, a0, b0)
    _put_two(out, o1, a1, b1)
    _put_two(out, o2, a2, b2)
    _put_two(out, o3, a3, b3)
    _put_two(out, o4, a4, b4)
    _put_two(out, o5, a5, b5)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _put_two(array, place, a, b):
    put(array, place, a)
    put(array, place + LANES, b)


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def backward(turned, count, weights, first, length, bases, errors):
    """Add slopes times the transposed rows `first` to `first + length` of the weights to `errors`.

    `turned` is (eights of rows, columns, 8): the slopes of eight rows side by side, with zeros
    after the last; `bases` go on as far. The length is taken in eights.
    """
    for k in range(0, length, LANES):
        for r in range(0, count, LANES):
            _backward_tile(turned, r, weights, first + k, bases, k, errors)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def _backward_tile(turned, r, weights, row, bases, k, errors):
    width = weights.shape[1]
    w0, w1, w2, w3 = row * width, (row + 1) * width, (row + 2) * width, (row + 3) * width
    w4, w5, w6, w7 = w0 + 4 * width, w1 + 4 * width, w2 + 4 * width, w3 + 4 * width
    zero = spread(np.float32(0))
    s0, s1, s2, s3, s4, s5, s6, s7 = zero, zero, zero, zero, zero, zero, zero, zero
    for j in range(width):
        slopes = take(turned, r * width + j * LANES)
        s0 = plus_product(s0, spread_from(weights, w0 + j), slopes)
        s1 = plus_product(s1, spread_from(weights, w1 + j), slopes)
        s2 = plus_product(s2, spread_from(weights, w2 + j), slopes)
        s3 = plus_product(s3, spread_from(weights, w3 + j), slopes)
        s4 = plus_product(s4, spread_from(weights, w4 + j), slopes)
        s5 = plus_product(s5, spread_from(weights, w5 + j), slopes)
        s6 = plus_product(s6, spread_from(weights, w6 + j), slopes)
        s7 = plus_product(s7, spread_from(weights, w7 + j), slopes)
    s0, s1, s2, s3, s4, s5, s6, s7 = transposed(s0, s1, s2, s3, s4, s5, s6, s7)
    _add(errors, bases[r] + k, s0)
    _add(errors, bases[r + 1] + k, s1)
    _add(errors, bases[r + 2] + k, s2)
    _add(errors, bases[r + 3] + k, s3)
    _add(errors, bases[r + 4] + k, s4)
    _add(errors, bases[r + 5] + k, s5)
    _add(errors, bases[r + 6] + k, s6)
    _add(errors, bases[r + 7] + k, s7)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _add(array, place, value):
    put(array, place, take(array, place) + value)


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def outer(x, bases, count, slopes, weights, first, length):
    """Add the products of `count` rows of x with their slopes (rows, columns) to the weights.

    The length is taken in fours.
    """
    width = weights.shape[1]
    for k in range(0, length, 4):
        for column in range(0, width, COLUMNS):
            at = (first + k) * width + column
            _outer_tile(x, bases, count, k, slopes, column, width, weights, at)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def _outer_tile(x, bases, count, k, slopes, column, width, weights, w0):
    w1, w2, w3 = w0 + width, w0 + 2 * width, w0 + 3 * width
    a0, b0 = take(weights, w0), take(weights, w0 + LANES)
    a1, b1 = take(weights, w1), take(weights, w1 + LANES)
    a2, b2 = take(weights, w2), take(weights, w2 + LANES)
    a3, b3 = take(weights, w3), take(weights, w3 + LANES)
    for r in range(count):
        a = take(slopes, r * width + column)
        b = take(slopes, r * width + column + LANES)
        place = bases[r] + k
        number = spread_from(x, place)
        a0, b0 = plus_product(a0, number, a), plus_product(b0, number, b)
        number = spread_from(x, place + 1)
        a1, b1 = plus_product(a1, number, a), plus_product(b1, number, b)
        number = spread_from(x, place + 2)
        a2, b2 = plus_product(a2, number, a), plus_product(b2, number, b)
        number = spread_from(x, place + 3)
        a3, b3 = plus_product(a3, number, a), plus_product(b3, number, b)
    _put_two(weights, w0, a0, b0)
    _put_two(weights, w1, a1, b1)
    _put_two(weights, w2, a2, b2)
    _put_two(weights, w3, a3, b3)


# Three times two values become two others, until rows are columns.
_STEPS = (
    (1, [0, 8, 2, 10, 4, 12, 6, 14], [1, 9, 3, 11, 5, 13, 7, 15]),
    (2, [0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]),
    (4, [0, 1, 2, 3, 8, 9, 10, 11], [4, 5, 6, 7, 12, 13, 14, 15]),
)


@intrinsic
def transposed(typingctx, a, b, c, d, e, f, g, h):
    """Eight times eight numbers with rows and columns exchanged."""

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
def where_inside(typingctx, value, limit, then):
    """`then` where a number lies between -limit and limit, else 0."""

    def generate(context, builder, signature, arguments):
        value, limit, then = arguments
        below = builder.fcmp_ordered("<", value, limit)
        above = builder.fcmp_ordered(">", value, builder.fneg(limit))
        nothing = ir.Constant(then.type, [0.0] * LANES)
        return builder.select(builder.and_(below, above), then, nothing)

    return lanes(lanes, lanes, lanes), generate
