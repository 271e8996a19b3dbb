import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.kernels.predictive import cbow
from lexiscope.kernels.predictive.pairs import Pair
from lexiscope.kernels.predictive.training_loop import Segment
from tests.kernels.predictive.reference_loop import random_table, random_text, text_of
from tests.kernels.predictive.reference_loss import loss, numerical_gradient
from tests.kernels.predictive.reference_pairs import gradients, labelled, pairs, update

WORDS = 30


def reference_train(
    text, segment, window, dynamic_window, negative, shared_centres, mean, inputs, outputs
):
    """All gradients of a pair first; then the output rows, then the input rows."""
    for pair in pairs(text, segment, window, dynamic_window, negative, shared_centres):
        contexts = [[word for _, word in centre.context] for centre in pair.centres]
        hidden = [inputs[words].sum(0) / (len(words) if mean else 1) for words in contexts]
        errors = [np.zeros(inputs.shape[1]) for _ in contexts]
        for tile in gradients(pair, hidden, outputs):
            for total, error in zip(errors, update(outputs, hidden, tile), strict=True):
                total += error
        for words, error in zip(contexts, errors, strict=True):
            for word in words:
                inputs[word] += error / (1 if mean else len(words))


@pytest.mark.parametrize("mean", [True, False], ids=["mean", "sum"])
@pytest.mark.parametrize("shared_centres", [1, 2, 3, 4])
@pytest.mark.parametrize("dimension", [13, 37])
@pytest.mark.parametrize(
    ("window", "dynamic_window", "negative"), [(1, False, 5), (3, False, 1), (4, True, 14)]
)
def test_training_agrees_with_the_reference(
    window, dynamic_window, negative, dimension, shared_centres, mean
):
    text, segment = random_text(WORDS), Segment(1, 12, 0.3, 0.002, 5)
    tables = random_table(WORDS, dimension, 1), random_table(WORDS, dimension, 2)
    slow = [table.astype(np.float64) for table in tables]
    settings = window, dynamic_window, negative, shared_centres, mean

    cbow.train(text, segment, *settings, *tables)

    reference_train(text, segment, *settings, *slow)
    assert np.abs(slow[0] - random_table(WORDS, dimension, 1)).max() > 0.01
    for fast, expected in zip(tables, slow, strict=True):
        assert_allclose(fast, expected, atol=2e-5)


def test_a_step_follows_the_gradient_of_the_loss():
    """The sum of the context vectors gets the gradient, each of them an equal fraction."""
    text, segment = text_of([[0, 1, 2]], 12), Segment(0, 1, 1e-3, 0.0, 3)
    found = list(pairs(text, segment, 2, False, 5, 2))
    tables = random_table(12, 13, 1), random_table(12, 13, 2)
    before = [table.astype(np.float64) for table in tables]

    cbow.train(text, segment, 2, False, 5, 2, False, *tables)

    def whole(inputs, outputs):
        total = 0.0
        for pair in found:
            for centre in pair.centres:
                (right, _), *wrong = labelled(pair, centre)
                hidden = inputs[[word for _, word in centre.context]].sum(0)
                total += loss(hidden, outputs[right], [outputs[word] for word, _ in wrong])
        return total

    of_inputs = numerical_gradient(lambda table: whole(table, before[1]), before[0].copy())
    of_outputs = numerical_gradient(lambda table: whole(before[0], table), before[1].copy())
    assert [len(pair.centres) for pair in found] == [2, 1]
    assert_allclose((tables[0] - before[0]) / 1e-3, -of_inputs / 2, atol=1e-2)
    assert_allclose((tables[1] - before[1]) / 1e-3, -of_outputs, atol=1e-2)


@njit
def _find_contexts(pair, inside):
    return cbow.find_contexts(pair, inside)


def test_the_words_around_a_pair_are_context_of_one_centre_word_or_of_both():
    """Words 1 to 6 of eight: the centre words are 3, with one word each side, and 4, with two."""
    inside = np.zeros(20, np.float32)

    assert _find_contexts(Pair(0, 3, 2, 8, 1, 2, True, np.float32(0.1)), inside) == (2, 7)

    assert inside[:10].reshape(5, 2).T.tolist() == [[1, 0, 1, 0, 0], [1, 1, 0, 1, 1]]


def test_words_without_context_change_nothing():
    tables = random_table(4, 8, 1), random_table(4, 8, 2)
    before = [table.copy() for table in tables]

    cbow.train(text_of([[0], [], [3]], 4), Segment(0, 3, 0.3, 0.0, 5), 2, True, 3, 2, True, *tables)

    for table, old in zip(tables, before, strict=True):
        assert_array_equal(table, old)
