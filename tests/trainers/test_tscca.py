import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.core.corpus import corpus, sentences_of
from lexiscope.core.errors import BadData
from lexiscope.trainers.tscca import Tscca
from tests.builders import text
from tests.trainers import slowly


def tables(words, window):
    """L, W and R of the paper: a row for each token, one-hot for each word at its position."""
    index = {word: row for row, word in enumerate(words.vocabulary.words)}
    size = len(index)
    left, middle, right = [], [], []
    for sentence in sentences_of(words):
        for at, word in enumerate(sentence):
            rows = np.zeros((2, window, size))
            for far in range(1, window + 1):
                if at - far >= 0:
                    rows[0, far - 1, index[sentence[at - far]]] = 1
                if at + far < len(sentence):
                    rows[1, far - 1, index[sentence[at + far]]] = 1
            left.append(rows[0].ravel())
            right.append(rows[1].ravel())
            middle.append(np.eye(size)[index[word]])
    return np.array(left), np.array(middle), np.array(right)


def inverse_root(matrix):
    values, vectors = np.linalg.eigh(matrix)
    roots = np.where(values > 1e-9 * values.max(), 1 / np.sqrt(np.maximum(values, 1e-300)), 0)
    return (vectors * roots) @ vectors.T


def canonical(first, second, number, diagonal=False, ridge=0.0):
    """Textbook canonical correlation, nothing centred: a whitened covariance, decomposed."""
    own = [view.T @ view + ridge * np.eye(view.shape[1]) for view in (first, second)]
    white = [inverse_root(np.diag(np.diag(each)) if diagonal else each) for each in own]
    left, _, right = np.linalg.svd(white[0] @ first.T @ second @ white[1])
    return white[0] @ left[:, :number], white[1] @ right.T[:, :number]


def two_steps(words, window, dimension, first, diagonal, ridge=0.0):
    left, middle, right = tables(words, window)
    before, after = canonical(left, right, first, diagonal, ridge)
    states = np.hstack([left @ before, right @ after])
    own = states.T @ states
    own[:first, :first] += ridge * before.T @ before
    own[first:, first:] += ridge * after.T @ after
    white = np.diag(1 / np.sqrt(middle.sum(axis=0) + ridge)), inverse_root(own)
    return white[0] @ np.linalg.svd(white[0] @ middle.T @ states @ white[1])[0][:, :dimension]


def train(words, **settings):
    return (
        Tscca(**{"sqrt_counts": False, **settings}).train(words, np.random.default_rng(0)).vectors
    )


def test_with_one_word_on_each_side_it_is_textbook_cca():
    words = text(words=12)

    found = train(words, window=1, dimension=4, first_dimension=6)

    wanted = two_steps(words, 1, 4, 6, diagonal=False)
    assert_allclose(slowly.up(found), slowly.up(wanted), atol=1e-5)


@pytest.mark.parametrize(("window", "smoothing"), [(2, 0.0), (3, 0.0), (2, 5.0)])
def test_with_more_words_the_first_step_uses_diagonal_covariances(window, smoothing):
    words = text(words=12)

    found = train(words, window=window, dimension=4, first_dimension=6, smoothing=smoothing)

    wanted = two_steps(words, window, 4, 6, diagonal=True, ridge=smoothing)
    assert_allclose(slowly.up(found), slowly.up(wanted), atol=1e-5)


@pytest.mark.parametrize("window", [1, 2])
def test_by_default_every_count_is_replaced_by_its_square_root(window):
    words = text(words=12)
    left, middle, right = tables(words, window)
    pairs = {
        "lr": left.T @ right, "ll": left.T @ left, "rr": right.T @ right,
        "wl": middle.T @ left, "wr": middle.T @ right,
    }  # fmt: skip
    roots = {name: np.sqrt(counts) for name, counts in pairs.items()}
    white = [np.diag(np.diag(roots[name]) ** -0.5) for name in ("ll", "rr")]
    first, _, second = np.linalg.svd(white[0] @ roots["lr"] @ white[1])
    first, second = white[0] @ first[:, :6], white[1] @ second.T[:, :6]
    states = np.hstack([roots["wl"] @ first, roots["wr"] @ second])
    crossed = first.T @ roots["lr"] @ second
    own = np.block(
        [[first.T @ roots["ll"] @ first, crossed], [crossed.T, second.T @ roots["rr"] @ second]]
    )
    scale = np.diag(middle.sum(axis=0) ** -0.25)
    wanted = scale @ np.linalg.svd(scale @ states @ inverse_root(own))[0][:, :4]

    found = train(words, window=window, dimension=4, first_dimension=6, sqrt_counts=True)

    assert_allclose(slowly.up(found), slowly.up(wanted), atol=1e-5)


def test_the_first_step_keeps_twice_the_dimension_by_default():
    words = text()

    assert_allclose(train(words, dimension=4), train(words, dimension=4, first_dimension=8))
    assert (
        np.abs(train(words, dimension=4) - train(words, dimension=4, first_dimension=20)).max()
        > 1e-3
    )


def test_sentences_of_two_words_are_refused():
    with pytest.raises(BadData, match="no sentence has three words"):
        train(corpus("short", [["a", "b"], ["c", "d"]]), dimension=2)
