"""Sums of products for tiles of a matrix product, sixteen numbers at a time.

A tile has as many sums as fit the registers, so that each number that is loaded is used several
times. The size of a tile does not affect the order of the terms of a sum, and so not its bits.
Arrays are float32 in C order; an index is that of the flattened array.
"""

from contextlib import contextmanager

from llvmlite import binding, ir
from numba.core import cgutils, types
from numba.extending import intrinsic

WIDTH = 16  # numbers in a vector: one register with AVX-512, else two
UNITS = 4  # rows of weights in a tile of dot products
_AVX512 = bool(binding.get_host_cpu_features().get("avx512f"))
ROWS = 6 if _AVX512 else 1  # rows of x in a tile of dot products
SUMS = 8 if _AVX512 else 4  # sums of rows in a tile
TILE = 64  # numbers of a sum of rows: few enough for a column of a table to stay in the cache
PADDING = 24  # a multiple of the numbers of rows of all tiles

_INTEGER = ir.IntType(32)
_VECTOR = ir.VectorType(ir.FloatType(), WIDTH)
_ALIGNMENT = 4  # bytes: a row may begin anywhere


@intrinsic
def add_dot_products(
    typingctx, x, offsets, row, weights, weight, stride, length, out, index, width
):
    """Add the dot products of ROWS rows of x and UNITS rows of the weights to a tile of `out`.

    Row r of x begins at offsets[row + r], row u of the weights at weight + u * stride. Their
    product is added to out[index + r * width + u]. The length is rounded up to whole vectors.
    """

    def generate(context, builder, signature, arguments):
        x, offsets, row, weights, weight, stride, length, out, index, width = _pointers(
            context, builder, signature, arguments
        )
        rows = [
            builder.gep(x, [builder.load(_strided(builder, offsets, row, r))]) for r in range(ROWS)
        ]
        units = [_strided(builder, weights, weight, u, stride) for u in range(UNITS)]
        sums = [[_zero(builder) for _ in units] for _ in rows]
        with _vectors(builder, length) as k:
            factors = [_load(builder, builder.gep(unit, [k])) for unit in units]
            for first, of_row in zip(rows, sums, strict=True):
                numbers = _load(builder, builder.gep(first, [k]))
                for total, factor in zip(of_row, factors, strict=True):
                    _add_product(builder, total, numbers, factor)
        for r, of_row in enumerate(sums):
            totals = _horizontal_sums(builder, [builder.load(total) for total in of_row])
            _add(builder, _strided(builder, out, index, r, width), totals)
        return context.get_dummy_value()

    n = types.intp
    return types.void(x, offsets, n, weights, n, n, n, out, n, n), generate


@intrinsic
def add_weighted_sums(
    typingctx, weights, weight, next_row, next_term, x, first, stride, count, out, index, width
):
    """Add weighted sums of `count` vectors of x to SUMS vectors of `out`.

    Term t is x[first + t * stride :], its weight in sum r weights[weight + r * next_row +
    t * next_term]. Sum r is added to out[index + r * width :].
    """

    def generate(context, builder, signature, arguments):
        weights, weight, next_row, next_term, x, first, stride, count, out, index, width = (
            _pointers(context, builder, signature, arguments)
        )
        sums = [_zero(builder) for _ in range(SUMS)]
        with cgutils.for_range(builder, count) as loop:
            numbers = _load(builder, _strided(builder, x, first, loop.index, stride))
            begin = _strided(builder, weights, weight, loop.index, next_term)
            for r, total in enumerate(sums):
                factor = builder.load(_strided(builder, begin, next_row.type(0), r, next_row))
                _add_product(builder, total, _broadcast(builder, factor), numbers)
        for r, total in enumerate(sums):
            _add(builder, _strided(builder, out, index, r, width), builder.load(total))
        return context.get_dummy_value()

    n = types.intp
    return types.void(weights, n, n, n, x, n, n, n, out, n, n), generate


