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

    found = Hpca(dimension=6, contexts=contexts).train(words, np.random.default_rng(0)).vectors

    assert_allclose(found, slowly.up(wanted), atol=1e-5)
    assert_allclose(found.mean(axis=0), 0, atol=1e-6)


def test_distances_with_all_components_are_hellinger_distances():
    words = text(words=10)
    counts = slowly.counts(words, 5)
    roots = np.sqrt(counts / counts.sum(axis=1, keepdims=True))

    found = Hpca(dimension=10).train(words, np.random.default_rng(0)).vectors

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
