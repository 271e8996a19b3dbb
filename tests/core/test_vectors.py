"""Sparse tables: their canonical form, and that they behave like dense tables."""

import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.vectors import (
    content,
    count_distinct_rows,
    equal_rows,
    mean_row,
    one_row,
    row_bytes,
    row_lengths,
    row_signatures,
    table,
    with_copies,
)
from tests.sparse import sparse_table

DENSE = sparse_table(60, empty=[0, 5, 59], equal=[(8, 2), (8, 33), (0, 40)])
FORMATS = ("csr", "csc", "coo", "lil", "dok", "bsr")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("make", [sparse.coo_array, sparse.coo_matrix])
def test_every_sparse_format_becomes_rows_in_one_form(form, make):
    rows = table(make(DENSE.astype(np.float64)).asformat(form))

    assert isinstance(rows, sparse.csr_array)
    assert (rows.dtype, rows.indices.dtype, rows.indptr.dtype) == (np.float32, np.int32, np.int32)
    assert rows.has_canonical_format
    assert_array_equal(rows.toarray(), DENSE)


def test_unsorted_columns_duplicates_and_zeros_are_fixed_in_a_copy():
    numbers = np.array([5, 1, 0, 2, 3, -3], np.float32)
    columns, starts = np.array([2, 0, 1, 1, 0, 0]), np.array([0, 3, 6])
    mine = sparse.csr_array((numbers.copy(), columns.copy(), starts.copy()), (2, 4))

    rows = table(mine)

    assert (rows.data.tolist(), rows.indices.tolist()) == ([1, 5, 2], [0, 2, 1])
    assert rows.indptr.tolist() == [0, 2, 3]
    assert_array_equal(mine.data, numbers)
    assert_array_equal(mine.indices, columns)


def test_numbers_too_small_for_float32_are_zeros():
    assert table(sparse.csr_array([[1e-60, 2.0]])).data.tolist() == [2]


def test_canonical_rows_are_not_copied_and_the_callers_stay_writeable():
    mine = sparse.csr_array(DENSE)

    rows = table(mine)

    for ours, theirs in ((rows.data, mine.data), (rows.indices, mine.indices)):
        assert np.shares_memory(ours, theirs)
        assert theirs.flags.writeable
        assert not ours.flags.writeable
    assert not rows.indptr.flags.writeable


def test_space_after_the_last_number_is_not_part_of_the_table():
    roomy = sparse.csr_array(DENSE)
    roomy.data = np.append(roomy.data, [7, 7]).astype(np.float32)
    roomy.indices = np.append(roomy.indices, [0, 0]).astype(np.int32)

    rows = table(roomy)

    assert len(rows.data) == len(rows.indices) == rows.indptr[-1]
    assert_array_equal(rows.toarray(), DENSE)


def test_a_one_dimensional_sparse_array_is_not_a_table():
    with pytest.raises(BadData, match="must form a table"):
        table(sparse.coo_array(np.array([1.0, 0.0])))


def test_sparse_rows_behave_like_the_same_dense_rows():
    rows = table(sparse.csr_array(DENSE))

    assert_allclose(row_lengths(rows), row_lengths(DENSE), rtol=1e-6)
    assert row_lengths(rows)[[0, 5, 59]].tolist() == [0, 0, 0]
    assert_allclose(mean_row(rows), mean_row(DENSE), rtol=1e-12)
    assert_array_equal(one_row(rows, 8), one_row(DENSE, 8))
    assert_array_equal(
        with_copies(rows, mean_row(rows), 3).toarray(), with_copies(DENSE, mean_row(DENSE), 3)
    )
    assert count_distinct_rows(rows) == count_distinct_rows(DENSE) == 60 - 3 - 2
    assert equal_rows(rows[[8, 3]], rows[[33, 3]])
    assert not equal_rows(rows[[8, 3]], rows[[8, 4]])
    assert not equal_rows(rows[[8]], rows[[8, 8]])


def test_a_table_of_zeros_is_a_table():
    rows = table(sparse.csr_array((3, 4), dtype=np.float32))

    assert row_lengths(rows).tolist() == [0, 0, 0]
    assert mean_row(rows).tolist() == [0, 0, 0, 0]
    assert count_distinct_rows(rows) == 1
    assert [mark.tolist() for mark in row_signatures(rows)] == [[0, 0, 0]]


def test_many_rows_are_taken_block_by_block():
    tall = sparse_table(40_000, dimension=6, empty=range(16_000, 17_000))
    rows = table(sparse.csr_array(tall))

    assert_allclose(row_lengths(rows), np.linalg.norm(tall.astype(np.float64), axis=1), rtol=1e-6)
    assert_allclose(mean_row(rows), tall.astype(np.float64).mean(axis=0))


@pytest.mark.parametrize("rows", [DENSE, table(sparse.csr_array(DENSE))], ids=["dense", "sparse"])
def test_rows_are_equal_where_their_bytes_are_and_then_all_signatures_are(rows):
    seen = np.stack(list(row_signatures(rows)))

    for one in range(60):
        for other in range(60):
            same = np.array_equal(DENSE[one], DENSE[other])
            assert (row_bytes(rows, one) == row_bytes(rows, other)) == same
            assert not same or np.array_equal(seen[:, one], seen[:, other])


def test_the_content_has_the_same_types_for_any_size():
    wide = table(sparse.csr_array(DENSE))
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)

    assert [part.dtype for part in content(wide)] == [np.float32, np.int32, np.int64]


def test_scipy_is_not_loaded_for_dense_vectors():
    code = (
        "import sys, numpy as np; from lexiscope.core.embedding import embedding;"
        "import lexiscope.core.corpus; e = embedding('e', ['a', 'b'], np.ones((2, 2)));"
        "e.lengths, e.fingerprint, e['a'], e.centred(), e.has_mean_direction, repr(e);"
        "sys.exit(any(name.startswith('scipy') for name in sys.modules))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_too_many_dimensions_are_refused():
    assert table(sparse.csr_array((2, 50_000_000), dtype=np.float32)).shape == (2, 50_000_000)
    with pytest.raises(BadData, match=r"Found 50,000,001 dimensions.*50,000,000 at most"):
        table(sparse.csr_array((2, 50_000_001), dtype=np.float32))


def test_a_sparse_mean_for_too_many_words_is_refused():
    rows = table(sparse.csr_array(np.ones((1, 40_000), np.float32)))

    assert with_copies(rows, mean_row(rows), 400).nnz == 401 * 40_000
    with pytest.raises(BadUsage, match=r"40,000 non-zero numbers.* 500 OOV words"):
        with_copies(rows, mean_row(rows), 500)
