"""The best of each query, block by block, against a plain sort of everything."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexiscope.kernels.nearest import keep_best


def kept(scores, number, width):
    """Feed the scores in blocks of `width`, as a search does."""
    queries, words = scores.shape
    values = np.full((queries, number), -np.inf, np.float32)
    places = np.full((queries, number), -1, np.int64)
    for base in range(0, words, width):
        block = np.ascontiguousarray(scores[:, base : base + width])
        keep_best(block, queries, block.shape[1], base, values, places)
    return values, places


def sorted_wholly(scores, number):
    places = np.argsort(-scores.astype(np.float64), axis=1, kind="stable")[:, :number]
    return np.take_along_axis(scores, places, axis=1), places


@pytest.mark.parametrize("width", [1, 7, 64, 65, 200, 500])
@pytest.mark.parametrize("number", [1, 3, 40])
def test_the_best_equal_a_full_sort_over_any_blocks(number, width):
    scores = np.random.default_rng(width).normal(size=(5, 500)).astype(np.float32)

    values, places = kept(scores, number, width)

    assert places.tolist() == sorted_wholly(scores, number)[1].tolist()
    assert values.tolist() == sorted_wholly(scores, number)[0].tolist()


@pytest.mark.parametrize("width", [16, 64, 100, 300])
def test_of_equal_scores_the_earlier_word_stays_ahead(width):
    scores = np.random.default_rng(1).integers(0, 4, (6, 300)).astype(np.float32)

    assert kept(scores, 20, width)[1].tolist() == sorted_wholly(scores, 20)[1].tolist()


def test_fewer_words_than_asked_for_leave_empty_places():
    values, places = kept(np.array([[0.5, 0.25]], np.float32), 4, 64)

    assert places.tolist() == [[0, 1, -1, -1]]
    assert values.tolist() == [[0.5, 0.25, -np.inf, -np.inf]]


def test_words_that_may_not_win_are_never_kept():
    scores = np.full((1, 130), -np.inf, np.float32)
    scores[0, [5, 129]] = -0.5, 0.25

    assert kept(scores, 3, 64)[1].tolist() == [[129, 5, -1]]


@settings(max_examples=50)
@given(st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=150), st.integers(1, 9))
def test_any_scores_are_kept_as_a_sort_keeps_them(row, number):
    scores = np.array([row], np.float32) + np.float32(0)  # no minus zero: it equals zero

    places = kept(scores, number, 64)[1][0]

    expected = sorted_wholly(scores, number)[1][0]
    assert places[: len(expected)].tolist() == expected.tolist()
    assert (places[len(expected) :] == -1).all()
