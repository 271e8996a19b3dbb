import numpy as np
import pytest
from numba import njit

from lexiscope.kernels.simd import lowest_bit, prefetch


@njit
def place_of_lowest_bit(value):
    return lowest_bit(value)


@njit
def sum_with_prefetch(values):
    total = 0
    for i in range(values.shape[0]):
        prefetch(values, i + 1_000_000)
        total += values[i]
    return total


@pytest.mark.parametrize("bits", [1, 2, 3, 12, 1 << 40, 1 << 63, (1 << 64) - 1])
def test_the_lowest_bit_is_where_the_binary_digits_say(bits):
    digits = f"{bits:b}"

    assert place_of_lowest_bit(np.uint64(bits)) == len(digits) - len(digits.rstrip("0"))


def test_asking_for_memory_that_is_not_there_does_no_harm():
    assert sum_with_prefetch(np.arange(10)) == 45
