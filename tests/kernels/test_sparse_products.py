import numpy as np
from numpy.testing import assert_allclose
from scipy.sparse import random_array

from lexiscope.kernels.sparse_products import TILE, rows_times


def test_sparse_rows_times_a_matrix_agree_with_numpy():
    rng = np.random.default_rng(0)
    matrix = random_array((30, 40), density=0.2, format="csr", rng=rng, dtype=np.float32)
    dense = rng.normal(size=(40, 2, TILE)).astype(np.float32)
    out = np.full((30, 2, TILE), np.nan, np.float32)

    rows_times(matrix.indptr, matrix.indices, matrix.data, dense, 0, 20, out)
    rows_times(matrix.indptr, matrix.indices, matrix.data, dense, 20, 30, out)

    for row in range(30):
        expected = sum(
            matrix.data[k] * dense[matrix.indices[k]]
            for k in range(matrix.indptr[row], matrix.indptr[row + 1])
        )
        assert_allclose(out[row], expected, rtol=1e-4, atol=1e-5)
