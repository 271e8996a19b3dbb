"""Tiles of matrix products against NumPy."""

import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.kernels.simd import tiles
from lexiscope.kernels.simd.tiles import ROWS, SUMS, TILE, UNITS, WIDTH


@njit
def _add_dot_products(*arguments):
    tiles.add_dot_products(*arguments)


@njit
def _add_weighted_sums(*arguments):
    tiles.add_weighted_sums(*arguments)


@njit
def _add_row_sums(*arguments):
    tiles.add_row_sums(*arguments)


def random_floats(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("length", [WIDTH, 3 * WIDTH - 5])
def test_dot_products_of_overlapping_rows_are_added_to_a_tile(length):
    whole, stride = -(-length // WIDTH) * WIDTH, 70
    x, weights, out = random_floats(300), random_floats(8, stride, seed=1), random_floats(9, 10)
    offsets = np.arange(9) * 5
    expected = out.astype(np.float64)
    for r in range(ROWS):
        row = x[offsets[2 + r] :][:whole].astype(np.float64)
        expected[1 + r, 3 : 3 + UNITS] += weights[2 : 2 + UNITS, :whole] @ row

    _add_dot_products(x, offsets, 2, weights, 2 * stride, stride, length, out, 13, 10)

    assert_allclose(out, expected, atol=1e-5)


@pytest.mark.parametrize("count", [0, 1, 7])
@pytest.mark.parametrize("steps", [(7, 1), (1, 12)], ids=["row by row", "transposed"])
def test_weighted_sums_are_added_to_a_tile(count, steps):
    weights, x, out = random_floats(100), random_floats(7, 40, seed=1), random_floats(SUMS, 32)
    expected = out.astype(np.float64)
    for r in range(SUMS):
        for t in range(count):
            weight = np.float64(weights[3 + r * steps[0] + t * steps[1]])
            expected[r, 8 : 8 + WIDTH] += weight * x[t, 5 : 5 + WIDTH]

    _add_weighted_sums(weights, 3, *steps, x, 5, 40, count, out, 8, 32)

    assert_allclose(out, expected, atol=1e-5)


@pytest.mark.parametrize("count", [0, 1, 5])
def test_sums_of_rows_are_added_to_a_tile(count):
    weights, offsets, x = random_floats(9), np.arange(9) * 11, random_floats(200, seed=1)
    out = random_floats(TILE + 20, seed=2)
    expected = out.astype(np.float64)
    for t in range(2, 2 + count):
        expected[7 : 7 + TILE] += np.float64(weights[t]) * x[offsets[t] + 3 :][:TILE]

    _add_row_sums(weights, offsets, 2, count, x, 3, out, 7)

    assert_allclose(out, expected, atol=1e-5)


def test_a_dot_product_does_not_depend_on_the_others_of_its_tile():
    x, weights = random_floats(400), random_floats(UNITS, 64, seed=1)
    together, alone = np.zeros((ROWS, UNITS), np.float32), np.zeros((ROWS, UNITS), np.float32)

    _add_dot_products(x, np.arange(ROWS) * 5, 0, weights, 0, 64, 64, together, 0, UNITS)
    _add_dot_products(x, np.zeros(ROWS, np.int64), 0, weights, 0, 64, 64, alone, 0, UNITS)

    assert_array_equal(alone, np.tile(together[0], (ROWS, 1)))