@intrinsic
def add_row_sums(typingctx, weights, offsets, first, count, x, shift, out, index):
    """Add the sum of weighted rows of x to out[index : index + TILE].

    The `count` terms have the factors weights[first :] and the rows that begin at offsets[first :]
    plus `shift`.
    """

    def generate(context, builder, signature, arguments):
        weights, offsets, first, count, x, shift, out, index = _pointers(
            context, builder, signature, arguments
        )
        sums = [_zero(builder) for _ in range(TILE // WIDTH)]
        with cgutils.for_range(builder, count) as loop:
            factor = builder.load(_strided(builder, weights, first, loop.index))
            offset = builder.load(_strided(builder, offsets, first, loop.index))
            row, factor = _strided(builder, x, shift, offset), _broadcast(builder, factor)
            for v, total in enumerate(sums):
                _add_product(
                    builder, total, factor, _load(builder, _element(builder, row, v * WIDTH))
                )
        target = _strided(builder, out, index, 0)
        for v, total in enumerate(sums):
            _add(builder, _element(builder, target, v * WIDTH), builder.load(total))
        return context.get_dummy_value()

    n = types.intp
    return types.void(weights, offsets, n, n, x, n, out, n), generate


def _pointers(context, builder, signature, arguments):
    """The arguments, with arrays replaced by pointers to their first number."""
    return [
        context.make_array(kind)(context, builder, value).data
        if isinstance(kind, types.Array)
        else value
        for kind, value in zip(signature.args, arguments, strict=True)
    ]


def _strided(builder, pointer, first, number, stride=None):
    """Pointer to element `first` plus `number` times the stride, which is 1 by default."""
    number = first.type(number) if isinstance(number, int) else number
    step = number if stride is None else builder.mul(number, stride)
    return builder.gep(pointer, [builder.add(first, step)])


def _element(builder, pointer, number):
    return builder.gep(pointer, [ir.Constant(_INTEGER, number)])


@contextmanager
def _vectors(builder, length):
    """A loop over the index of the first number of each vector."""
    start, step = length.type(0), length.type(WIDTH)
    with cgutils.for_range_slice(builder, start, length, step, length.type) as (k, _):
        yield k


def _zero(builder):
    """A variable that LLVM keeps in a register."""
    return cgutils.alloca_once_value(builder, ir.Constant(_VECTOR, [0.0] * WIDTH))


def _load(builder, pointer):
    return builder.load(builder.bitcast(pointer, _VECTOR.as_pointer()), align=_ALIGNMENT)


def _broadcast(builder, number):
    undefined, first = ir.Constant(_VECTOR, ir.Undefined), ir.Constant(_INTEGER, 0)
    single = builder.insert_element(undefined, number, first)
    return builder.shuffle_vector(single, single, _order([0] * WIDTH))


def _order(lanes):
    return ir.Constant(ir.VectorType(_INTEGER, len(lanes)), lanes)


def _fused(builder, a, b, c):
    """a * b + c, rounded once where the processor can."""
    name = f"llvm.fmuladd.v{WIDTH}f32"
    function = builder.module.globals.get(name) or ir.Function(
        builder.module, ir.FunctionType(_VECTOR, [_VECTOR] * 3), name
    )
    return builder.call(function, [a, b, c])


def _add_product(builder, total, a, b):
    builder.store(_fused(builder, a, b, builder.load(total)), total)


def _add(builder, pointer, vector):
    """Add a vector to the numbers at a pointer."""
    target = builder.bitcast(pointer, vector.type.as_pointer())
    summed = builder.fadd(builder.load(target, align=_ALIGNMENT), vector)
    builder.store(summed, target, align=_ALIGNMENT)


def _horizontal_sums(builder, vectors):
    """The sums of the numbers of four vectors, as one short vector."""
    size, rows = WIDTH, list(vectors)
    while len(rows) > 1:
        pairs = zip(rows[::2], rows[1::2], strict=True)
        rows = [_fold(builder, one, other, size) for one, other in pairs]
        size //= 2
    (summed,) = rows
    while size > 1:
        summed = _fold(builder, summed, None, size)
        size //= 2
    return summed


def _fold(builder, one, other, size):
    """Add the first and the second half of each group of `size` numbers of one or two vectors."""
    lanes = one.type.count * (1 if other is None else 2)
    first = [group + lane for group in range(0, lanes, size) for lane in range(size // 2)]
    second = [lane + size // 2 for lane in first]
    other = ir.Constant(one.type, ir.Undefined) if other is None else other
    return builder.fadd(
        builder.shuffle_vector(one, other, _order(first)),
        builder.shuffle_vector(one, other, _order(second)),
    )
