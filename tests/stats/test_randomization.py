from itertools import product

import numpy as np
import pytest

from lexiscope.metrics.f1 import f1_of_totals
from lexiscope.stats.randomization import permutation_test_of_totals


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
