import numpy as np
import pytest

from lexiscope.core.errors import Undefined
from lexiscope.linalg.covariance import (
    column_means,
    covariance,
    cross_products,
    gram_matrix,
    principal_axes,
)


@pytest.fixture
def table():
    return (np.random.default_rng(0).normal(size=(10_000, 4)) + 5).astype(np.float32)


def test_chunks_sum_to_the_products_of_numpy(table):
    rows = table.astype(np.float64)
    other = rows[:, :2] ** 2
    centred = other - other.mean(axis=0)

    assert column_means(table) == pytest.approx(rows.mean(axis=0), rel=1e-13)
    assert gram_matrix(table) == pytest.approx(rows.T @ rows, rel=1e-12)
    assert covariance(table) == pytest.approx(np.cov(rows.T, bias=True), rel=1e-9, abs=1e-12)
    assert cross_products(table, other) == pytest.approx(
        (rows - rows.mean(axis=0)).T @ centred, rel=1e-9
    )


def test_equal_rows_have_a_variance_of_exactly_0():
    assert not covariance(np.full((9999, 3), 0.1)).any()


def test_eigenvalues_descend_and_signs_are_fixed():
    values, axes = principal_axes(np.array([[1.0, 0.0], [0.0, 4.0]]))

    assert values.tolist() == [4, 1]
    assert np.abs(axes).tolist() == [[0, 1], [1, 0]]
    assert axes.sum(axis=0).tolist() == [1, 1]


def test_numbers_that_are_not_finite_are_reported():
    with pytest.raises(Undefined, match="not finite"):
        gram_matrix(np.array([[1.0, np.nan]]))
    with pytest.raises(Undefined, match="no vectors"):
        column_means(np.zeros((0, 2)))
