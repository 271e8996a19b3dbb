"""A numba type for vectors of eight float32 numbers (SIMD).

With it a kernel controls what stays in registers. On processors with narrower registers the
compiler uses two or four of them for one value.
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
_INTEGERS = ir.VectorType(ir.IntType(32), LANES)
_ALIGNMENT = 4  # bytes; rows are aligned better, but that is not guaranteed


class Lanes(types.Type):
    """The numba type of a vector of eight float32 numbers."""

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


def _broadcast(builder, number):
    undefined, first = ir.Constant(_VECTOR, ir.Undefined), ir.Constant(ir.IntType(32), 0)
    single = builder.insert_element(undefined, number, first)
    return builder.shuffle_vector(single, single, ir.Constant(_INTEGERS, [0] * LANES))


def _pointer(context, builder, signature, arguments):
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    pointer = builder.gep(array.data, [arguments[1]])
    return builder.bitcast(pointer, _VECTOR.as_pointer())


@intrinsic
def load(typingctx, array, index):
    """The numbers array.flat[index : index + 8] of a float32 array in C order."""

    def generate(context, builder, signature, arguments):
        return builder.load(_pointer(context, builder, signature, arguments), align=_ALIGNMENT)

    return lanes(array, types.intp), generate


@intrinsic
def store(typingctx, array, index, value):
    """Write a vector to array.flat[index : index + 8]."""

    def generate(context, builder, signature, arguments):
        target = _pointer(context, builder, signature, arguments)
        builder.store(arguments[2], target, align=_ALIGNMENT)
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes), generate


@intrinsic
def broadcast(typingctx, number):
    """A vector of eight copies of one float32 number."""

    def generate(context, builder, signature, arguments):
        return _broadcast(builder, arguments[0])

    return lanes(types.float32), generate


@intrinsic
def broadcast_from(typingctx, array, index):
    """A vector of eight copies of array.flat[index]; `index` must not be negative."""

    def generate(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return _broadcast(builder, builder.load(builder.gep(data, [arguments[1]])))

    return lanes(array, types.intp), generate


@intrinsic
def multiply_add(typingctx, total, a, b):
    """total + a * b, rounded once where the processor can."""

    def generate(context, builder, signature, arguments):
        total, a, b = arguments
        return _call(builder, "llvm.fmuladd", a, b, total)

    return lanes(lanes, lanes, lanes), generate


def _binary(name):
    @intrinsic
    def operation(typingctx, a, b):
        def generate(context, builder, signature, arguments):
            return getattr(builder, name)(*arguments)

        return lanes(lanes, lanes), generate

    return operation


_sum, _difference, _product, _ratio = map(_binary, ("fadd", "fsub", "fmul", "fdiv"))


def _operator(symbol, function):
    @overload(symbol, inline="always")
    def implementation(a, b):
        if isinstance(a, Lanes) and isinstance(b, Lanes):
            return lambda a, b: function(a, b)  # noqa: PLW0108 - numba takes no intrinsic here
        return None


_operator(operator.add, _sum)
_operator(operator.sub, _difference)
_operator(operator.mul, _product)
_operator(operator.truediv, _ratio)


@intrinsic
def horizontal_sum(typingctx, value):
    """Sum of the eight numbers of a vector."""

    def generate(context, builder, signature, arguments):
        (summed,) = arguments
        for step in (4, 2, 1):
            order = ir.Constant(_INTEGERS, [(lane + step) % LANES for lane in range(LANES)])
            summed = builder.fadd(summed, builder.shuffle_vector(summed, summed, order))
        return builder.extract_element(summed, ir.Constant(ir.IntType(32), 0))

    return types.float32(lanes), generate


# Shuffles of two vectors: within each half, the even or the odd lanes of both.
_EVEN, _ODD = [0, 2, 8, 10, 4, 6, 12, 14], [1, 3, 9, 11, 5, 7, 13, 15]
_LOW, _HIGH = [0, 1, 2, 3, 8, 9, 10, 11], [4, 5, 6, 7, 12, 13, 14, 15]


@intrinsic
def horizontal_sums(typingctx, a, b, c, d, e, f, g, h):
    """The sums of eight vectors as one vector, that of a first."""

    def generate(context, builder, signature, arguments):
        rows = list(arguments)
        for left, right in ((_EVEN, _ODD), (_EVEN, _ODD), (_LOW, _HIGH)):
            pairs = zip(rows[::2], rows[1::2], strict=True)
            rows = [_fold(builder, *pair, left, right) for pair in pairs]
        return rows[0]

    return lanes(*[lanes] * LANES), generate


def _fold(builder, one, other, left, right):
    """The lanes of both vectors selected by `left`, plus those selected by `right`."""
    return builder.fadd(
        builder.shuffle_vector(one, other, ir.Constant(_INTEGERS, left)),
        builder.shuffle_vector(one, other, ir.Constant(_INTEGERS, right)),
    )


@intrinsic
def exp2(typingctx, power):
    """2 to the power of integers from -126 to 127."""

    def generate(context, builder, signature, arguments):
        whole = builder.fptosi(arguments[0], _INTEGERS)
        shifted = builder.shl(
            builder.add(whole, ir.Constant(_INTEGERS, [127] * LANES)),
            ir.Constant(_INTEGERS, [23] * LANES),
        )
        return builder.bitcast(shifted, _VECTOR)

    return lanes(lanes), generate


@intrinsic
def round_nearest(typingctx, value):
    """The nearest integers."""

    def generate(context, builder, signature, arguments):
        return _call(builder, "llvm.rint", *arguments)

    return lanes(lanes), generate


@intrinsic
def clip(typingctx, value, low, high):
    """The numbers limited to `low`..`high`; NaN becomes `low`."""

    def generate(context, builder, signature, arguments):
        value, low, high = arguments
        raised = builder.select(builder.fcmp_ordered(">", value, low), value, low)
        return builder.select(builder.fcmp_ordered("<", raised, high), raised, high)

    return lanes(lanes, lanes, lanes), generate


@njit(nogil=True, cache=True, forceinline=True)
def exp(value):
    """exp(value) with a relative error of about 1e-6; values are clipped to -80..80."""
    x = clip(value, broadcast(np.float32(-80)), broadcast(np.float32(80)))
    whole = round_nearest(x * broadcast(np.float32(1.4426950408889634)))
    rest = multiply_add(x, whole, broadcast(np.float32(-0.6931471805599453)))
    e = broadcast(np.float32(1 / 720))  # Taylor series: |rest| is at most log(2) / 2
    e = multiply_add(broadcast(np.float32(1 / 120)), e, rest)
    e = multiply_add(broadcast(np.float32(1 / 24)), e, rest)
    e = multiply_add(broadcast(np.float32(1 / 6)), e, rest)
    e = multiply_add(broadcast(np.float32(0.5)), e, rest)
    e = multiply_add(broadcast(np.float32(1)), e, rest)
    e = multiply_add(broadcast(np.float32(1)), e, rest)
    return e * exp2(whole)


@njit(nogil=True, cache=True, forceinline=True)
def sigmoid(value):
    """1 / (1 + exp(-value)) with an error of about 1e-6."""
    one = broadcast(np.float32(1))
    return one / (one + exp(broadcast(np.float32(0)) - value))
