import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.metrics.neighbour_overlap import jaccard, rank_biased_overlap


def test_pitfall_46_a_list_shifted_by_one_rank_has_the_same_words():
    near, moved = ["cat", "dog", "cow"], ["dog", "cow", "cat"]

    position_by_position = sum(a == b for a, b in zip(near, moved, strict=True))

    assert position_by_position == 0
    assert jaccard(near, moved) == 1
    assert 0 < rank_biased_overlap(near, moved) < 1


def test_pitfall_46_lists_of_different_length_can_be_compared():
    assert jaccard(["a", "b"], ["c", "b", "a", "d"]) == 2 / 4


def test_jaccard_is_intersection_over_union():
    assert jaccard([1, 2, 3], [3, 4]) == 1 / 4
    assert jaccard([1], []) == 0
    with pytest.raises(Undefined, match="two empty lists"):
        jaccard([], [])


def by_definition(first, second, p, depths=3000):
    """The weighted agreement at very many depths, extrapolated as by Webber et al."""
    short, long = sorted((first, second), key=len)
    shared = len(set(short) & set(long[: len(short)])) / len(short)
    total, agreement = 0.0, 0.0
    for depth in range(1, depths + 1):
        if depth <= len(long):
            seen = len(set(short[:depth]) & set(long[:depth]))
            agreement = (seen + shared * max(0, depth - len(short))) / depth
        total += (1 - p) * p ** (depth - 1) * agreement
    return total


lists = st.lists(st.integers(0, 12), min_size=1, max_size=10, unique=True)


@given(lists, lists, st.sampled_from([0.3, 0.8, 0.95]))
def test_rank_biased_overlap_is_the_weighted_agreement_at_every_depth(first, second, p):
    found = rank_biased_overlap(first, second, p)

    assert found == pytest.approx(by_definition(first, second, p), abs=1e-9)
    assert found == pytest.approx(rank_biased_overlap(second, first, p))
    assert -1e-12 <= found <= 1 + 1e-12


def test_rank_biased_overlap_by_hand():
    # Agreements 0 and 1, p = 0.5: 0.5 * 0 + 0.25 * 1, and 0.25 for the extrapolation.
    assert rank_biased_overlap("ab", "ba", 0.5) == pytest.approx(0.5)
    assert rank_biased_overlap("abc", "abc", 0.5) == pytest.approx(1)
    assert rank_biased_overlap("abc", "xyz", 0.5) == 0


def test_a_difference_at_the_top_has_more_weight_than_one_at_the_end():
    words = list("abcdefgh")
    top, end = [*"x", *words[1:]], [*words[:-1], "x"]

    assert jaccard(words, top) == jaccard(words, end)
    assert rank_biased_overlap(words, top) < rank_biased_overlap(words, end)


def test_empty_lists_and_duplicates_are_refused():
    with pytest.raises(Undefined, match="an empty list"):
        rank_biased_overlap([], ["a"])
    with pytest.raises(ValueError, match="a duplicate word"):
        rank_biased_overlap(["a", "a"], ["a"])
    with pytest.raises(BadUsage, match="between 0 and 1, found 1"):
        rank_biased_overlap(["a"], ["a"], 1)
