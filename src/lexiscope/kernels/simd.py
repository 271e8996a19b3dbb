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
