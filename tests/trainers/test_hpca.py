import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.decomposition import PCA

from lexiscope.core.corpus import corpus
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.trainers.hpca import Hpca
from tests.builders import text
from tests.trainers import slowly


@pytest.mark.parametrize("contexts", [40, 15])
def test_vectors_are_principal_components_of_square_roots_of_probabilities(contexts):
    words = text()
    counts = slowly.counts(words, 5)[:, :contexts]
    wanted = PCA(6, svd_solver="full").fit_transform(
        np.sqrt(counts / counts.sum(axis=1, keepdims=True))
    )

    found = (
        Hpca(dimension=6, contexts=contexts, eigen=1, center=True)
        .train(words, np.random.default_rng(0))
        .vectors
    )

    assert_allclose(found, slowly.up(wanted), atol=1e-5)
    assert_allclose(found.mean(axis=0), 0, atol=1e-6)


def test_by_default_vectors_are_left_singular_vectors_as_in_the_authors_program():
    words = text()
    counts = slowly.counts(words, 5)
    left, _, _ = np.linalg.svd(np.sqrt(counts / counts.sum(axis=1, keepdims=True)))

    found = Hpca(dimension=6).train(words, np.random.default_rng(0)).vectors

    assert_allclose(found, slowly.up(left[:, :6]), atol=1e-5)


def test_contexts_are_words_with_a_relative_frequency_of_one_in_100000_by_default():
    frequent = [[*"abcd"[at % 4 :][:3], "a"] for at in range(60_000)]
    words = corpus("long", [*frequent, ["rare", "a"]])
    counts = slowly.counts(words, 5)[:, :4]
    left, _, _ = np.linalg.svd(
        np.sqrt(counts / counts.sum(axis=1, keepdims=True)), full_matrices=False
    )

    found = Hpca(dimension=2).train(words, np.random.default_rng(0)).vectors

    assert_allclose(found, slowly.up(left[:, :2]), atol=1e-5)


def test_distances_with_all_components_are_hellinger_distances():
    words = text(words=10)
    counts = slowly.counts(words, 5)
    roots = np.sqrt(counts / counts.sum(axis=1, keepdims=True))

    found = Hpca(dimension=10, eigen=1).train(words, np.random.default_rng(0)).vectors

    for left, right in ((0, 1), (2, 7), (3, 9)):
        distance = np.linalg.norm(found[left] - found[right])
        assert distance == pytest.approx(np.linalg.norm(roots[left] - roots[right]), abs=1e-5)


def test_fewer_contexts_than_dimensions_are_refused():
    with pytest.raises(BadUsage, match="contexts must be 100 or more"):
        Hpca(contexts=20)


@pytest.mark.parametrize(
    ("sentences", "contexts"),
    [
        ([[left, right] for left in "abc" for right in "abc"], 3),
        ([["alone"], ["alone"], ["alone"], ["a", "b"], ["b", "c"]], 1),
    ],
)
def test_a_text_whose_words_have_equal_contexts_is_refused(sentences, contexts):
    words = corpus("alike", sentences)

    with pytest.raises(BadData, match="every vector would be zero"):
        Hpca(dimension=1, window=1, contexts=contexts).train(words, np.random.default_rng(0))
