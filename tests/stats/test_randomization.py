from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import permutation_test, rankdata

from lexiscope.core.contracts.metric import Metric
from lexiscope.core.contracts.task import Predictions
from lexiscope.core.errors import Undefined
from lexiscope.metrics.f1 import f1_of_totals
from lexiscope.stats import randomization
from lexiscope.stats.randomization import (
    permutation_test_of_any_metric,
    permutation_test_of_correlations,
    permutation_test_of_totals,
    sign_flip_test,
)


def two_systems(sentences, seed, ours=0.8, theirs=0.8):
    """True positives, false positives and false negatives per sentence, with the same gold."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 8, sentences)

    def counts(skill):
        right = rng.binomial(gold, skill)
        return np.column_stack([right, rng.poisson(1 - skill, sentences), gold - right])

    return counts(ours), counts(theirs)


def f1(counts):
    return float(f1_of_totals(counts.sum(axis=0)))


def p_value(first, second, seed=0, permutations=9999):
    rng = np.random.default_rng(seed)
    return permutation_test_of_totals(first, second, f1_of_totals, rng, permutations)


def by_enumeration(first, second):
    """The proportion of all permutations whose difference of F1 is at least as large."""

    def difference(flags):
        sides = [[0, 0, 0], [0, 0, 0]]
        for flag, one, other in zip(flags, first.tolist(), second.tolist(), strict=True):
            for side, row in zip(sides, (other, one) if flag else (one, other), strict=True):
                for k in range(3):
                    side[k] += row[k]
        ours, theirs = (2 * tp / (2 * tp + fp + fn) for tp, fp, fn in sides)
        return abs(ours - theirs)

    observed = difference([0] * len(first))
    every = [difference(flags) for flags in product([0, 1], repeat=len(first))]
    return np.mean(np.array(every) >= observed - 1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_permutations_of_few_sentences_are_enumerated(seed):
    first, second = two_systems(9, seed, 0.9, 0.6)

    assert p_value(first, second) == pytest.approx(by_enumeration(first, second))


def test_random_permutations_are_close_to_the_enumeration():
    first, second = two_systems(13, 3, 0.85, 0.7)

    sampled = p_value(first, second, permutations=4000)

    assert sampled == pytest.approx(by_enumeration(first, second), abs=0.03)


def test_f1_of_a_corpus_is_no_mean_over_sentences():
    # One long sentence that the first gets right, two short ones that the second gets right.
    first = np.array([[10, 0, 0], [0, 1, 1], [0, 1, 1]])
    second = np.array([[5, 5, 5], [1, 0, 0], [1, 0, 0]])

    assert f1(first) == pytest.approx(10 / 12)
    assert f1(second) == pytest.approx(7 / 12)
    per_sentence = [np.mean([f1(row[None]) for row in counts]) for counts in (first, second)]
    assert per_sentence[0] < per_sentence[1]


def test_pitfall_41_a_sentence_is_swapped_as_a_whole():
    # Only one sentence of ten chunks differs: swapped chunk by chunk, it would look significant.
    same = np.array([[3, 1, 1]] * 20)
    first, second = same.copy(), same.copy()
    first[0], second[0] = (10, 0, 0), (0, 10, 10)

    assert p_value(first, second) == pytest.approx(1)


def test_pitfall_39_a_p_value_is_never_zero_and_reproducible():
    first, second = two_systems(200, 0, 0.95, 0.4)

    assert p_value(first, second, permutations=999) == pytest.approx(1e-3)
    close = two_systems(60, 1, 0.8, 0.75)
    one, again = (p_value(*close, seed=5, permutations=499) for _ in range(2))
    assert one == again


def test_p_values_are_uniform_under_the_null():
    ps = [p_value(*two_systems(40, seed), seed, 199) for seed in range(300)]

    for level in (0.05, 0.25, 0.5, 0.75):
        spread = np.sqrt(level * (1 - level) / 300)
        assert np.mean(np.array(ps) <= level) == pytest.approx(level, abs=4 * spread)


def test_the_p_value_does_not_depend_on_the_order_of_systems():
    first, second = two_systems(8, 2, 0.9, 0.6)

    assert p_value(first, second) == pytest.approx(p_value(second, first))


def test_one_sentence_is_never_significant():
    first, second = np.array([[5, 0, 0]]), np.array([[0, 0, 5]])

    assert p_value(first, second) == 1


def three_columns(items, seed, ours=0.7, theirs=0.4):
    rng = np.random.default_rng(seed)
    gold = np.round(rng.normal(size=items), 1)
    first, second = (s * gold + rng.normal(size=items) for s in (ours, theirs))
    return rankdata(first), rankdata(second), rankdata(gold)


def by_scipy(first, second, gold, resamples):
    def difference_of_correlations(x, y, axis):
        rows = [np.apply_along_axis(lambda v: np.corrcoef(v, gold)[0, 1], axis, z) for z in (x, y)]
        return np.abs(rows[0] - rows[1])

    return permutation_test(
        (first, second),
        difference_of_correlations,
        permutation_type="samples",
        n_resamples=resamples,
        alternative="greater",
        rng=np.random.default_rng(0),
    ).pvalue


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_test_of_correlations_agrees_with_scipys_permutation_test(seed):
    columns = three_columns(40, seed)

    found = permutation_test_of_correlations(*columns, np.random.default_rng(seed))

    expected = by_scipy(*columns, 2000)
    spread = np.sqrt(expected * (1 - expected) / 2000)
    assert found == pytest.approx(expected, abs=5 * spread + 0.002)


def test_permutations_of_few_items_are_exact():
    columns = three_columns(9, 5)  # 512 permutations: SciPy enumerates them

    found = permutation_test_of_correlations(*columns, np.random.default_rng(0))

    assert found == pytest.approx(by_scipy(*columns, 9999), abs=1e-9)


def test_the_p_value_does_not_depend_on_the_scale():
    first, second, gold = three_columns(30, 2)

    p = permutation_test_of_correlations(first, second, gold, np.random.default_rng(0))

    scaled = permutation_test_of_correlations(
        3 * first + 1, second, gold / 7, np.random.default_rng(0)
    )
    assert p == pytest.approx(scaled)


def test_the_p_value_does_not_depend_on_the_order_of_embeddings():
    first, second, gold = three_columns(50, 3)

    p, other = (
        permutation_test_of_correlations(*order, gold, np.random.default_rng(0))
        for order in ((first, second), (second, first))
    )

    assert p == pytest.approx(other, abs=0.02)


def test_sign_flips_of_few_items_are_exact():
    differences = np.array([0.5, 0.25, 0.75, 0.5, -0.25, 0.5, 0.25, 0.125])
    signs = np.array(np.meshgrid(*[[-1, 1]] * 8)).reshape(8, -1).T
    every = np.mean(np.abs(signs @ differences) >= differences.sum() - 1e-9)

    assert sign_flip_test(differences, np.random.default_rng(0)) == pytest.approx(every)


@pytest.mark.parametrize("kind", ["correlation", "mean", "any"])
def test_p_values_of_each_test_are_uniform_under_the_null(kind, monkeypatch):
    monkeypatch.setattr(randomization, "PERMUTATIONS_OF_ANY_METRIC", 99)
    rounds = 60 if kind == "any" else 300
    ps = []
    for seed in range(rounds):
        rng = np.random.default_rng(seed)
        if kind == "correlation":
            ps.append(
                permutation_test_of_correlations(*three_columns(30, seed, 0.5, 0.5), rng, 199)
            )
        elif kind == "mean":
            ps.append(sign_flip_test(np.random.default_rng(1000 + seed).normal(size=20), rng, 199))
        else:
            ours, theirs = np.random.default_rng(1000 + seed).normal(size=(2, 20))
            slow = Metric(lambda predicted, gold: float(predicted.mean()), "mean")
            predictions = Predictions(ours, np.zeros(20)), Predictions(theirs, np.zeros(20))
            ps.append(
                permutation_test_of_any_metric(
                    slow, *predictions, abs(ours.mean() - theirs.mean()), rng
                )
            )
    below = np.mean(np.array(ps)[:, None] <= [0.1, 0.25, 0.5, 0.75], axis=0)

    assert_allclose(below, [0.1, 0.25, 0.5, 0.75], atol=4 * np.sqrt(0.25 / rounds))
    assert np.mean(np.array(ps) <= 0.05) < 0.05 + 4 * np.sqrt(0.05 * 0.95 / rounds)


def test_a_p_value_is_never_zero():
    gold = np.arange(200.0)
    noise = np.random.default_rng(0).permutation(200).astype(np.float64)

    # One more than none of 9,999 on each side.
    assert permutation_test_of_correlations(
        gold, noise, gold, np.random.default_rng(0)
    ) == pytest.approx(2e-4)
    assert sign_flip_test(np.ones(200), np.random.default_rng(0)) == pytest.approx(2e-4)


def test_a_permutation_without_a_score_counts_against_the_difference():
    def first_only(predicted, gold):
        if predicted[0] != 1:
            raise Undefined("no first")
        return 1.0

    predictions = Predictions(np.ones(3), np.zeros(3)), Predictions(np.ones(3) * 2, np.zeros(3))

    p = permutation_test_of_any_metric(
        Metric(first_only), *predictions, 0.5, np.random.default_rng(0)
    )

    assert p == 1


def test_for_very_many_items_the_t_test_agrees_with_sign_flips():
    rng = np.random.default_rng(0)
    differences = rng.exponential(size=1500) - 0.95

    p = sign_flip_test(differences, rng)

    signs = rng.choice([-1, 1], (4000, 1500))
    flipped = np.mean(np.abs(signs @ differences) >= abs(differences.sum()))
    assert p == pytest.approx(flipped, abs=4 * np.sqrt(flipped * (1 - flipped) / 4000))


def test_very_many_items_without_a_difference_have_a_p_value():
    assert sign_flip_test(np.zeros(1001), np.random.default_rng(0), 99) == 1
