import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.preprocessing import normalize

from lexiscope.linalg.normalization import normalize_rows


def test_rows_have_length_one_and_the_argument_is_unchanged():
    rows = np.array([[3.0, 4.0], [0.0, -2.0]])

    assert_allclose(normalize_rows(rows), [[0.6, 0.8], [0, -1]])
    assert rows.tolist() == [[3, 4], [0, -2]]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_dense_rows_agree_with_scikit_learn_bit_for_bit(dtype):
    rows = np.random.default_rng(0).normal(size=(500, 37)).astype(dtype)

    found = normalize_rows(rows)

    assert found.dtype == dtype
    assert_array_equal(found, normalize(rows))


def test_zero_rows_stay_zero_and_nan_stays_nan():
    found = normalize_rows(np.array([[0.0, 0.0], [np.nan, 1.0]]))

    assert_array_equal(found, [[0, 0], [np.nan, np.nan]])


def test_sparse_rows_have_length_one_and_empty_rows_stay_empty():
    rows = csr_array(np.array([[3, 0, 4], [0, 0, 0], [0, -2, 0]], np.float32))

    found = normalize_rows(rows)

    assert found.dtype == np.float32
    assert_allclose(found.toarray(), [[0.6, 0, 0.8], [0, 0, 0], [0, -1, 0]], rtol=1e-6)


def test_given_norms_are_used():
    assert normalize_rows(np.array([[3.0, 4.0]]), np.array([2.0])).tolist() == [[1.5, 2.0]]
