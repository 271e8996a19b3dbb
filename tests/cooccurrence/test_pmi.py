import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from lexiscope.cooccurrence.pmi import concatenate_normalized, pmi, ppmi


def counts(seed=0, words=12, contexts=9):
    rng = np.random.default_rng(seed)
    dense = rng.integers(1, 50, (words, contexts)) * (rng.random((words, contexts)) < 0.4)
    dense[3] = 0  # a word without contexts
    dense[:, 2] = 0
    return dense.astype(float)


def reference_pmi(dense, cds, neg=1.0):
    """PMI - log(neg), cell by cell."""
    smoothed = dense.sum(axis=0) ** cds
    found = np.full(dense.shape, -np.inf)
    for w, c in zip(*np.nonzero(dense), strict=True):
        expected = dense[w].sum() * smoothed[c] / smoothed.sum()
        found[w, c] = np.log(dense[w, c] / expected) - np.log(neg)
    return found


def test_two_words_that_occur_only_with_each_other_have_pmi_log_2():
    counted = csr_array([[0.0, 3.0], [3.0, 0.0]])

    assert_allclose(ppmi(counted).toarray(), [[0, np.log(2)], [np.log(2), 0]], rtol=1e-6)
    assert ppmi(counted, neg=2).nnz == 0


@pytest.mark.parametrize(("cds", "neg"), [(1.0, 1.0), (0.75, 1.0), (0.75, 5.0), (0.5, 1.5)])
def test_ppmi_agrees_with_the_equation(cds, neg):
    dense = counts()

    found = ppmi(csr_array(dense), cds, neg)

    assert_allclose(
        found.toarray(), np.maximum(reference_pmi(dense, cds, neg), 0), rtol=1e-5, atol=1e-6
    )
    assert found.dtype == np.float32
    assert (found.data > 0).all()


def test_pmi_keeps_its_sign_and_stores_only_observed_pairs():
    dense = counts(seed=1)
    expected = reference_pmi(dense, 1.0)

    found = pmi(csr_array(dense))

    assert_allclose(
        found.toarray(), np.where(np.isfinite(expected), expected, 0), rtol=1e-5, atol=1e-6
    )
    assert found.data.min() < 0
    assert found.nnz <= np.count_nonzero(dense)


def test_the_counts_do_not_change_and_stored_zeros_are_ignored():
    dense = counts()
    stored = csr_array(dense)
    stored.data[0] = 0
    before = stored.data.copy()
    dense[tuple(axis[0] for axis in np.nonzero(dense))] = 0

    found = ppmi(stored, 0.75)

    assert_array_equal(stored.data, before)
    assert_allclose(
        found.toarray(), np.maximum(reference_pmi(dense, 0.75), 0), rtol=1e-5, atol=1e-6
    )


@pytest.mark.parametrize("cds", [1.0, 0.75])
def test_independent_words_have_no_association_whatever_their_counts(cds):
    """Every word occurs equally often with both contexts: all PMI are log 1."""
    once = np.array([[1, 1, 0], [1, 1, 0], [2, 2, 0.0]])

    for times in (1, 3, 7, 10, 49, 1_000_003):
        assert pmi(csr_array(once * times), cds).nnz == 0
        assert ppmi(csr_array(once * times / 3), cds).nnz == 0


@pytest.mark.parametrize("neg", [2.0, 3.0, 5.0, 15.0])
def test_an_association_equal_to_the_shift_is_not_stored(neg):
    diagonal = np.eye(int(neg))

    for times in range(1, 13):
        assert ppmi(csr_array(diagonal * times), neg=neg).nnz == 0


def test_a_small_association_is_kept():
    counted = csr_array([[1_000_001.0, 1_000_000.0], [1_000_000.0, 1_000_000.0]])

    assert ppmi(counted).nnz == 2


def test_an_empty_matrix_has_no_associations():
    assert ppmi(csr_array((3, 4)), 0.75).shape == (3, 4)
    assert ppmi(csr_array((3, 4))).nnz == pmi(csr_array((3, 4))).nnz == 0


def test_concatenated_blocks_have_rows_of_length_one_or_zero():
    first, second = csr_array([[3.0, 4.0], [0, 0]]), csr_array([[0, 2.0], [1.0, 0]])

    found = concatenate_normalized([first, second])

    assert_allclose(found.toarray(), [[0.6, 0.8, 0, 1], [0, 0, 1, 0]], rtol=1e-6)
