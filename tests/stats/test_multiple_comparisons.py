from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import binomtest

from lexiscope.stats.multiple_comparisons import (
    benjamini_hochberg,
    holm,
    homogeneous_groups,
    rank_intervals,
)


def test_holm_on_an_example_by_hand():
    # Sorted 0.01, 0.02, 0.03, 0.04 times 4, 3, 2, 1: 0.04, 0.06, 0.06, 0.06 (never falling).
    assert_allclose(holm([0.04, 0.01, 0.03, 0.02]), [0.06, 0.04, 0.06, 0.06])


def slow_holm(ps):
    """Each p times the number of p-values not smaller, never below the corrected smaller ones."""
    order = sorted(range(len(ps)), key=lambda index: ps[index])
    corrected, smallest = [0.0] * len(ps), 0.0
    for done, index in enumerate(order):
        smallest = max(smallest, min(1.0, ps[index] * (len(ps) - done)))
        corrected[index] = smallest
    return corrected


@given(st.lists(st.floats(0, 1), max_size=20))
def test_holm_equals_a_slow_implementation(ps):
    assert_allclose(holm(ps), slow_holm(ps))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_a_corrected_p_value_is_never_smaller_and_never_above_one(ps):
    assert (holm(ps) >= np.array(ps)).all()
    assert holm(ps).max() <= 1


def test_one_comparison_needs_no_correction():
    assert holm([0.03]).tolist() == [0.03]
    assert holm([]).tolist() == []


def different(*pairs):
    return {frozenset(pair) for pair in pairs}


def test_groups_are_not_transitive():
    assert homogeneous_groups(["a", "b", "c"], different("ac")) == [("a", "b"), ("b", "c")]


@pytest.mark.parametrize(
    ("members", "pairs", "groups"),
    [
        ("abc", [], [("a", "b", "c")]),
        ("abc", ["ab", "ac", "bc"], [("a",), ("b",), ("c",)]),
        ("abc", ["ac", "bc"], [("a", "b"), ("c",)]),
        ("abcd", ["ac", "ad", "bd"], [("a", "b"), ("b", "c"), ("c", "d")]),
        ("a", [], [("a",)]),
        ("", [], []),
    ],
)
def test_groups_by_hand(members, pairs, groups):
    assert homogeneous_groups(list(members), different(*pairs)) == groups


def slow_groups(members, different_pairs):
    """All sets in which no two differ, without subsets of another."""
    good = [
        set(some)
        for size in range(1, len(members) + 1)
        for some in combinations(members, size)
        if not any(frozenset(pair) in different_pairs for pair in combinations(some, 2))
    ]
    return {frozenset(some) for some in good if not any(some < other for other in good)}


@given(st.sets(st.sampled_from(list(combinations("abcdef", 2)))))
def test_groups_equal_those_of_a_slow_implementation(pairs):
    found = homogeneous_groups(list("abcdef"), different(*pairs))

    assert {frozenset(group) for group in found} == slow_groups("abcdef", different(*pairs))
    assert len(found) == len(set(found))


def test_forty_embeddings_without_differences_are_one_group():
    members = [str(index) for index in range(40)]

    assert homogeneous_groups(members, set()) == [tuple(members)]


def test_benjamini_hochberg_on_an_example_by_hand():
    # Sorted 0.01, 0.02, 0.04 times 3/1, 3/2, 3/3, never above the next: 0.03, 0.03, 0.04.
    assert_allclose(benjamini_hochberg([0.04, 0.01, 0.02]), [0.04, 0.03, 0.03])
    assert benjamini_hochberg([]).tolist() == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_benjamini_hochberg_is_never_stricter_than_holm(ps):
    assert (benjamini_hochberg(ps) <= holm(ps) + 1e-12).all()


def test_rank_intervals_by_hand():
    # c is significantly worse than a and b, which do not differ significantly.
    found = rank_intervals(["a", "b", "c"], [("c", "a"), ("c", "b")])

    assert {name: tuple(ranks) for name, ranks in found.items()} == {
        "a": (1, 2),
        "b": (1, 2),
        "c": (3, 3),
    }


def test_without_significant_differences_every_rank_is_possible():
    assert rank_intervals(["a", "b"], [])["a"] == (1, 2)


def test_tests_that_cannot_reject_do_not_count():
    # At 0.01 only the first two can reject; at 0.02 the second alone remains.
    found = holm([0.01, 0.02, 0.9, 1.0], [0.0, 0.001, 0.25, 1.0])

    assert found.tolist() == pytest.approx([0.02, 0.02, 0.9 * 1, 1.0])


def test_the_family_wise_error_of_discrete_tests_stays_below_the_level():
    rng = np.random.default_rng(0)
    errors = 0
    for _ in range(2000):
        numbers = rng.integers(1, 12, 10)  # discordant items of ten McNemar tests
        wins = rng.binomial(numbers, 0.5)
        ps = [binomtest(int(k), int(n)).pvalue for k, n in zip(wins, numbers, strict=True)]
        errors += (holm(ps, 2.0 ** (1 - numbers)) < 0.05).any()

    assert errors / 2000 < 0.05


def test_a_sampled_p_value_below_the_smallest_possible_one_is_not_significant():
    # One discordant unit of thirty: the exact p-value is 1, its estimate from 9,999 samples less.
    assert holm([0.9976, 0.9976, 0.001], [1.0, 1.0, 0.0]).tolist() == [1.0, 1.0, 0.001]
