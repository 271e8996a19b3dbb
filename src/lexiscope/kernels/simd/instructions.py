"""Processor instructions that numba does not generate by itself."""

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic


@intrinsic
def maximum(typingctx, a, b):
    """The larger of two float32, with fast-math flags: a loop over it becomes a SIMD reduction.

    Python's max and a conditional expression stay scalar.
    """

    def generate(context, builder, signature, arguments):
        single = ir.FloatType()
        name = "llvm.maxnum.f32"
        function = builder.module.globals.get(name) or ir.Function(
            builder.module, ir.FunctionType(single, [single, single]), name
        )
        return builder.call(function, arguments, fastmath=("fast",))

    return types.float32(types.float32, types.float32), generate


@intrinsic
def prefetch_write(typingctx, array, index):
    """Prefetch the cache line of array.flat[index], to be written soon."""

    def generate(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        pointer = builder.bitcast(builder.gep(data, [arguments[1]]), byte)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", (byte,), kind)
        # 1: for writing; 3: keep it in all caches; 1: data, not instructions
        builder.call(function, [pointer, *(ir.Constant(number, n) for n in (1, 3, 1))])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


@intrinsic
def lowest_set_bit(typingctx, bits):
    """Index of the lowest set bit of a non-zero uint64."""

    def generate(context, builder, signature, arguments):
        zero_is_undefined = ir.Constant(ir.IntType(1), 1)
        return builder.cttz(arguments[0], zero_is_undefined)

    return types.uint64(types.uint64), generate


@intrinsic
def load_eight_bytes(typingctx, array, index):
    """The eight bytes array[index : index + 8] as one uint64; the first byte is the lowest."""

    def generate(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        pointer = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(64).as_pointer())
        return builder.load(pointer, align=1)

    return types.uint64(array, types.intp), generate


@intrinsic
def prefetch_read(typingctx, array, index):
    """Prefetch array[index] of a 1-d array for reading; an index out of bounds is harmless."""

    def generate(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        pointer = ir.IntType(8).as_pointer()
        number = ir.IntType(32)
        function = builder.module.declare_intrinsic(
            "llvm.prefetch", [pointer], ir.FunctionType(ir.VoidType(), [pointer] + [number] * 3)
        )
        address = builder.bitcast(builder.gep(data, [arguments[1]]), pointer)
        to_read, keep_near, is_data = (ir.Constant(number, value) for value in (0, 3, 1))
        builder.call(function, [address, to_read, keep_near, is_data])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate
