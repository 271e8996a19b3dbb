"""Eight float32 numbers at once, as values of compiled code.

Numba has no such type. With it a kernel says what stays in the processor's registers; where a
processor has narrower ones, the compiler takes two or four of them for one value.
"""

import operator

import numpy as np
from llvmlite import ir
from numba import njit
from numba.core import types
from numba.extending import intrinsic, models, overload, register_model

LANES = 8

_SINGLE = ir.FloatType()
_VECTOR = ir.VectorType(_SINGLE, LANES)
_WHOLE = ir.VectorType(ir.IntType(32), LANES)
_ALIGNED = 4  # bytes; more is faster, and what a row gives, but not promised


class Lanes(types.Type):
    """The type of eight numbers."""

    def __init__(self):
        super().__init__(name="Lanes")


lanes = Lanes()


@register_model(Lanes)
class _Model(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, _VECTOR)


def _call(builder, name, *values):
    kind = ir.FunctionType(_VECTOR, [_VECTOR] * len(values))
    full = f"{name}.v{LANES}f32"
    function = builder.module.globals.get(full) or ir.Function(builder.module, kind, full)
    return builder.call(function, values)


def _spread(builder, number):
    nothing, first = ir.Constant(_VECTOR, ir.Undefined), ir.Constant(ir.IntType(32), 0)
    alone = builder.insert_element(nothing, number, first)
    return builder.shuffle_vector(alone, alone, ir.Constant(_WHOLE, [0] * LANES))


def _place(context, builder, signature, arguments):
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    pointer = builder.gep(array.data, [arguments[1]])
    return builder.bitcast(pointer, _VECTOR.as_pointer())


@intrinsic
def take(typingctx, array, place):
    """The numbers array.flat[place : place + 8] of a float32 array in C order."""

    def generate(context, builder, signature, arguments):
        return builder.load(_place(context, builder, signature, arguments), align=_ALIGNED)

    return lanes(array, types.intp), generate


@intrinsic
def put(typingctx, array, place, value):
    """Write eight numbers to array.flat[place : place + 8]."""

    def generate(context, builder, signature, arguments):
        target = _place(context, builder, signature, arguments)
        builder.store(arguments[2], target, align=_ALIGNED)
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes), generate


@intrinsic
def spread(typingctx, number):
    """One float32 number, eight times."""

    def generate(context, builder, signature, arguments):
        return _spread(builder, arguments[0])

    return lanes(types.float32), generate


