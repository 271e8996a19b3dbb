import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.core.errors import BadUsage
from lexiscope.trainers.svd import Svd
from tests.builders import text
from tests.trainers import slowly


def train(words, **settings):
    return Svd(**settings).train(words, np.random.default_rng(0)).vectors


def decomposed(words, window=5, cds=0.75):
    table = np.maximum(slowly.pmi(slowly.counts(words, window), cds), 0)
    left, values, right = np.linalg.svd(table)
    signs = np.sign(slowly.up(left)[0] * left[0])
    return left * signs, values, right.T * signs


@pytest.mark.parametrize("eigen", [0.0, 0.5, 1.0])
def test_vectors_are_left_singular_vectors_times_a_power_of_the_values(eigen):
    words = text()
    left, values, _ = decomposed(words)

    found = train(words, dimension=6, eigen=eigen)

    assert_allclose(found, left[:, :6] * values[:6] ** eigen, atol=1e-5)


def test_context_vectors_can_be_added():
    words = text()
    left, values, right = decomposed(words, window=2, cds=1.0)

    found = train(words, dimension=5, window=2, cds=1.0, add_context=True)

    assert_allclose(found, (left + right)[:, :5] * values[:5] ** 0.5, atol=1e-5)


def test_with_positional_the_matrix_has_a_block_of_contexts_for_each_position():
    words = text()
    left, values, _ = np.linalg.svd(slowly.positional_ppmi(words, 1, 0.75))
    signs = np.sign(slowly.up(left)[0] * left[0])

    found = train(words, dimension=6, window=1, positional=True)

    assert_allclose(found, (left * signs)[:, :6] * values[:6] ** 0.5, atol=1e-5)


def test_context_vectors_cannot_be_added_with_positional():
    with pytest.raises(BadUsage, match="add_context must be false"):
        Svd(positional=True, add_context=True)


def test_with_all_dimensions_dot_products_are_those_of_the_matrix():
    words = text(words=12)
    table = np.maximum(slowly.pmi(slowly.counts(words, 5), 0.75), 0)

    found = train(words, dimension=12, eigen=1.0)

    assert_allclose(found @ found.T, table @ table.T, atol=1e-4)


def test_more_dimensions_than_words_are_refused():
    with pytest.raises(BadUsage, match=r"the corpus has 12\. Use a dimension of 12 or less"):
        train(text(words=12), dimension=13)
