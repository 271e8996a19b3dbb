import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.core.corpus import corpus
from lexiscope.core.errors import BadData
from lexiscope.trainers.lsa import Lsa
from tests.builders import text
from tests.trainers import slowly


def test_vectors_are_left_singular_vectors_of_the_pmi_of_seen_pairs():
    words = text()
    table = slowly.pmi(slowly.counts(words, 5))
    left = np.linalg.svd(np.where(np.isfinite(table), table, 0))[0]

    found = Lsa(dimension=6).train(words, np.random.default_rng(0)).vectors

    assert (table[np.isfinite(table)] < 0).any()
    assert_allclose(found, slowly.up(left)[:, :6], atol=1e-5)
    assert_allclose(found.T @ found, np.eye(6), atol=1e-5)


def test_independent_words_are_refused():
    words = corpus("chance", [["a", "a"], ["a", "b"], ["b", "a"], ["b", "b"]] * 3)

    with pytest.raises(BadData, match="every vector would be zero"):
        Lsa(dimension=1, window=1).train(words, np.random.default_rng(0))
