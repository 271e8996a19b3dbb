import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose

from lexiscope.kernels.lanes import put, take
from lexiscope.kernels.layers import backward, forward, outer, transposed, where_inside

HEIGHT, COLUMNS, FIRST, LENGTH = 40, 32, 8, 16


@njit
def forwards(*given):
    forward(*given)


@njit
def backwards(*given):
    backward(*given)


@njit
def outwards(*given):
    outer(*given)


@njit
def turned_over(table):
    rows = transposed(
        take(table, 0),
        take(table, 8),
        take(table, 16),
        take(table, 24),
        take(table, 32),
        take(table, 40),
        take(table, 48),
        take(table, 56),
    )
    for r in range(8):
        put(table, r * 8, rows[r])


@njit
def chosen(value, limit, then):
    put(value, 0, where_inside(take(value, 0), take(limit, 0), take(then, 0)))


def single(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def overlapping(count):
    """Rows that begin five numbers after each other, and as many bases as twice 24 rows need."""
    bases = np.zeros(48, np.int64)
    bases[:count] = np.arange(count) * 5
    return single(300, seed=1), bases


@pytest.mark.parametrize("count", [1, 6, 13])
def test_forward_adds_products_with_some_rows_of_the_weights(count):
    (x, bases), weights, out = overlapping(count), single(HEIGHT, COLUMNS), single(18, COLUMNS)
    rows = np.array([x[base : base + LENGTH] for base in bases[:count]], np.float64)
    wanted = out[:count] + rows @ weights[FIRST : FIRST + LENGTH]

    forwards(x, bases, count, weights, FIRST, LENGTH, out)

    assert_allclose(out[:count], wanted, atol=1e-5)


@pytest.mark.parametrize("count", [1, 8, 13])
def test_backward_adds_products_with_the_transposed_weights(count):
    (errors, bases), weights, slopes = (
        overlapping(count),
        single(HEIGHT, COLUMNS),
        single(16, COLUMNS),
    )
    slopes[count:] = 0
    wanted = errors.astype(np.float64)
    for base, slope in zip(bases, slopes[:count], strict=False):
        wanted[base : base + LENGTH] += weights[FIRST : FIRST + LENGTH] @ slope
    in_eights = np.ascontiguousarray(slopes.reshape(2, 8, COLUMNS).transpose(0, 2, 1))

    backwards(in_eights, count, weights, FIRST, LENGTH, bases, errors)

    assert_allclose(errors, wanted, atol=2e-5)


@pytest.mark.parametrize("count", [1, 8, 13])
def test_outer_adds_products_of_rows_and_slopes_to_some_rows_of_the_weights(count):
    (x, bases), weights, slopes = overlapping(count), single(HEIGHT, COLUMNS), single(16, COLUMNS)
    rows = np.array([x[base : base + LENGTH] for base in bases[:count]], np.float64)
    wanted = weights.astype(np.float64)
    wanted[FIRST : FIRST + LENGTH] += rows.T @ slopes[:count]

    outwards(x, bases, count, slopes, weights, FIRST, LENGTH)

    assert_allclose(weights, wanted, atol=1e-5)


def test_eight_times_eight_numbers_change_rows_and_columns():
    table = np.arange(64, dtype=np.float32).reshape(8, 8)
    wanted = table.T.copy()

    turned_over(table)

    assert table.tolist() == wanted.tolist()


def test_numbers_inside_a_limit_are_told_from_others():
    value = np.array([-2, -1, -0.5, 0, 0.5, 1, 2, np.nan], np.float32)

    chosen(value, np.ones(8, np.float32), np.arange(1, 9, dtype=np.float32))

    assert value.tolist() == [0, 0, 3, 4, 5, 0, 0, 0]
