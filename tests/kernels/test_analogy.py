"""The best word of each question, against a loop over all words."""

import numpy as np
import pytest

from lexiscope.kernels.analogy import best_product, best_sum, shifted_ratios


def searched(kernel, scores, left, right, inputs, width):
    best = np.full(len(left), -np.inf, np.float32)
    place = np.full(len(left), -1, np.int64)
    for base in range(0, scores.shape[1], width):
        block = np.ascontiguousarray(scores[:, base : base + width])
        kernel(block, base, left, right, inputs, best, place)
    return place.tolist()


def looked_through(combine, scores, left, right, inputs):
    places = []
    for i, j, excluded in zip(left, right, inputs, strict=True):
        values = combine(scores[i], scores[j])
        values[excluded] = -np.inf
        places.append(int(np.argmax(values)))
    return places


def question(rng, rows, words, number):
    left, right = rng.integers(0, rows, (2, number))
    return left, right, rng.integers(0, words, (number, 3))


@pytest.mark.parametrize("width", [1, 16, 50, 333])
@pytest.mark.parametrize(
    ("kernel", "combine"), [(best_sum, np.add), (best_product, np.multiply)], ids=["sum", "product"]
)
def test_the_best_word_is_found_over_any_blocks(kernel, combine, width):
    rng = np.random.default_rng(width)
    scores = rng.normal(size=(9, 333)).astype(np.float32)
    asked = question(rng, 9, 333, 200)

    assert searched(kernel, scores, *asked, width) == looked_through(combine, scores, *asked)


@pytest.mark.parametrize("width", [16, 64, 333])
@pytest.mark.parametrize(
    ("kernel", "combine"), [(best_sum, np.add), (best_product, np.multiply)], ids=["sum", "product"]
)
def test_of_equal_scores_the_earlier_word_wins(kernel, combine, width):
    rng = np.random.default_rng(2)
    scores = rng.integers(1, 4, (9, 333)).astype(np.float32)
    asked = question(rng, 9, 333, 200)

    assert searched(kernel, scores, *asked, width) == looked_through(combine, scores, *asked)


def test_excluded_words_never_win_even_when_all_scores_are_negative():
    scores = -np.ones((2, 4), np.float32)
    scores[:, 3] = -5
    asked = np.array([0]), np.array([1]), np.array([[0, 1, 2]])

    assert searched(best_sum, scores, *asked, 2) == [3]


def test_no_word_is_left_when_all_are_excluded():
    scores = np.ones((2, 3), np.float32)

    assert searched(best_sum, scores, np.array([0]), np.array([1]), np.array([[0, 1, 2]]), 2) == [
        -1
    ]


def test_ratios_follow_the_equation_of_levy_and_goldberg():
    cosines = np.array([[1.0, 0.0, -1.0], [0.5, -0.5, 0.0]], np.float32)
    out = np.empty((3, 3), np.float32)

    shifted_ratios(cosines, 2, np.array([0]), np.array([1]), np.float32(0.25), out)

    assert out[0].tolist() == [1.0, 0.5, 0.0]
    assert out[1].tolist() == [0.75, 0.25, 0.5]
    assert out[2].tolist() == [1.0, 1.0, 0.0]


def test_a_cosine_rounded_past_minus_one_counts_as_minus_one():
    past = np.array([[np.nextafter(np.float32(-1), np.float32(-2))], [1.0]], np.float32)
    out = np.empty((3, 1), np.float32)

    shifted_ratios(past, 2, np.array([1]), np.array([0]), np.float32(1e-9), out)

    assert out[0, 0] == 0
    assert out[2, 0] == pytest.approx(1e9, rel=1e-6)
