import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.kernels.simd.lanes import (
    broadcast,
    broadcast_from,
    exp,
    horizontal_sum,
    horizontal_sums,
    load,
    multiply_add,
    sigmoid,
    store,
)


@pytest.fixture
def numbers():
    return np.random.default_rng(0).standard_normal((8, 8)).astype(np.float32)


@njit
def _arithmetic(a, out):
    x, y = load(a, 0), load(a, 8)
    store(out, 0, x + y)
    store(out, 8, x - y)
    store(out, 16, x * y)
    store(out, 24, x / y)
    store(out, 32, multiply_add(x, y, broadcast_from(a, 2)))
    store(out, 40, broadcast(np.float32(0.5)))


def test_arithmetic_on_vectors_agrees_with_numpy(numbers):
    out = np.empty((6, 8), np.float32)

    _arithmetic(numbers, out)

    x, y = numbers[:2]
    assert_array_equal(out[:4], [x + y, x - y, x * y, x / y])
    assert_allclose(out[4], x + y * x[2], rtol=1e-6, atol=1e-7)
    assert_array_equal(out[5], np.full(8, 0.5, np.float32))


@njit
def _summed(a, out):
    store(
        out,
        0,
        horizontal_sums(
            load(a, 0),
            load(a, 8),
            load(a, 16),
            load(a, 24),
            load(a, 32),
            load(a, 40),
            load(a, 48),
            load(a, 56),
        ),
    )
    return horizontal_sum(load(a, 0))


def test_horizontal_sums_agree_with_numpy(numbers):
    out = np.empty(8, np.float32)

    first = _summed(numbers, out)

    assert_allclose(first, numbers[0].sum(), rtol=1e-5)
    assert_allclose(out, numbers.sum(1), rtol=1e-5)


@njit
def _sigmoids(a, out):
    for k in range(0, a.size, 8):
        store(out, k, sigmoid(load(a, k)))


def test_sigmoid_agrees_with_double_precision():
    x = np.concatenate([np.linspace(-29, 29, 4000), [0, -0.0, 1e-30, -1e-30] * 2]).astype(
        np.float32
    )
    out = np.empty_like(x)

    _sigmoids(x, out)

    assert_allclose(out, 1 / (1 + np.exp(-x.astype(np.float64))), rtol=2e-6)


def test_sigmoid_saturates_at_0_and_1_and_is_never_nan():
    x = np.array([np.inf, 1e30, 100, 31, -31, -100, -1e30, -np.inf], np.float32)
    out = np.empty_like(x)

    _sigmoids(x, out)

    assert_allclose(out, [1, 1, 1, 1, 0, 0, 0, 0], atol=1e-12)


@njit
def _exponentials(a, out):
    for k in range(0, a.size, 8):
        store(out, k, exp(load(a, k)))


def test_exp_agrees_with_double_precision():
    x = np.linspace(-80, 80, 4000).astype(np.float32)
    out = np.empty_like(x)

    _exponentials(x, out)

    assert_allclose(out, np.exp(x.astype(np.float64)), rtol=1e-5)
