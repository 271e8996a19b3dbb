from itertools import pairwise, product

import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose

from lexiscope.kernels.crf.chain import best_tags, loss_and_gradients, new_chain

WIDTH = 16


@njit
def _loss_and_gradients(scores, length, gold, transitions, scale, tags, changes):
    chain = new_chain(scores.shape[0], scores.shape[1])
    return loss_and_gradients(scores, length, gold, transitions, scale, tags, chain, changes)


def tables(length, tags, seed, spread=1.0):
    """Random scores with rows that are not used, random transitions and random tags."""
    rng = np.random.default_rng(seed)
    scores, transitions = np.zeros((length + 6, WIDTH)), np.zeros((WIDTH, WIDTH))
    scores[:length, :tags] = rng.normal(size=(length, tags)) * spread
    transitions[:tags, :tags] = rng.normal(size=(tags, tags)) * spread
    gold = rng.integers(0, tags, length)
    return scores.astype(np.float32), transitions.astype(np.float32), gold


def score(scores, transitions, sequence):
    total = sum(float(scores[t, tag]) for t, tag in enumerate(sequence))
    return total + sum(float(transitions[pair]) for pair in pairwise(sequence))


def by_enumeration(scores, transitions, gold, tags):
    """Loss and gradients from the probabilities of all sequences of tags, one at a time."""
    sequences = list(product(range(tags), repeat=len(gold)))
    totals = np.array([score(scores, transitions, sequence) for sequence in sequences])
    log_sum = totals.max() + np.log(np.exp(totals - totals.max()).sum())
    tokens, pairs = np.zeros((len(gold), WIDTH)), np.zeros((WIDTH, WIDTH))
    weighted = zip([tuple(gold), *sequences], [1, *-np.exp(totals - log_sum)], strict=True)
    for sequence, weight in weighted:
        for t, tag in enumerate(sequence):
            tokens[t, tag] += weight
        for pair in pairwise(sequence):
            pairs[pair] += weight
    return log_sum - score(scores, transitions, gold), tokens, pairs


@pytest.mark.parametrize(("length", "tags"), [(1, 3), (2, 1), (2, 9), (5, 3), (3, 16)])
@pytest.mark.parametrize("spread", [0.0, 1.0, 6.0])
def test_loss_and_gradients_are_those_of_all_sequences_of_tags(length, tags, spread):
    scores, transitions, gold = tables(length, tags, seed=length, spread=spread)
    expected = by_enumeration(scores, transitions, gold, tags)
    changes = np.ones((WIDTH, WIDTH), np.float32)

    loss = _loss_and_gradients(scores, length, gold, transitions, 1.0, tags, changes)

    assert loss == pytest.approx(expected[0], rel=1e-5, abs=1e-5)
    assert_allclose(scores[:length], expected[1], atol=1e-5)
    assert_allclose(changes[:tags], expected[2][:tags], atol=1e-5)


def test_the_scale_multiplies_the_transitions():
    scores, transitions, gold = tables(4, 3, seed=1)
    expected = by_enumeration(scores, 0.25 * transitions, gold, 3)
    changes = np.zeros((WIDTH, WIDTH), np.float32)

    loss = _loss_and_gradients(scores, 4, gold, transitions, 0.25, 3, changes)

    assert loss == pytest.approx(expected[0], rel=1e-5)
    assert_allclose(changes[:3], expected[2][:3], atol=1e-5)


def test_a_long_sentence_neither_overflows_nor_underflows():
    """Without transitions the loss is the sum over tokens."""
    scores, _, gold = tables(3000, 5, seed=2, spread=5.0)
    rows = scores[:3000, :5].astype(np.float64)
    log_sums = np.log(np.exp(rows).sum(axis=1))
    expected = (log_sums - rows[np.arange(3000), gold]).sum()
    changes, none = np.zeros((WIDTH, WIDTH), np.float32), np.zeros((WIDTH, WIDTH), np.float32)

    loss = _loss_and_gradients(scores, 3000, gold, none, 1.0, 5, changes)

    assert loss == pytest.approx(expected, rel=1e-5)
    assert np.isfinite(scores).all()
    assert np.isfinite(changes).all()


@pytest.mark.parametrize(("length", "tags"), [(1, 3), (2, 1), (5, 3), (3, 16)])
def test_best_tags_are_the_best_of_all_sequences(length, tags):
    scores, transitions, _ = tables(length, tags, seed=3)
    origin, best = np.empty((length, tags), np.int32), np.empty(length, np.int32)

    best_tags(scores, length, transitions, tags, origin, best)

    sequences = product(range(tags), repeat=length)
    assert tuple(best) == max(sequences, key=lambda each: score(scores, transitions, each))


def test_of_equal_sequences_the_first_is_best():
    origin, best = np.empty((3, 4), np.int32), np.empty(3, np.int32)

    zeros = np.zeros((9, WIDTH), np.float32), 3, np.zeros((WIDTH, WIDTH), np.float32)
    best_tags(*zeros, 4, origin, best)

    assert best.tolist() == [0, 0, 0]
