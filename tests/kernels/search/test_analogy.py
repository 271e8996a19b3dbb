"""Best word of each analogy question, compared with a loop over all words."""

import numpy as np
import pytest

from lexiscope.kernels.search.analogy import best_product, best_sum, shifted_ratios


def search(kernel, scores, left, right, inputs, width):
    best = np.full(len(left), -np.inf, np.float32)
    index = np.full(len(left), -1, np.int64)
    for base in range(0, scores.shape[1], width):
        block = np.ascontiguousarray(scores[:, base : base + width])
        kernel(block, base, left, right, inputs, best, index)
    return index.tolist()


def reference_search(combine, scores, left, right, inputs):
    indices = []
    for i, j, excluded in zip(left, right, inputs, strict=True):
        values = combine(scores[i], scores[j])
        values[excluded] = -np.inf
        indices.append(int(np.argmax(values)))
    return indices


def random_questions(rng, rows, words, number):
    left, right = rng.integers(0, rows, (2, number))
    return left, right, rng.integers(0, words, (number, 3))


@pytest.mark.parametrize("width", [1, 16, 50, 333])
@pytest.mark.parametrize(
    ("kernel", "combine"), [(best_sum, np.add), (best_product, np.multiply)], ids=["sum", "product"]
)
def test_the_best_word_agrees_with_the_reference_for_any_block_size(kernel, combine, width):
    rng = np.random.default_rng(width)
    scores = rng.normal(size=(9, 333)).astype(np.float32)
    questions = random_questions(rng, 9, 333, 200)

    assert search(kernel, scores, *questions, width) == reference_search(
        combine, scores, *questions
    )


@pytest.mark.parametrize("width", [16, 64, 333])
@pytest.mark.parametrize(
    ("kernel", "combine"), [(best_sum, np.add), (best_product, np.multiply)], ids=["sum", "product"]
)
def test_of_equal_scores_the_earlier_word_wins(kernel, combine, width):
    rng = np.random.default_rng(2)
    scores = rng.integers(1, 4, (9, 333)).astype(np.float32)
    questions = random_questions(rng, 9, 333, 200)

    assert search(kernel, scores, *questions, width) == reference_search(
        combine, scores, *questions
    )


def test_excluded_words_never_win_even_when_all_scores_are_negative():
    scores = -np.ones((2, 4), np.float32)
    scores[:, 3] = -5
    questions = np.array([0]), np.array([1]), np.array([[0, 1, 2]])

    assert search(best_sum, scores, *questions, 2) == [3]


def test_the_index_is_minus_one_if_all_words_are_excluded():
    scores = np.ones((2, 3), np.float32)

    assert search(best_sum, scores, np.array([0]), np.array([1]), np.array([[0, 1, 2]]), 2) == [-1]


def test_ratios_follow_the_equation_of_levy_and_goldberg():
    cosines = np.array([[1.0, 0.0, -1.0], [0.5, -0.5, 0.0]], np.float32)
    out = np.empty((3, 3), np.float32)

    shifted_ratios(cosines, 2, np.array([0]), np.array([1]), np.float32(0.25), out)

    assert out[0].tolist() == [1.0, 0.5, 0.0]
    assert out[1].tolist() == [0.75, 0.25, 0.5]
    assert out[2].tolist() == [1.0, 1.0, 0.0]


def test_a_cosine_below_minus_one_by_rounding_is_clipped():
    past = np.array([[np.nextafter(np.float32(-1), np.float32(-2))], [1.0]], np.float32)
    out = np.empty((3, 1), np.float32)

    shifted_ratios(past, 2, np.array([1]), np.array([0]), np.float32(1e-9), out)

    assert out[0, 0] == 0
    assert out[2, 0] == pytest.approx(1e9, rel=1e-6)
