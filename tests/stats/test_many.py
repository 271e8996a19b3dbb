from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from lexiscope.stats.many import alike, benjamini_hochberg, holm, rank_intervals


def test_holm_on_an_example_by_hand():
    # Sorted 0.01, 0.02, 0.03, 0.04 times 4, 3, 2, 1: 0.04, 0.06, 0.06, 0.06 (never falling).
    assert_allclose(holm([0.04, 0.01, 0.03, 0.02]), [0.06, 0.04, 0.06, 0.06])


def slow_holm(ps):
    """Each p times the number of those not smaller, never below the corrected smaller ones."""
    order = sorted(range(len(ps)), key=lambda place: ps[place])
    corrected, floor = [0.0] * len(ps), 0.0
    for done, place in enumerate(order):
        floor = max(floor, min(1.0, ps[place] * (len(ps) - done)))
        corrected[place] = floor
    return corrected


@given(st.lists(st.floats(0, 1), max_size=20))
def test_holm_equals_its_slow_twin(ps):
    assert_allclose(holm(ps), slow_holm(ps))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_a_corrected_chance_is_never_smaller_and_never_above_one(ps):
    assert (holm(ps) >= np.array(ps)).all()
    assert holm(ps).max() <= 1


def test_one_comparison_needs_no_correction():
    assert holm([0.03]).tolist() == [0.03]
    assert holm([]).tolist() == []


def apart(*pairs):
    return {frozenset(pair) for pair in pairs}


def test_being_alike_is_not_transitive():
    assert alike(["a", "b", "c"], apart("ac")) == [("a", "b"), ("b", "c")]


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
    assert alike(list(members), apart(*pairs)) == groups


def slow_groups(members, told_apart):
    """All sets in which no two are apart, less those inside another."""
    good = [
        set(some)
        for size in range(1, len(members) + 1)
        for some in combinations(members, size)
        if not any(frozenset(pair) in told_apart for pair in combinations(some, 2))
    ]
    return {frozenset(some) for some in good if not any(some < other for other in good)}


@given(st.sets(st.sampled_from(list(combinations("abcdef", 2)))))
def test_groups_equal_their_slow_twin(pairs):
    found = alike(list("abcdef"), apart(*pairs))

    assert {frozenset(group) for group in found} == slow_groups("abcdef", apart(*pairs))
    assert len(found) == len(set(found))


def test_forty_embeddings_that_are_all_alike_are_one_group_at_once():
    members = [str(place) for place in range(40)]

    assert alike(members, set()) == [tuple(members)]


def test_benjamini_hochberg_on_an_example_by_hand():
    # Sorted 0.01, 0.02, 0.04 times 3/1, 3/2, 3/3, never above the next: 0.03, 0.03, 0.04.
    assert_allclose(benjamini_hochberg([0.04, 0.01, 0.02]), [0.04, 0.03, 0.03])
    assert benjamini_hochberg([]).tolist() == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_benjamini_hochberg_is_never_stricter_than_holm(ps):
    assert (benjamini_hochberg(ps) <= holm(ps) + 1e-12).all()


def test_ranks_that_the_comparisons_leave_possible():
    # c is really worse than a and b, who cannot be told apart.
    found = rank_intervals(["a", "b", "c"], [("c", "a"), ("c", "b")])

    assert {name: tuple(ranks) for name, ranks in found.items()} == {
        "a": (1, 2),
        "b": (1, 2),
        "c": (3, 3),
    }


def test_without_real_differences_every_rank_is_possible():
    assert rank_intervals(["a", "b"], [])["a"] == (1, 2)
