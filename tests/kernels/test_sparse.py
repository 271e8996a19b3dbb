"""Products of sparse rows, against the same rows written out."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from lexiscope.kernels.sparse import block_products, pair_cosines
from tests.sparse import sparse_table

TABLE = sparse_table(50, empty=[7, 22], equal=[(3, 41)])
ROWS = csr_array(TABLE)
ASKED = sparse_table(9, seed=1)
PARTS = ROWS.data, ROWS.indices, ROWS.indptr


def products(start, end, scales):
    by_column = csr_array(ASKED).T.tocsr()
    out = np.full((9, end - start), 99, np.float32)
    asked = by_column.data, by_column.indices, by_column.indptr
    block_products(*PARTS[:2], ROWS.indptr[start : end + 1], scales[start:end], *asked, out)
    return out


def test_block_products_are_those_of_the_written_out_rows():
    scales = np.linspace(0.5, 2, 50).astype(np.float32)

    for start, end in ((0, 50), (5, 30), (49, 50), (7, 8)):
        expected = ASKED @ (TABLE[start:end] * scales[start:end, None]).T
        assert_allclose(products(start, end, scales), expected, rtol=1e-5, atol=1e-6)


def test_equal_rows_get_equal_products_to_the_last_bit_in_any_block():
    ones = np.ones(50, np.float32)

    assert np.array_equal(products(0, 20, ones)[:, 3], products(20, 50, ones)[:, 21])


def test_pair_cosines_are_those_of_the_written_out_rows_and_no_place_is_left_alone():
    asked = ASKED / np.linalg.norm(ASKED, axis=1)[:, None]
    rows = csr_array(asked)
    places = np.random.default_rng(0).choice(np.delete(np.arange(50), [7, 22]), (9, 6))
    places[2, 3:] = -1
    out = np.full((9, 6), -np.inf)

    pair_cosines(*PARTS, rows.data, rows.indices, rows.indptr, places, out)

    near = TABLE[places].astype(np.float64)
    expected = np.einsum("qd,qnd->qn", asked, near) / np.linalg.norm(near, axis=-1)
    assert_allclose(out, np.where(places < 0, -np.inf, expected), rtol=1e-12)
