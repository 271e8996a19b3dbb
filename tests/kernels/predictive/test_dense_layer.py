import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose

from lexiscope.kernels.predictive.dense_layer import (
    forward,
    outer,
    select_inside,
)
from lexiscope.kernels.simd.lanes import load, store

HEIGHT, COLUMNS, FIRST, LENGTH = 40, 32, 8, 16


@njit
def _forward(*arguments):
    forward(*arguments)


@njit
def _outer(*arguments):
    outer(*arguments)


@njit
def _select_inside(value, limit, then):
    store(value, 0, select_inside(load(value, 0), load(limit, 0), load(then, 0)))


def random_floats(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def overlapping(count):
    """Random numbers and the offsets of overlapping rows, five apart, padded to 48 rows."""
    offsets = np.zeros(48, np.int64)
    offsets[:count] = np.arange(count) * 5
    return random_floats(300, seed=1), offsets


@pytest.mark.parametrize("count", [1, 6, 13])
def test_forward_adds_products_with_some_rows_of_the_weights(count):
    (x, offsets), weights, out = (
        overlapping(count),
        random_floats(HEIGHT, COLUMNS),
        random_floats(18, COLUMNS),
    )
    rows = np.array([x[offset : offset + LENGTH] for offset in offsets[:count]], np.float64)
    expected = out[:count] + rows @ weights[FIRST : FIRST + LENGTH]

    _forward(x, offsets, count, weights, FIRST, LENGTH, out)

    assert_allclose(out[:count], expected, atol=1e-5)


@pytest.mark.parametrize("count", [1, 8, 13])
def test_outer_adds_products_of_rows_and_gradients_to_the_weights(count):
    (x, offsets), weights, gradients = (
        overlapping(count),
        random_floats(HEIGHT, COLUMNS),
        random_floats(16, COLUMNS),
    )
    rows = np.array([x[offset : offset + LENGTH] for offset in offsets[:count]], np.float64)
    expected = weights.astype(np.float64)
    expected[FIRST : FIRST + LENGTH] += rows.T @ gradients[:count]

    _outer(x, offsets, count, gradients, weights, FIRST, LENGTH)

    assert_allclose(weights, expected, atol=1e-5)


def test_select_inside_is_zero_outside_the_limit():
    value = np.array([-2, -1, -0.5, 0, 0.5, 1, 2, np.nan], np.float32)

    _select_inside(value, np.ones(8, np.float32), np.arange(1, 9, dtype=np.float32))

    assert value.tolist() == [0, 0, 3, 4, 5, 0, 0, 0]
