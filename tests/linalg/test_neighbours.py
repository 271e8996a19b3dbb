import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.linalg.neighbours import nearest, neighbours


def by_full_sort(vectors, queries, number):
    """All cosines in double precision, fully sorted."""
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1)
    with np.errstate(invalid="ignore"):
        rows = vectors / lengths[:, None]
    cosines = rows[queries] @ rows.T
    cosines[:, lengths == 0] = -np.inf
    cosines[np.arange(len(queries)), queries] = -np.inf
    order = np.argsort(-cosines, axis=1, kind="stable")[:, :number]
    return order, np.take_along_axis(cosines, order, axis=1)


def test_nearest_agrees_with_a_full_sort_over_several_blocks_of_words_and_queries():
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(9000, 6)).astype(np.float32)
    vectors[rng.integers(0, 9000, 50)] = 0
    queries = np.flatnonzero(vectors.any(axis=1))[:1100]

    found = nearest(vectors, queries, 5)

    indices, cosines = by_full_sort(vectors, queries, 5)
    assert_allclose(found.cosines, cosines, atol=2e-6)
    assert np.mean(found.indices == indices) > 0.999  # float32 may swap nearly equal cosines


@pytest.mark.parametrize("words", [4095, 4096, 4097])
def test_nearest_is_exact_at_the_edge_of_a_block(words):
    vectors = np.random.default_rng(1).normal(size=(words, 3)).astype(np.float32)
    vectors[-1] = vectors[0] * 2

    found = nearest(vectors, np.array([0, words - 1]), 1)

    assert found.indices.tolist() == [[words - 1], [0]]
    assert_allclose(found.cosines, 1, atol=1e-6)


def test_equal_cosines_are_ordered_by_row():
    directions = np.eye(4, dtype=np.float32)
    vectors = directions[np.arange(10_000) % 4] * 2

    found = nearest(vectors, np.array([0, 9996, 5001]), 3)

    assert found.indices.tolist() == [[4, 8, 12], [0, 4, 8], [1, 5, 9]]
    assert (found.cosines == 1).all()


def test_a_word_is_not_its_own_neighbour_even_among_equal_vectors():
    vectors = np.ones((6, 2), np.float32)

    assert nearest(vectors, np.array([5]), 3).indices.tolist() == [[0, 1, 2]]
    assert nearest(vectors, np.array([0]), 3).indices.tolist() == [[1, 2, 3]]


def test_zero_rows_are_never_neighbours():
    vectors = np.array([[1, 0], [0, 0], [-1, 0], [0, 0]], np.float32)

    found = nearest(vectors, np.array([0]), 3)

    assert found.indices.tolist() == [[2, -1, -1]]
    assert found.cosines[0, 0] == -1


def test_the_norms_of_vectors_do_not_matter():
    rng = np.random.default_rng(2)
    vectors = rng.normal(size=(50, 4)).astype(np.float32)
    scaled = vectors * rng.uniform(0.1, 10, (50, 1)).astype(np.float32)
    queries = np.arange(50)

    assert (
        nearest(vectors, queries, 5).indices.tolist()
        == nearest(scaled, queries, 5).indices.tolist()
    )


@pytest.mark.parametrize("threads", ["1", "2"])
def test_threads_do_not_change_the_neighbours(monkeypatch, threads):
    vectors = np.random.default_rng(3).normal(size=(5000, 5)).astype(np.float32)
    queries = np.arange(1200)
    expected = nearest(vectors, queries, 4)
    monkeypatch.setenv("LEXISCOPE_THREADS", threads)

    found = nearest(vectors, queries, 4)

    assert np.array_equal(found.indices, expected.indices)
    assert np.array_equal(found.cosines, expected.cosines)


ANIMALS = embedding(
    "animals", ("cat", "lion", "dog", "nil"), [[1.0, 0.0], [0.8, 0.6], [0.0, 1.0], [0, 0]]
)


def test_neighbours_are_words_with_their_cosines():
    found = neighbours(ANIMALS, "cat", 2)

    assert [near.word for near in found["cat"]] == ["lion", "dog"]
    assert_allclose([near.cosine for near in found["cat"]], [0.8, 0.0], atol=1e-7)


def test_there_are_at_most_as_many_neighbours_as_words():
    assert [near.word for near in neighbours(ANIMALS, ["dog"], 9)["dog"]] == ["lion", "cat"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["cat", "zyx", "x\x1by"], "'zyx', 'x�y' are not in the vocabulary of animals"),
        ("nil", "'nil' has a zero vector in animals"),
    ],
)
def test_words_without_neighbours_are_an_error(words, message):
    with pytest.raises(BadData, match=message):
        neighbours(ANIMALS, words)


def test_a_number_below_one_is_an_error():
    with pytest.raises(BadUsage, match="must be 1 or more, found 0"):
        neighbours(ANIMALS, "cat", 0)


def test_vectors_that_are_not_finite_are_an_error():
    broken = embedding("broken", ("a", "b", "c"), [[1.0, 0.0], [np.nan, 0.0], [0.0, 1.0]])

    with pytest.raises(BadData, match=r"'b'.*not finite"):
        neighbours(broken, "a")
