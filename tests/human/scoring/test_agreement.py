"""Agreement of judges, against a slow twin that lists all pairs of answers."""

from itertools import permutations

import numpy as np
import pytest

from lexiscope.core.errors import Undefined
from lexiscope.human.scoring.agreement import krippendorff_alpha, mean_entropy, pairwise_agreement


def alpha_by_coincidences(units):
    """1 - observed / expected disagreement, from the coincidence matrix of Krippendorff (2011)."""
    values = sorted({value for unit in units for value in unit})
    table = np.zeros((len(values), len(values)))
    for unit in units:
        for one, other in permutations(range(len(unit)), 2):
            row, column = values.index(unit[one]), values.index(unit[other])
            table[row, column] += 1 / (len(unit) - 1)
    totals, number = table.sum(axis=1), table.sum()
    observed = table.sum() - np.trace(table)
    expected = sum(totals[i] * totals[j] for i, j in permutations(range(len(values)), 2))
    return 1 - observed / (expected / (number - 1))


@pytest.mark.parametrize("seed", range(20))
def test_alpha_is_that_of_the_coincidence_matrix(seed):
    rng = np.random.default_rng(seed)
    units = [rng.integers(0, 4, rng.integers(1, 6)).tolist() for _ in range(15)]

    paired = [unit for unit in units if len(unit) > 1]
    assert krippendorff_alpha(units) == pytest.approx(alpha_by_coincidences(paired))


def test_alpha_is_one_if_all_agree_and_zero_if_answers_are_random():
    rng = np.random.default_rng(0)
    agreed = [[k % 3] * 4 for k in range(12)]
    random = rng.integers(0, 3, (3000, 3)).tolist()

    assert krippendorff_alpha(agreed) == 1.0
    assert krippendorff_alpha(random) == pytest.approx(0.0, abs=0.04)


@pytest.mark.parametrize("units", [[], [["a"]], [["a", "a"], ["a", "a"]]])
def test_alpha_without_two_different_answers_is_undefined(units):
    with pytest.raises(Undefined):
        krippendorff_alpha(units)


@pytest.mark.parametrize("seed", range(5))
def test_pairwise_agreement_is_that_of_all_pairs(seed):
    rng = np.random.default_rng(seed)
    units = [rng.integers(0, 3, rng.integers(2, 6)).tolist() for _ in range(10)]
    slow = [np.mean([a == b for a, b in permutations(unit, 2)]) for unit in units]

    assert pairwise_agreement(units) == pytest.approx(np.mean(slow))


def test_entropy_of_uniform_answers_is_the_logarithm_of_their_number():
    assert mean_entropy([["a", "b", "c", "d"]]) == pytest.approx(2.0)
    with pytest.raises(Undefined):
        mean_entropy([["a"]])
