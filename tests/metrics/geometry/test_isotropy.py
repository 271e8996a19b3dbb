import numpy as np
import pytest
from sklearn.metrics.pairwise import cosine_similarity

from lexiscope.core.errors import Undefined
from lexiscope.metrics.geometry import mean_cosine, partition_ratio


@pytest.fixture
def vectors():
    # More rows than a chunk has, with a common direction.
    rng = np.random.default_rng(3)
    return (rng.normal(size=(5000, 6)) * [1, 2, 1, 0.5, 1, 1] + 0.4).astype(np.float32)


def test_the_mean_cosine_of_three_vectors():
    # The cosines are 0, 3/5 and 4/5.
    assert mean_cosine(np.array([[1, 0], [0, 7], [3, 4]])) == pytest.approx(1.4 / 3)


def test_the_mean_cosine_is_that_of_all_pairs(vectors):
    cosines = cosine_similarity(vectors.astype(np.float64))

    assert mean_cosine(vectors) == pytest.approx(
        cosines[np.triu_indices(len(vectors), 1)].mean(), rel=1e-12
    )


def test_a_zero_vector_has_no_cosine(vectors):
    with_zeros = np.vstack([np.zeros((3, 6)), vectors, np.zeros((1, 6))])

    assert mean_cosine(with_zeros) == pytest.approx(mean_cosine(vectors), rel=1e-12)


def test_equal_vectors_have_a_mean_cosine_of_1_and_opposite_ones_of_minus_1():
    assert mean_cosine(np.full((7, 3), 0.1)) == pytest.approx(1)
    assert mean_cosine(np.array([[0.1], [-3.0]])) == pytest.approx(-1)
    assert mean_cosine(np.array([[1e-30], [1e-30]], np.float32)) == pytest.approx(1)


@pytest.mark.parametrize("rows", [[[1.0, 2.0]], [[1.0, 2.0], [0.0, 0.0]], np.zeros((0, 2))])
def test_fewer_than_two_directions_have_no_mean_cosine(rows):
    with pytest.raises(Undefined, match="two vectors that are not zero"):
        mean_cosine(np.array(rows))


@pytest.mark.parametrize("metric", [mean_cosine, partition_ratio])
def test_a_number_that_is_not_finite_is_reported(metric):
    with pytest.raises(Undefined, match="not finite"):
        metric(np.array([[1.0, 2.0], [np.nan, 1.0], [3.0, 1.0]]))


def test_the_partition_ratio_by_hand():
    # The eigenvectors are the axes; the first coordinates sum to Z = e^2 + 2, e^-2 + 2, e + 2, ...
    rows = np.array([[2.0, 0.0], [0.0, 1.0], [0.0, 0.0]])

    assert partition_ratio(rows) == pytest.approx((np.exp(-2) + 2) / (np.exp(2) + 2))


def test_the_partition_ratio_equals_the_definition(vectors):
    rows = vectors.astype(np.float64)
    _, _, axes = np.linalg.svd(rows, full_matrices=False)

    partitions = [np.exp(rows @ c).sum() for axis in axes for c in (axis, -axis)]

    assert partition_ratio(vectors) == pytest.approx(min(partitions) / max(partitions), rel=1e-9)


def test_the_partition_ratio_does_not_depend_on_a_reflection(vectors):
    assert partition_ratio(-vectors) == pytest.approx(partition_ratio(vectors), rel=1e-9)


def test_centring_raises_the_partition_ratio(vectors):
    assert partition_ratio(vectors - vectors.mean(axis=0)) > 2 * partition_ratio(vectors)


def test_the_partition_ratio_of_long_vectors_does_not_overflow():
    assert partition_ratio(np.array([[2000.0, 0.0], [0.0, 1.0]])) == 0
    assert partition_ratio(np.array([[1000.0], [-1000.0]])) == 1


def test_one_vector_or_only_zeros_have_no_partition_ratio():
    with pytest.raises(Undefined, match="two vectors or more"):
        partition_ratio(np.ones((1, 3)))
    with pytest.raises(Undefined, match="all vectors are zero"):
        partition_ratio(np.zeros((4, 3)))
