"""Weighted scores equal the scores of repeated items."""

import numpy as np
import pytest
from scipy.stats import rankdata, spearmanr

from lexiscope.stats.curves.resampled_scores import (
    multiplicities,
    resampled_curves,
    weighted_accuracy,
    weighted_ranks,
    weighted_spearman,
)

RNG = np.random.default_rng(0)
WEIGHTS = RNG.integers(0, 4, (5, 30)).astype(float)


def repeated(values, weights):
    return np.repeat(values, weights.astype(int))


def test_weighted_ranks_are_those_of_repeated_items():
    values = np.random.default_rng(1).integers(0, 8, 30).astype(float)

    found = weighted_ranks(values, WEIGHTS)

    for row, weights in zip(found, WEIGHTS, strict=True):
        assert repeated(row, weights).tolist() == rankdata(repeated(values, weights)).tolist()


def test_weighted_spearman_is_that_of_repeated_items():
    rng = np.random.default_rng(2)
    gold, predicted = rng.normal(size=30).round(1), rng.normal(size=(3, 30)).round(1)

    found = weighted_spearman(predicted, gold, WEIGHTS)

    expected = [
        [spearmanr(repeated(p, w), repeated(gold, w)).statistic for p in predicted] for w in WEIGHTS
    ]
    assert np.allclose(found, expected)


def test_constant_predictions_have_correlation_0():
    gold = np.arange(30.0)

    assert weighted_spearman(np.ones((2, 30)), gold, WEIGHTS).tolist() == [[0.0, 0.0]] * 5


def test_weighted_accuracy_is_that_of_repeated_items():
    predicted, gold = np.array([[1, 0, 1], [1, 1, 1]]), np.array([1, 1, 0])

    assert weighted_accuracy(predicted, gold, np.array([[2.0, 0.0, 2.0]])).tolist() == [[0.5, 0.5]]


def test_a_resample_has_as_many_members_as_there_are():
    drawn = multiplicities(7, 20, np.random.default_rng(3))

    assert drawn.shape == (20, 7)
    assert (drawn.sum(axis=1) == 7).all()


def test_weights_of_1_give_the_mean_curve():
    gold = np.array([0, 1, 0, 1])
    tests = [np.array([0, 1]), np.array([2, 3])]
    predicted = [np.array([[0, 0], [0, 1]]), np.array([[1, 1], [0, 1]])]

    found = resampled_curves(predicted, gold, tests, "accuracy", np.ones((1, 2)), np.ones((1, 4)))

    assert found.tolist() == [[0.5, 1.0]]


def test_an_item_has_the_same_weight_in_every_repeat():
    gold = np.array([0, 1])
    tests = [np.array([0, 1]), np.array([1, 0])]
    predicted = [np.array([[0, 0]]), np.array([[0, 1]])]  # item 0: right, wrong; item 1: wrong x 2
    only_first = np.array([[2.0, 0.0]])

    found = resampled_curves(predicted, gold, tests, "accuracy", np.ones((1, 2)), only_first)

    assert found.item() == pytest.approx(0.5)


def test_a_repeat_without_items_does_not_count():
    gold = np.array([0, 1])
    tests = [np.array([0]), np.array([1])]
    predicted = [np.array([[0]]), np.array([[0]])]

    first, none = (
        resampled_curves(predicted, gold, tests, "accuracy", np.array([repeats]), items)
        for repeats, items in (
            ([1.0, 1.0], np.array([[2.0, 0.0]])),
            ([0.0, 2.0], np.array([[2.0, 0.0]])),
        )
    )

    assert first.item() == 1.0
    assert np.isnan(none.item())
