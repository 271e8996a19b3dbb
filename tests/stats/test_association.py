import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from lexiscope.stats.association import blocks_of_length_one, pmi, ppmi


def counts(seed=0, words=12, contexts=9):
    rng = np.random.default_rng(seed)
    dense = rng.integers(1, 50, (words, contexts)) * (rng.random((words, contexts)) < 0.4)
    dense[3] = 0  # a word without contexts
    dense[:, 2] = 0
    return dense.astype(float)


def slow_pmi(dense, cds, neg=1.0):
    """Cell by cell, as the equation is written."""
    smoothed = dense.sum(axis=0) ** cds
    found = np.full(dense.shape, -np.inf)
    for w, c in zip(*np.nonzero(dense), strict=True):
        chance = dense[w].sum() * smoothed[c] / smoothed.sum()
        found[w, c] = np.log(dense[w, c] / chance) - np.log(neg)
    return found


def test_two_words_that_only_meet_each_other_have_the_logarithm_of_two():
    met = csr_array([[0.0, 3.0], [3.0, 0.0]])

    assert_allclose(ppmi(met).toarray(), [[0, np.log(2)], [np.log(2), 0]], rtol=1e-6)
    assert ppmi(met, neg=2).nnz == 0


@pytest.mark.parametrize(("cds", "neg"), [(1.0, 1.0), (0.75, 1.0), (0.75, 5.0), (0.5, 1.5)])
def test_positive_pmi_is_that_of_the_equation(cds, neg):
    dense = counts()

    found = ppmi(csr_array(dense), cds, neg)

    assert_allclose(found.toarray(), np.maximum(slow_pmi(dense, cds, neg), 0), rtol=1e-5, atol=1e-6)
    assert found.dtype == np.float32
    assert (found.data > 0).all()


def test_plain_pmi_keeps_the_sign_of_what_was_seen_and_stores_nothing_else():
    dense = counts(seed=1)
    wanted = slow_pmi(dense, 1.0)

    found = pmi(csr_array(dense))

    assert_allclose(found.toarray(), np.where(np.isfinite(wanted), wanted, 0), rtol=1e-5, atol=1e-6)
    assert found.data.min() < 0
    assert found.nnz <= np.count_nonzero(dense)


def test_the_counts_are_left_as_they_were_and_stored_zeros_count_nothing():
    dense = counts()
    given = csr_array(dense)
    given.data[0] = 0
    before = given.data.copy()
    dense[tuple(axis[0] for axis in np.nonzero(dense))] = 0

    found = ppmi(given, 0.75)

    assert_array_equal(given.data, before)
    assert_allclose(found.toarray(), np.maximum(slow_pmi(dense, 0.75), 0), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("cds", [1.0, 0.75])
def test_words_that_meet_just_as_by_chance_have_no_association_however_often(cds):
    """Every word meets c and d equally often: each logarithm is that of 1."""
    once = np.array([[1, 1, 0], [1, 1, 0], [2, 2, 0.0]])

    for times in (1, 3, 7, 10, 49, 1_000_003):
        assert pmi(csr_array(once * times), cds).nnz == 0
        assert ppmi(csr_array(once * times / 3), cds).nnz == 0


@pytest.mark.parametrize("neg", [2.0, 3.0, 5.0, 15.0])
def test_an_association_as_large_as_the_shift_is_none(neg):
    apart = np.eye(int(neg))

    for times in range(1, 13):
        assert ppmi(csr_array(apart * times), neg=neg).nnz == 0


def test_an_association_that_is_small_but_there_is_kept():
    met = csr_array([[1_000_001.0, 1_000_000.0], [1_000_000.0, 1_000_000.0]])

    assert ppmi(met).nnz == 2


def test_without_counts_there_is_no_association():
    assert ppmi(csr_array((3, 4)), 0.75).shape == (3, 4)
    assert ppmi(csr_array((3, 4))).nnz == pmi(csr_array((3, 4))).nnz == 0


def test_blocks_stand_side_by_side_each_of_length_one_or_empty():
    first, second = csr_array([[3.0, 4.0], [0, 0]]), csr_array([[0, 2.0], [1.0, 0]])

    found = blocks_of_length_one([first, second])

    assert_allclose(found.toarray(), [[0.6, 0.8, 0, 1], [0, 0, 1, 0]], rtol=1e-6)
