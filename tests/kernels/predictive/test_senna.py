import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.kernels.predictive import senna as ranking
from lexiscope.kernels.predictive.senna import Settings
from lexiscope.kernels.predictive.training_loop import Segment
from tests.kernels.predictive.reference_loop import random_text, text_of
from tests.kernels.predictive.reference_loss import numerical_gradient
from tests.kernels.predictive.reference_ranking import (
    gradients,
    loss,
    padded,
    random_network,
    reference_train,
    replaced,
    score,
    unpadded,
    windows,
)

WORDS = 30


@pytest.mark.parametrize("batch", [1, 5, 48])
@pytest.mark.parametrize(
    ("dimension", "window", "negative", "hidden"),
    [(13, 1, 1, 5), (8, 3, 2, 20), (3, 2, 7, 33), (1, 4, 1, 16)],
)
def test_training_agrees_with_the_reference(dimension, window, negative, hidden, batch):
    text, segment = random_text(WORDS, 20), Segment(1, 20, 0.05, 0.0002, 5)
    settings = Settings(dimension, window, negative, 1.0, 0.2, 0.3, batch)
    slow = random_network(WORDS, dimension, window, hidden)
    before, fast = [table.copy() for table in slow], padded(slow)

    ranking.train(text, segment, settings, fast)

    reference_train(text, segment, settings, slow)
    found, rest_is_zero = unpadded(fast, slow)
    for table, expected, initial in zip(found, slow, before, strict=True):
        assert np.abs(expected - initial).max() > 0.003
        assert_allclose(table, expected, atol=1e-5)
    assert rest_is_zero


def test_reference_gradients_agree_with_numerical_ones():
    network = random_network(6, 4, 2, 10)
    words, sampled = [None, 3, 1, 1, 0], [5, 2, 0]  # one word occurs twice, one is also sampled
    assert loss(network, words, sampled) > 0

    found = gradients(network, words, sampled)

    for name, table in network._asdict().items():
        gradient = numerical_gradient(
            lambda moved, name=name: loss(network._replace(**{name: moved}), words, sampled),
            table.copy(),
        )
        assert np.abs(gradient).max() > 0.01
        assert_allclose(getattr(found, name), -gradient, atol=1e-5)


def test_one_batch_follows_the_gradient_of_the_loss():
    text, segment = text_of([[0, 1, 2, 1]], 12), Segment(0, 1, 1.0, 0.0, 3)
    network = random_network(12, 5, 2, 10)
    examples = [(words, sampled) for _, words, sampled in windows(text, segment, 2, 1)]
    fast = padded(network)

    ranking.train(text, segment, Settings(5, 2, 1, 1.0, 1.0, 1.0, 48), fast)

    found, _ = unpadded(fast, network)
    for name, table in network._asdict().items():
        gradient = numerical_gradient(
            lambda moved, name=name: sum(
                loss(network._replace(**{name: moved}), *example) for example in examples
            ),
            table.copy(),
        )
        assert_allclose(getattr(found, name) - table, -gradient, atol=1e-5)


def test_windows_beyond_the_margin_change_nothing():
    text, segment = text_of([[0, 1, 2, 1]], 12), Segment(0, 1, 1.0, 0.0, 3)
    network = random_network(12, 5, 2, 10)
    gaps = [
        score(network, words) - score(network, replaced(words, sampled[0]))
        for _, words, sampled in windows(text, segment, 2, 1)
    ]
    below, above = padded(network), padded(network)

    ranking.train(text, segment, Settings(5, 2, 1, min(gaps) - 1e-3, 1.0, 1.0, 48), below)
    ranking.train(text, segment, Settings(5, 2, 1, min(gaps) + 1e-3, 1.0, 1.0, 48), above)

    initial = padded(network)
    assert all((a == b).all() for a, b in zip(below, initial, strict=True))
    assert all((a != b).any() for a, b in zip(above, initial, strict=True) if a.shape[0] > 1)


def test_a_negative_sample_equal_to_the_target_changes_nothing():
    text = text_of([[0, 0, 0]], 2, negative_weights=[1, 0])
    network = random_network(2, 5, 1, 10)
    fast = padded(network)

    ranking.train(text, Segment(0, 1, 1.0, 0.0, 3), Settings(5, 1, 1, 1.0, 1.0, 1.0, 48), fast)

    for table, initial in zip(fast, padded(network), strict=True):
        assert_allclose(table, initial, atol=1e-6)


def test_the_border_is_learned_and_sentences_of_one_word_are_skipped():
    network = random_network(12, 5, 2, 10)
    settings = Settings(5, 2, 1, 1.0, 1.0, 1.0, 48)
    alone, together = padded(network), padded(network)

    ranking.train(text_of([[0], [], [1]], 12), Segment(0, 3, 1.0, 0.0, 3), settings, alone)
    ranking.train(text_of([[0, 1]], 12), Segment(0, 1, 1.0, 0.0, 3), settings, together)

    assert all((a == b).all() for a, b in zip(alone, padded(network), strict=True))
    assert (together.border != padded(network).border).any()