@intrinsic
def spread_from(typingctx, array, place):
    """The number array.flat[place], eight times; `place` may not be negative."""

    def generate(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return _spread(builder, builder.load(builder.gep(data, [arguments[1]])))

    return lanes(array, types.intp), generate


@intrinsic
def plus_product(typingctx, total, a, b):
    """total + a * b, rounded once where the processor can."""

    def generate(context, builder, signature, arguments):
        total, a, b = arguments
        return _call(builder, "llvm.fmuladd", a, b, total)

    return lanes(lanes, lanes, lanes), generate


def _of_two(name):
    @intrinsic
    def both(typingctx, a, b):
        def generate(context, builder, signature, arguments):
            return getattr(builder, name)(*arguments)

        return lanes(lanes, lanes), generate

    return both


_sum, _difference, _product, _ratio = map(_of_two, ("fadd", "fsub", "fmul", "fdiv"))


def _operator(symbol, function):
    @overload(symbol, inline="always")
    def chosen(a, b):
        if isinstance(a, Lanes) and isinstance(b, Lanes):
            return lambda a, b: function(a, b)  # noqa: PLW0108  numba takes no intrinsic here
        return None


_operator(operator.add, _sum)
_operator(operator.sub, _difference)
_operator(operator.mul, _product)
_operator(operator.truediv, _ratio)


@intrinsic
def total(typingctx, value):
    """The sum of eight numbers."""

    def generate(context, builder, signature, arguments):
        (summed,) = arguments
        for step in (4, 2, 1):
            order = ir.Constant(_WHOLE, [(lane + step) % LANES for lane in range(LANES)])
            summed = builder.fadd(summed, builder.shuffle_vector(summed, summed, order))
        return builder.extract_element(summed, ir.Constant(ir.IntType(32), 0))

    return types.float32(lanes), generate


# Neighbours of two values in one: within each half, the even or the odd lanes of both.
_EVEN, _ODD = [0, 2, 8, 10, 4, 6, 12, 14], [1, 3, 9, 11, 5, 7, 13, 15]
_LOW, _HIGH = [0, 1, 2, 3, 8, 9, 10, 11], [4, 5, 6, 7, 12, 13, 14, 15]


@intrinsic
def totals(typingctx, a, b, c, d, e, f, g, h):
    """The eight sums of eight times eight numbers: a first, h last."""

    def generate(context, builder, signature, arguments):
        rows = list(arguments)
        for left, right in ((_EVEN, _ODD), (_EVEN, _ODD), (_LOW, _HIGH)):
            pairs = zip(rows[::2], rows[1::2], strict=True)
            rows = [_folded(builder, *pair, left, right) for pair in pairs]
        return rows[0]

    return lanes(*[lanes] * LANES), generate


def _folded(builder, one, other, left, right):
    """The lanes of both values chosen by `left`, plus those chosen by `right`."""
    return builder.fadd(
        builder.shuffle_vector(one, other, ir.Constant(_WHOLE, left)),
        builder.shuffle_vector(one, other, ir.Constant(_WHOLE, right)),
    )


@intrinsic
def two_to_the(typingctx, power):
    """2 to the power of whole numbers from -126 to 127."""

    def generate(context, builder, signature, arguments):
        whole = builder.fptosi(arguments[0], _WHOLE)
        shifted = builder.shl(
            builder.add(whole, ir.Constant(_WHOLE, [127] * LANES)),
            ir.Constant(_WHOLE, [23] * LANES),
        )
        return builder.bitcast(shifted, _VECTOR)

    return lanes(lanes), generate


@intrinsic
def rounded(typingctx, value):
    """The nearest whole numbers."""

    def generate(context, builder, signature, arguments):
        return _call(builder, "llvm.rint", *arguments)

    return lanes(lanes), generate


@intrinsic
def within(typingctx, value, low, high):
    """The numbers, those below `low` or above `high` moved there; a NaN becomes `low`."""

    def generate(context, builder, signature, arguments):
        value, low, high = arguments
        raised = builder.select(builder.fcmp_ordered(">", value, low), value, low)
        return builder.select(builder.fcmp_ordered("<", raised, high), raised, high)

    return lanes(lanes, lanes, lanes), generate


@njit(nogil=True, cache=True, forceinline=True)
def exponential(value):
    """e to the power of eight numbers, to about 1e-6 of it; below -80 and above 80 as there."""
    x = within(value, spread(np.float32(-80)), spread(np.float32(80)))
    whole = rounded(x * spread(np.float32(1.4426950408889634)))
    rest = plus_product(x, whole, spread(np.float32(-0.6931471805599453)))
    e = spread(np.float32(1 / 720))  # Taylor's series: rest is at most log(2) / 2
    e = plus_product(spread(np.float32(1 / 120)), e, rest)
    e = plus_product(spread(np.float32(1 / 24)), e, rest)
    e = plus_product(spread(np.float32(1 / 6)), e, rest)
    e = plus_product(spread(np.float32(0.5)), e, rest)
    e = plus_product(spread(np.float32(1)), e, rest)
    e = plus_product(spread(np.float32(1)), e, rest)
    return e * two_to_the(whole)


@njit(nogil=True, cache=True, forceinline=True)
def sigmoid(value):
    """1 / (1 + exp(-value)) of eight numbers, to about 1e-6."""
    one = spread(np.float32(1))
    return one / (one + exponential(spread(np.float32(0)) - value))
