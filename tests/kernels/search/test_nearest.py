"""Best scores of each query, block by block, compared with a full sort."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexiscope.kernels.search.nearest import keep_best


def search(scores, number, width):
    """The best scores and their indices, found in blocks of `width` words."""
    queries, words = scores.shape
    values = np.full((queries, number), -np.inf, np.float32)
    indices = np.full((queries, number), -1, np.int64)
    for base in range(0, words, width):
        block = np.ascontiguousarray(scores[:, base : base + width])
        keep_best(block, queries, block.shape[1], base, values, indices)
    return values, indices


def reference_sort(scores, number):
    indices = np.argsort(-scores.astype(np.float64), axis=1, kind="stable")[:, :number]
    return np.take_along_axis(scores, indices, axis=1), indices


@pytest.mark.parametrize("width", [1, 7, 64, 65, 200, 500])
@pytest.mark.parametrize("number", [1, 3, 40])
def test_the_best_scores_agree_with_a_full_sort_for_any_block_size(number, width):
    scores = np.random.default_rng(width).normal(size=(5, 500)).astype(np.float32)

    values, indices = search(scores, number, width)

    assert indices.tolist() == reference_sort(scores, number)[1].tolist()
    assert values.tolist() == reference_sort(scores, number)[0].tolist()


@pytest.mark.parametrize("width", [16, 64, 100, 300])
def test_of_equal_scores_the_earlier_word_comes_first(width):
    scores = np.random.default_rng(1).integers(0, 4, (6, 300)).astype(np.float32)

    assert search(scores, 20, width)[1].tolist() == reference_sort(scores, 20)[1].tolist()


def test_missing_neighbours_have_index_minus_one():
    values, indices = search(np.array([[0.5, 0.25]], np.float32), 4, 64)

    assert indices.tolist() == [[0, 1, -1, -1]]
    assert values.tolist() == [[0.5, 0.25, -np.inf, -np.inf]]


def test_scores_of_minus_infinity_are_never_kept():
    scores = np.full((1, 130), -np.inf, np.float32)
    scores[0, [5, 129]] = -0.5, 0.25

    assert search(scores, 3, 64)[1].tolist() == [[129, 5, -1]]


@settings(max_examples=50)
@given(st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=150), st.integers(1, 9))
def test_any_scores_agree_with_a_full_sort(row, number):
    scores = np.array([row], np.float32) + np.float32(0)  # no minus zero: it equals zero

    indices = search(scores, number, 64)[1][0]

    expected = reference_sort(scores, number)[1][0]
    assert indices[: len(expected)].tolist() == expected.tolist()
    assert (indices[len(expected) :] == -1).all()
