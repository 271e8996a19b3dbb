import numpy as np
import pytest

from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.metrics.geometry import linear_cka, neighbour_jaccard, neighbour_jaccards
from lexiscope.metrics.neighbour_overlap import jaccard


def cka_of_kernels(first, second):
    """HSIC of the centred Gram matrices (n, n), the form for any kernel."""
    n = len(first)
    centring = np.eye(n) - 1 / n
    kernels = [centring @ (x @ x.T) @ centring for x in (first, second)]

    def hsic(left, right):
        return np.trace(left @ right)

    return hsic(*kernels) / np.sqrt(hsic(kernels[0], kernels[0]) * hsic(kernels[1], kernels[1]))


@pytest.fixture
def spaces():
    rng = np.random.default_rng(5)
    first = rng.normal(size=(150, 8)) * np.arange(1, 9)
    return first, np.hstack([first[:, :3], rng.normal(size=(150, 2))]) + 4


def test_cka_equals_that_of_centred_kernels(spaces):
    assert linear_cka(*spaces) == pytest.approx(cka_of_kernels(*spaces), rel=1e-10)


def test_cka_does_not_change_with_a_rotation_a_scale_or_a_shift(spaces):
    first, _ = spaces
    rotation, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(8, 8)))

    assert linear_cka(first, 3 * first @ rotation + 7) == pytest.approx(1)
    assert linear_cka(*spaces) == pytest.approx(linear_cka(*spaces[::-1]))


def test_cka_of_unrelated_vectors_depends_on_the_number_of_rows():
    rng = np.random.default_rng(0)

    for rows in (100, 10_000):
        found = linear_cka(rng.normal(size=(rows, 50)), rng.normal(size=(rows, 50)))

        assert found == pytest.approx(50 / (rows + 50), rel=0.1)


def test_cka_of_independent_dimensions_is_0():
    assert linear_cka(
        np.array([[1.0], [-1], [1], [-1]]), np.array([[1.0], [1], [-1], [-1]])
    ) == pytest.approx(0)


def test_cka_needs_the_same_words_and_a_variance():
    with pytest.raises(BadUsage, match="found 2 and 3"):
        linear_cka(np.ones((2, 1)), np.ones((3, 1)))
    with pytest.raises(Undefined, match="two vectors or more"):
        linear_cka(np.ones((1, 2)), np.ones((1, 2)))
    with pytest.raises(Undefined, match="all vectors of an embedding are equal"):
        linear_cka(np.array([[1.0], [2.0]]), np.full((2, 3), 0.1))


def test_jaccards_equal_those_of_sets():
    rng = np.random.default_rng(0)
    first, second = (
        np.array([rng.choice(30, size=k, replace=False) for _ in range(5000)]) for k in (10, 7)
    )

    expected = [jaccard(a, b) for a, b in zip(first.tolist(), second.tolist(), strict=True)]

    assert neighbour_jaccards(first, second).tolist() == expected
    assert neighbour_jaccard(first, second) == pytest.approx(np.mean(expected))


def test_absent_neighbours_are_in_no_set():
    first = np.array([[4, 2, -1], [-1, -1, -1], [-1, -1, -1]])
    second = np.array([[2, -1, -1], [3, -1, -1], [-1, -1, -1]])

    assert neighbour_jaccards(first, second)[:2].tolist() == [0.5, 0]
    assert neighbour_jaccard(first, second) == 0.25  # the third query has no neighbours
    with pytest.raises(Undefined, match="no query has neighbours"):
        neighbour_jaccard(first[2:], second[2:])
    with pytest.raises(BadUsage, match="of 1 and of 3 queries"):
        neighbour_jaccard(first[:1], second)
