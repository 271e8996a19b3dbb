import numpy as np
import pytest
from scipy.stats import skew
from sklearn.neighbors import NearestNeighbors

from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.linalg.neighbours import nearest
from lexiscope.metrics.geometry import anti_hubs, hub_share, hubness, k_occurrence


def neighbours_of(vectors, number):
    return nearest(vectors.astype(np.float32), np.arange(len(vectors)), number).indices


def test_k_occurrences_equal_those_of_a_loop_over_the_neighbours_of_scikit_learn():
    vectors = np.random.default_rng(0).normal(size=(300, 4)) + 1

    slow = [0] * 300
    search = NearestNeighbors(n_neighbors=6, metric="cosine").fit(vectors)
    for query, row in enumerate(search.kneighbors(vectors, return_distance=False)):
        for neighbour in [index for index in row if index != query][:5]:
            slow[neighbour] += 1

    assert k_occurrence(neighbours_of(vectors, 5), 300).tolist() == slow


def test_absent_neighbours_do_not_count():
    # Two words and a zero vector: each word has one neighbour, the other one.
    rows = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]])

    counts = k_occurrence(neighbours_of(rows, 2)[:2], 3)

    assert counts.tolist() == [1, 1, 0]


def test_an_index_outside_the_rows_is_refused():
    for index in (3, -2):
        with pytest.raises(BadUsage, match="outside the 3 rows"):
            k_occurrence(np.array([[0, index]]), 3)


def test_hubness_equals_the_skewness_of_scipy():
    counts = np.random.default_rng(1).geometric(0.2, 1000)

    assert hubness(counts) == pytest.approx(skew(counts), rel=1e-12)


def test_hubness_by_hand():
    # Deviations -1, -1, 2: the mean cube is 2, the mean square 2.
    assert hubness(np.array([0, 0, 3])) == pytest.approx(2 / 2**1.5)
    assert hubness(np.array([0, 1, 2])) == pytest.approx(0)


def test_a_planted_hub_is_found():
    # Every vector is near the mean direction; the mean itself is the nearest of all.
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(200, 50)) + 0.3
    counts = k_occurrence(neighbours_of(np.vstack([rows, rows.mean(axis=0)]), 5), 201)

    assert counts.argmax() == 200
    assert hubness(counts) > 3


def test_without_a_spread_hubness_is_undefined():
    for counts in ([2, 2, 2], [1], [], [0, 0]):
        with pytest.raises(Undefined):
            hubness(np.array(counts, np.int64).reshape(-1)) if counts else hubness(np.zeros(0))


def test_anti_hubs_and_hubs_by_hand():
    counts = np.r_[np.zeros(60, int), np.ones(39, int), [61]]

    assert anti_hubs(counts) == 0.6
    assert hub_share(counts) == 0.61
    assert hub_share(counts, 0.02) == 0.62
    assert hub_share(np.ones(100, int), 0.07) == 0.07
    assert hub_share(np.array([3, 1])) == 0.75  # one row at least


def test_no_neighbours_have_no_hubs():
    with pytest.raises(Undefined, match="no row is a neighbour"):
        hub_share(np.zeros(4, int))
    with pytest.raises(Undefined, match="no rows"):
        anti_hubs(np.zeros(0, int))
    with pytest.raises(BadUsage, match="above 0"):
        hub_share(np.ones(4), 0)
