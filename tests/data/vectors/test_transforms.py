import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression

import lexiscope
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data.vectors.resolve import embeddings_from
from lexiscope.data.vectors.transforms import split_source, transformed


def vectors_of(rows=5000, dimension=6):
    rng = np.random.default_rng(0)
    mixing = rng.normal(size=(dimension, dimension))
    return (rng.normal(size=(rows, dimension)) @ mixing + 3).astype(np.float32)


def made(vectors, counts=None):
    words = Vocabulary(tuple(f"w{k}" for k in range(len(vectors))))
    return Embedding("made", words, vectors, counts)


def test_centring_removes_a_planted_mean():
    found = transformed(made(vectors_of()), "centred")

    assert found.vectors.mean(axis=0) == pytest.approx(0, abs=1e-5)


def test_all_but_the_top_equals_the_steps_with_the_pca_of_scikit_learn():
    vectors = vectors_of()
    found = transformed(made(vectors), "abtt=2")

    centred = vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64)
    for axis in PCA(2).fit(vectors.astype(np.float64)).components_:
        centred = centred - np.outer(centred @ axis, axis)

    assert found.vectors == pytest.approx(centred, abs=1e-4)
    assert found.name == "made@abtt=2"


def test_whitened_vectors_have_the_identity_as_covariance_and_the_cosines_of_pca_whitening():
    vectors = vectors_of()
    found = transformed(made(vectors), "whiten").vectors.astype(np.float64)

    assert np.cov(found.T, bias=True) == pytest.approx(np.eye(6), abs=1e-4)
    assert found.mean(axis=0) == pytest.approx(0, abs=1e-4)
    other = PCA(whiten=True).fit_transform(vectors.astype(np.float64))[:50]
    ours = found[:50]
    assert ours @ ours.T == pytest.approx(other @ other.T, rel=1e-3, abs=1e-3)


def test_a_direction_without_variance_stays_0_after_whitening():
    vectors = vectors_of()
    vectors[:, 2] = 7

    found = transformed(made(vectors), "whiten").vectors

    assert np.isfinite(found).all()
    assert found[:, 2] == pytest.approx(0, abs=1e-5)


def planted(counts):
    vectors = vectors_of(len(counts))
    vectors[:, 1] += np.log(counts)
    return vectors


@pytest.mark.parametrize("has_counts", [True, False])
def test_without_the_frequency_direction_no_regression_predicts_log_frequency(has_counts):
    counts = np.sort(np.random.default_rng(1).zipf(1.3, 3000).clip(1, 10**9))[::-1].copy()
    given = made(planted(counts), counts if has_counts else None)
    target = np.log(counts) if has_counts else np.log(np.arange(1, 3001))

    found = transformed(given, "frequency")

    def fit(vectors):
        return LinearRegression().fit(vectors, target).score(vectors, target)

    assert fit(given.vectors.astype(np.float64)) > 0.05
    assert fit(found.vectors.astype(np.float64)) == pytest.approx(0, abs=1e-6)
    assert np.linalg.matrix_rank(found.vectors - found.vectors[0], tol=1e-2) == 5
    assert f"log {'counts' if has_counts else 'ranks in the file'}" in found.origin


def test_what_is_orthogonal_to_the_frequency_direction_does_not_change():
    counts = np.arange(4000, 0, -2)
    vectors = np.zeros((2000, 3), np.float32)
    vectors[:, 0] = np.log(counts) * 2
    vectors[:, 1] = np.random.default_rng(0).permutation(np.repeat([-1, 1], 1000))
    vectors[:, 2] = 5
    vectors[:, 1] -= np.polyval(np.polyfit(np.log(counts), vectors[:, 1], 1), np.log(counts))

    found = transformed(made(vectors, counts), "frequency").vectors

    assert found[:, 0] == pytest.approx(0, abs=1e-4)
    assert found[:, 1:] == pytest.approx(vectors[:, 1:], abs=1e-4)


def test_invented_counts_are_ranks():
    vectors = vectors_of(100)
    invented = made(vectors, np.arange(100, 0, -1))

    assert np.array_equal(
        transformed(invented, "frequency").vectors, transformed(made(vectors), "frequency").vectors
    )


def test_transforms_follow_each_other_from_left_to_right(tmp_path):
    path = lexiscope.save(made(vectors_of(100)), tmp_path / "made.safetensors")

    (chained,) = embeddings_from([f"{path}@first=50@centred"])
    (reversed_,) = embeddings_from([f"{path}@centred@first=50"])

    assert chained.name == "made@first=50@centred"
    assert chained.origin.endswith("@first=50@centred")
    assert chained.vectors.mean(axis=0) == pytest.approx(0, abs=1e-6)
    assert len(reversed_) == 50
    assert chained.fingerprint != reversed_.fingerprint
    assert lexiscope.load(f"{path}@first=50@centred").fingerprint == chained.fingerprint
    assert lexiscope.load(f"{path}@centred", name="mine").name == "mine"


def test_a_path_with_an_at_sign_is_a_path(tmp_path):
    folder = tmp_path / "me@home@centred"
    folder.mkdir()
    path = lexiscope.save(made(vectors_of(10)), folder / "a@b.safetensors")

    assert split_source(str(path)) == (str(path), ())
    assert split_source(f"{path}@abtt=2@whiten") == (str(path), ("abtt=2", "whiten"))
    assert len(lexiscope.load(str(path))) == 10
    assert lexiscope.load(f"{path}@centred").name == "made@centred"


@pytest.mark.parametrize(
    "name", ["abtt", "abtt=", "abtt=-1", "abtt=2.5", "centred=1", "whiten=2", "", "=2", "pca=3"]
)
def test_an_unknown_transform_is_refused_with_those_that_exist(name):
    with pytest.raises(BadUsage, match="After @ write centred, abtt=NUMBER, whiten, frequency"):
        transformed(made(vectors_of(10)), name)


@pytest.mark.parametrize("number", [0, 6, 60])
def test_all_but_the_top_leaves_a_component(number):
    with pytest.raises(BadUsage, match=f"removes 1 to 5 components .* not {number}"):
        transformed(made(vectors_of(10)), f"abtt={number}")


def test_vectors_without_variance_and_frequencies_without_a_spread_are_refused():
    same = made(np.ones((4, 3), np.float32))
    for name in ("abtt=1", "whiten"):
        with pytest.raises(BadData, match=f"made: cannot apply '{name}': all vectors are equal"):
            transformed(same, name)
    with pytest.raises(BadData, match="all words have the same frequency"):
        transformed(made(vectors_of(4), np.full(4, 9)), "frequency")
    with pytest.raises(BadData, match="all words have the same frequency"):
        transformed(made(vectors_of(1)), "frequency")


@pytest.mark.parametrize("name", ["centred", "abtt=1", "whiten", "frequency"])
def test_sparse_vectors_are_refused_and_not_made_dense(name):
    from scipy.sparse import csr_array

    sparse = lexiscope.load((["a", "b"], csr_array(np.eye(2))))

    with pytest.raises(BadUsage, match="needs dense vectors"):
        transformed(sparse, name)
