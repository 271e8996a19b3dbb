import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.kernels.lanes import (
    exponential,
    plus_product,
    put,
    sigmoid,
    spread,
    spread_from,
    take,
    total,
    totals,
)


@pytest.fixture
def numbers():
    return np.random.default_rng(0).standard_normal((8, 8)).astype(np.float32)


@njit
def _calculated(a, out):
    x, y = take(a, 0), take(a, 8)
    put(out, 0, x + y)
    put(out, 8, x - y)
    put(out, 16, x * y)
    put(out, 24, x / y)
    put(out, 32, plus_product(x, y, spread_from(a, 2)))
    put(out, 40, spread(np.float32(0.5)))


def test_eight_numbers_are_calculated_with_at_once(numbers):
    out = np.empty((6, 8), np.float32)

    _calculated(numbers, out)

    x, y = numbers[:2]
    assert_array_equal(out[:4], [x + y, x - y, x * y, x / y])
    assert_allclose(out[4], x + y * x[2], rtol=1e-6, atol=1e-7)
    assert_array_equal(out[5], np.full(8, 0.5, np.float32))


@njit
def _summed(a, out):
    put(
        out,
        0,
        totals(
            take(a, 0),
            take(a, 8),
            take(a, 16),
            take(a, 24),
            take(a, 32),
            take(a, 40),
            take(a, 48),
            take(a, 56),
        ),
    )
    return total(take(a, 0))


def test_sums_of_eight_and_of_eight_times_eight(numbers):
    out = np.empty(8, np.float32)

    first = _summed(numbers, out)

    assert_allclose(first, numbers[0].sum(), rtol=1e-5)
    assert_allclose(out, numbers.sum(1), rtol=1e-5)


@njit
def _sigmoids(a, out):
    for k in range(0, a.size, 8):
        put(out, k, sigmoid(take(a, k)))


def test_the_sigmoid_is_that_of_double_precision():
    x = np.concatenate([np.linspace(-29, 29, 4000), [0, -0.0, 1e-30, -1e-30] * 2]).astype(
        np.float32
    )
    out = np.empty_like(x)

    _sigmoids(x, out)

    assert_allclose(out, 1 / (1 + np.exp(-x.astype(np.float64))), rtol=2e-6)


def test_the_sigmoid_of_what_is_far_out_is_0_or_1_and_never_a_nan():
    x = np.array([np.inf, 1e30, 100, 31, -31, -100, -1e30, -np.inf], np.float32)
    out = np.empty_like(x)

    _sigmoids(x, out)

    assert_allclose(out, [1, 1, 1, 1, 0, 0, 0, 0], atol=1e-12)


@njit
def _exponentials(a, out):
    for k in range(0, a.size, 8):
        put(out, k, exponential(take(a, k)))


def test_e_to_the_power_is_that_of_double_precision():
    x = np.linspace(-80, 80, 4000).astype(np.float32)
    out = np.empty_like(x)

    _exponentials(x, out)

    assert_allclose(out, np.exp(x.astype(np.float64)), rtol=1e-5)
