"""SIMD instructions and vector registers for numba."""
