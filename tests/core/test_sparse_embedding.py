"""An embedding with sparse vectors behaves like its dense copy."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from lexiscope.core.embedding import Embedding, embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.vocabulary import Vocabulary
from tests.sparse import sparse_table

WORDS = [f"w{n}" for n in range(30)]
TABLE = sparse_table(30, empty=[4, 29], equal=[(1, 9)])
COUNTS = np.arange(30, 0, -1)
DENSE = Embedding("ppmi", Vocabulary(tuple(WORDS)), TABLE, COUNTS)
SPARSE = Embedding("ppmi", Vocabulary(tuple(WORDS)), sparse.coo_array(TABLE), COUNTS)


def assert_same(found, wanted):
    assert found.is_sparse
    assert list(found.words) == list(wanted.words)
    assert_array_equal(found.vectors.toarray(), wanted.vectors)
    assert_array_equal(found.counts, wanted.counts)


def test_size_and_index_are_those_of_the_dense_copy():
    assert (len(SPARSE), SPARSE.dimension) == (len(DENSE), DENSE.dimension) == (30, 40)
    assert SPARSE.key_to_index == DENSE.key_to_index
    assert "w3" in SPARSE
    assert repr(SPARSE) == "Embedding('ppmi', 30 words x 40, sparse)"
    assert SPARSE._repr_html_() == "<b>ppmi</b>: 30 words × 40, sparse"
    assert not DENSE.is_sparse


def test_a_word_gives_all_its_numbers_and_words_give_sparse_rows():
    assert_array_equal(SPARSE["w3"], DENSE["w3"])
    assert_array_equal(SPARSE["w4"], np.zeros(40))
    assert_array_equal(SPARSE[["w9", "w0"]].toarray(), DENSE[["w9", "w0"]])
    assert SPARSE[[]].shape == (0, 40)
    with pytest.raises(KeyError, match="'cot' is not among the 30 words of ppmi"):
        SPARSE[["w1", "cot"]]


def test_subsets_are_those_of_the_dense_copy():
    places = np.array([7, 4, 0, 9])

    assert_same(SPARSE.rows(places), DENSE.rows(places))
    assert_same(SPARSE.first(12), DENSE.first(12))
    assert SPARSE.first(30) is SPARSE
    assert_same(SPARSE.named("other"), DENSE)
    assert np.shares_memory(SPARSE.named("other").vectors.data, SPARSE.vectors.data)


def test_lengths_and_the_mean_are_those_of_the_dense_copy():
    assert_allclose(SPARSE.lengths, DENSE.lengths, rtol=1e-6)
    assert SPARSE.lengths.dtype == np.float32
    assert SPARSE.has_mean_direction
    assert_same(SPARSE.with_mean_for(["x", "y"]), DENSE.with_mean_for(["x", "y"]))
    both = sparse.csr_array([[1.0, 0.0], [-1.0, 0.0]])
    assert not embedding("both", "ab", both).has_mean_direction


def test_centring_sparse_vectors_is_refused():
    with pytest.raises(BadUsage, match=r"Subtracting the mean needs.*ppmi are sparse.*Train svd"):
        SPARSE.centred()


def test_vectors_cannot_be_written():
    for part in (SPARSE.vectors.data, SPARSE.vectors.indices, SPARSE.vectors.indptr):
        with pytest.raises(ValueError, match="read-only"):
            part[0] = 1


def test_equal_content_has_an_equal_fingerprint_in_any_sparse_format():
    with_zeros = sparse.csr_array(np.ones(TABLE.shape))
    with_zeros.data = TABLE.ravel().astype(np.float64)
    wanted = embedding("e", WORDS, with_zeros).fingerprint

    for form in ("csr", "csc", "coo", "lil"):
        again = embedding("again", WORDS, sparse.coo_array(TABLE).asformat(form))
        assert again.fingerprint == wanted
    assert embedding("e", WORDS, TABLE).fingerprint != wanted


def test_different_content_has_a_different_fingerprint():
    base = embedding("e", "ab", sparse.csr_array([[1.0, 0, 0], [0, 2.0, 0]])).fingerprint

    for rows in (
        [[1.0, 0, 0], [0, 0, 2.0]],
        [[1.0, 0, 0], [0, 3.0, 0]],
        [[1.0, 2.0, 0], [0, 0, 0]],
        [[1.0, 0, 0, 0], [0, 2.0, 0, 0]],
    ):
        assert embedding("e", "ab", sparse.csr_array(rows)).fingerprint != base


def test_fingerprints_of_dense_vectors_stay_what_they_were():
    known = Embedding(
        "e", Vocabulary(("cat", "dog")), np.array([[1, 2], [3, 4]], np.float32), [7, 5]
    )

    assert known.fingerprint == "eac4e87bb5f52d3f3e2950cbd398656270b4c9f1f6e0419d3d519432db6de52c"


@pytest.mark.parametrize(
    ("words", "vectors", "sentence"),
    [
        ("ab", sparse.csr_array([[1.0]]), "Found 2 words for 1 vectors"),
        ("a", sparse.csr_array((1, 0)), "at least one dimension"),
        ("a", sparse.coo_array(np.ones(1)), "must form a table"),
    ],
)
def test_vectors_of_the_wrong_shape_are_refused(words, vectors, sentence):
    with pytest.raises(BadData, match=sentence):
        embedding("bad", words, vectors)
