"""Instructions that numba does not reach by itself."""

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic


@intrinsic
def larger(typingctx, a, b):
    """The larger of two float32, with fast-math flags: a loop over it becomes a SIMD reduction.

    Python's max and a conditional expression stay scalar, one number at a time.
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
def prefetch_to_write(typingctx, array, place):
    """Ask the processor for the cache line of array.flat[place], to be written soon."""

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
