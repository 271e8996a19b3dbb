"""Products of sparse rows, compared with the same rows in dense form."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from lexiscope.kernels.search.sparse_rows import block_products, pair_cosines
from tests.sparse import sparse_table

TABLE = sparse_table(50, empty=[7, 22], equal=[(3, 41)])
ROWS = csr_array(TABLE)
QUERIES = sparse_table(9, seed=1)
PARTS = ROWS.data, ROWS.indices, ROWS.indptr


def products(start, end, scales):
    by_column = csr_array(QUERIES).T.tocsr()
    out = np.full((9, end - start), 99, np.float32)
    queries = by_column.data, by_column.indices, by_column.indptr
    block_products(*PARTS[:2], ROWS.indptr[start : end + 1], scales[start:end], *queries, out)
    return out


def test_block_products_agree_with_dense_rows():
    scales = np.linspace(0.5, 2, 50).astype(np.float32)

    for start, end in ((0, 50), (5, 30), (49, 50), (7, 8)):
        expected = QUERIES @ (TABLE[start:end] * scales[start:end, None]).T
        assert_allclose(products(start, end, scales), expected, rtol=1e-5, atol=1e-6)


def test_equal_rows_have_bit_identical_products_in_any_block():
    ones = np.ones(50, np.float32)

    assert np.array_equal(products(0, 20, ones)[:, 3], products(20, 50, ones)[:, 21])


def test_pair_cosines_agree_with_dense_rows_and_skip_negative_indices():
    normalized = QUERIES / np.linalg.norm(QUERIES, axis=1)[:, None]
    rows = csr_array(normalized)
    indices = np.random.default_rng(0).choice(np.delete(np.arange(50), [7, 22]), (9, 6))
    indices[2, 3:] = -1
    out = np.full((9, 6), -np.inf)

    pair_cosines(*PARTS, rows.data, rows.indices, rows.indptr, indices, out)

    near = TABLE[indices].astype(np.float64)
    expected = np.einsum("qd,qnd->qn", normalized, near) / np.linalg.norm(near, axis=-1)
    assert_allclose(out, np.where(indices < 0, -np.inf, expected), rtol=1e-12)
