import numpy as np
import pytest
from numba import njit

from lexiscope.kernels.simd.instructions import lowest_set_bit, prefetch_read


@njit
def _lowest_set_bit(value):
    return lowest_set_bit(value)


@njit
def sum_with_prefetch(values):
    total = 0
    for i in range(values.shape[0]):
        prefetch_read(values, i + 1_000_000)
        total += values[i]
    return total


@pytest.mark.parametrize("bits", [1, 2, 3, 12, 1 << 40, 1 << 63, (1 << 64) - 1])
def test_lowest_set_bit_agrees_with_binary_digits(bits):
    digits = f"{bits:b}"

    assert _lowest_set_bit(np.uint64(bits)) == len(digits) - len(digits.rstrip("0"))


def test_prefetching_out_of_bounds_is_harmless():
    assert sum_with_prefetch(np.arange(10)) == 45
