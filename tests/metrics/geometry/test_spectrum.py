import numpy as np
import pytest
from sklearn.decomposition import PCA

from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.metrics.geometry import (
    Spectrum,
    effective_dimension,
    isoscore,
    spectrum,
    variance_dimension,
)


def stretched(rows=200):
    rng = np.random.default_rng(7)
    return rng.normal(size=(rows, 5)) @ np.diag([3, 1, 1, 0.5, 0.1]) + np.arange(5)


def isoscore_step_by_step(vectors):
    """Algorithm 1 of Rudman et al. 2022; the principal axes are those of the SVD."""
    size = vectors.shape[1]
    centred = vectors - vectors.mean(axis=0)
    reoriented = centred @ np.linalg.svd(centred)[2].T
    diagonal = np.diag(np.cov(reoriented.T))
    scaled = diagonal * np.sqrt(size) / np.linalg.norm(diagonal)
    defect = np.linalg.norm(scaled - 1) / np.sqrt(2 * (size - np.sqrt(size)))
    used = (size - defect**2 * (size - np.sqrt(size))) ** 2 / size
    return (used - 1) / (size - 1)


@pytest.mark.parametrize("rows", [2, 4, 200, 2000])
def test_isoscore_equals_the_steps_of_the_paper(rows):
    vectors = stretched(rows)

    assert isoscore(vectors) == pytest.approx(isoscore_step_by_step(vectors), abs=1e-12)


def test_isoscore_equals_that_of_the_released_package():
    # IsoScore 2.0.1, which computes in single precision.
    assert isoscore(stretched()) == pytest.approx(0.12313484833438171, abs=1e-7)


def test_isoscore_of_vectors_in_one_direction_is_0_and_of_uniform_ones_1():
    line = np.outer([1.0, 2.0, 5.0, -3.0], [1.0, 2.0, 3.0])
    cube = np.vstack([np.eye(3), -np.eye(3)])

    assert isoscore(line) == pytest.approx(0, abs=1e-12)
    assert isoscore(cube) == pytest.approx(1)
    assert isoscore(cube + 100) == pytest.approx(1)
    assert effective_dimension(line) == pytest.approx(1)
    assert effective_dimension(cube) == pytest.approx(3)


def test_k_of_d_equal_variances_have_the_score_that_the_paper_derives():
    # Rudman et al., section 3: (k - 1) / (d - 1) if k of d dimensions are used uniformly.
    for used in range(1, 6):
        variances = np.r_[np.full(used, 2.5), np.zeros(5 - used)]

        assert Spectrum(variances).isoscore == pytest.approx((used - 1) / 4)
        assert Spectrum(variances).effective_dimension == pytest.approx(used)


def test_the_spectrum_equals_that_of_scikit_learn():
    vectors = stretched(6000).astype(np.float32)

    found = spectrum(vectors)
    pca = PCA().fit(vectors.astype(np.float64))

    assert found.variances * 6000 / 5999 == pytest.approx(pca.explained_variance_, rel=1e-9)
    assert found.components(0.9) == PCA(0.9).fit(vectors).n_components_


def test_the_number_of_components_by_hand():
    found = Spectrum(np.array([6.0, 3.0, 0.5, 0.5]))

    assert [found.components(p) for p in (0.5, 0.6, 0.61, 0.9, 0.91, 1)] == [1, 1, 2, 2, 3, 4]
    assert variance_dimension(np.array([[1.0, 0], [-1, 0], [0, 2], [0, -2]])) == 2
    with pytest.raises(BadUsage, match="above 0 and at most 1"):
        found.components(90)


def test_a_large_common_mean_does_not_change_the_spectrum():
    vectors = stretched()

    assert isoscore(vectors + 1e6) == pytest.approx(isoscore(vectors), rel=1e-6)


@pytest.mark.parametrize("metric", [isoscore, effective_dimension, variance_dimension])
def test_vectors_without_variance_are_undefined(metric):
    with pytest.raises(Undefined, match="all vectors are equal"):
        metric(np.full((10_001, 3), 0.1, np.float32))
    with pytest.raises(Undefined, match="all vectors are equal"):
        metric(np.zeros((3, 2)))
    with pytest.raises(Undefined, match="two vectors or more"):
        metric(np.ones((1, 3)))
    with pytest.raises(Undefined, match="not finite"):
        metric(np.array([[1.0, np.inf], [2.0, 3.0]]))


def test_one_dimension_has_no_isoscore():
    line = np.array([[1.0], [2.0], [4.0]])

    with pytest.raises(Undefined, match="two dimensions or more"):
        isoscore(line)
    assert effective_dimension(line) == 1
    assert variance_dimension(line) == 1
