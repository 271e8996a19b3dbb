from itertools import product

import numpy as np
import pytest
from sklearn.metrics import f1_score

from lexiscope.core.errors import BadData, Undefined
from lexiscope.stats.randomization import f1, swapped_f1


def two_systems(sentences, seed, ours=0.8, theirs=0.8):
    """Right, wrongly found and missed parts of each sentence, against the same gold."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 8, sentences)

    def counts(skill):
        right = rng.binomial(gold, skill)
        return np.column_stack([right, rng.poisson(1 - skill, sentences), gold - right])

    return counts(ours), counts(theirs)


def by_every_exchange(first, second):
    """The share of all ways to exchange sentences whose gap in F1 is as large."""

    def gap(flags):
        sides = [[0, 0, 0], [0, 0, 0]]
        for flag, one, other in zip(flags, first.tolist(), second.tolist(), strict=True):
            for side, row in zip(sides, (other, one) if flag else (one, other), strict=True):
                for k in range(3):
                    side[k] += row[k]
        ours, theirs = (2 * tp / (2 * tp + fp + fn) for tp, fp, fn in sides)
        return abs(ours - theirs)

    seen = gap([0] * len(first))
    return np.mean([gap(flags) >= seen - 1e-12 for flags in product([0, 1], repeat=len(first))])


@pytest.mark.parametrize("seed", range(6))
def test_few_sentences_are_exchanged_in_every_way(seed):
    first, second = two_systems(9, seed, 0.9, 0.6)

    found = swapped_f1(first, second, np.random.default_rng(0))

    assert found.p == pytest.approx(by_every_exchange(first, second))


def test_many_sentences_are_exchanged_at_random_close_to_every_way():
    first, second = two_systems(13, 3, 0.85, 0.7)

    drawn = swapped_f1(first, second, np.random.default_rng(0), swaps=4000).p

    assert drawn == pytest.approx(by_every_exchange(first, second), abs=0.03)


def test_f1_is_scikit_learns():
    gold = np.array([1, 1, 0, 1, 0, 1, 0, 0])
    found = np.array([1, 0, 1, 1, 0, 1, 1, 0])
    counts = np.column_stack([gold & found, found & ~gold & 1, gold & ~found & 1])

    assert f1(counts) == pytest.approx(f1_score(gold, found))


def test_f1_of_a_corpus_is_no_mean_over_sentences():
    # One long sentence that the first gets right, two short ones that the second gets right.
    first = np.array([[10, 0, 0], [0, 1, 1], [0, 1, 1]])
    second = np.array([[5, 5, 5], [1, 0, 0], [1, 0, 0]])

    found = swapped_f1(first, second, np.random.default_rng(0))

    assert found.first == pytest.approx(10 / 12)
    assert found.second == pytest.approx(7 / 12)
    per_sentence = [np.mean([f1(row[None]) for row in counts]) for counts in (first, second)]
    assert per_sentence[0] < per_sentence[1]


def test_pitfall_41_a_sentence_is_exchanged_as_a_whole():
    # All that differs is one sentence of ten parts: exchanged part by part it would look certain.
    same = np.array([[3, 1, 1]] * 20)
    first, second = same.copy(), same.copy()
    first[0], second[0] = (10, 0, 0), (0, 10, 10)

    assert swapped_f1(first, second, np.random.default_rng(0)).p == pytest.approx(1)


def test_pitfall_39_the_chance_is_never_zero_and_the_seed_repeats_it():
    first, second = two_systems(200, 0, 0.95, 0.4)

    assert swapped_f1(first, second, np.random.default_rng(0), 999).p == pytest.approx(1e-3)
    close = two_systems(60, 1, 0.8, 0.75)
    one, again = (swapped_f1(*close, np.random.default_rng(5), 499).p for _ in range(2))
    assert one == again


def test_the_chance_is_spread_evenly_when_nothing_differs():
    ps = [
        swapped_f1(*two_systems(40, seed), np.random.default_rng(seed), swaps=199).p
        for seed in range(300)
    ]

    for level in (0.05, 0.25, 0.5, 0.75):
        spread = np.sqrt(level * (1 - level) / 300)
        assert np.mean(np.array(ps) <= level) == pytest.approx(level, abs=4 * spread)


def test_who_is_named_first_does_not_matter():
    first, second = two_systems(8, 2, 0.9, 0.6)

    one, other = (
        swapped_f1(*systems, np.random.default_rng(0)).p
        for systems in ((first, second), (second, first))
    )

    assert one == pytest.approx(other)


def test_one_sentence_proves_nothing():
    first, second = np.array([[5, 0, 0]]), np.array([[0, 0, 5]])

    assert swapped_f1(first, second, np.random.default_rng(0)).p == 1


def test_systems_must_answer_the_same_sentences():
    first, second = np.array([[1, 0, 1], [2, 0, 0]]), np.array([[2, 0, 0], [1, 0, 0]])

    with pytest.raises(BadData, match="Sentence 2: one system was scored against 2 parts"):
        swapped_f1(first, second, np.random.default_rng(0))
    with pytest.raises(BadData, match="2 sentences, the other 1"):
        swapped_f1(first, second[:1], np.random.default_rng(0))
    with pytest.raises(Undefined, match="nothing to find"):
        swapped_f1(np.zeros((3, 3), int), np.zeros((3, 3), int), np.random.default_rng(0))
