from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy.stats import rankdata

from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.stats.rank_aggregation import borda, kemeny, preferences


def by_all_permutations(scores):
    """All permutations with the fewest disagreements, counted pair by pair."""

    def disagreements(order):
        return sum(
            ranking[later] > ranking[earlier]
            for ranking in scores
            for position, earlier in enumerate(order)
            for later in order[position + 1 :]
        )

    orders = list(permutations(range(len(scores[0]))))
    fewest = min(map(disagreements, orders))
    return [list(order) for order in orders if disagreements(order) == fewest], fewest


tables = st.tuples(st.integers(1, 5), st.integers(1, 6)).flatmap(
    lambda shape: st.lists(
        st.lists(st.integers(0, 3) | st.just(np.nan), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


@settings(deadline=None, max_examples=60)
@given(tables)
def test_kemeny_agrees_with_an_exhaustive_search(scores):
    orders, fewest = by_all_permutations(scores)

    found = kemeny(np.array(scores, np.float64))

    assert found.rankings.tolist() == orders  # permutations are sorted
    assert found.disagreements == fewest


def test_equal_rankings_are_the_consensus():
    found = kemeny(np.array([[1.0, 3, 2], [10, 30, 20]]))

    assert found.rankings.tolist() == [[1, 2, 0]]
    assert found.disagreements == 0


def test_pitfall_45_two_optimal_rankings_are_both_returned_sorted():
    # Two rankings that differ in the order of 1 and 2: each agrees with one of them.
    ranks = np.array([[1.0, 2, 3], [1, 3, 2]])

    found = kemeny(-ranks)

    assert found.rankings.tolist() == [[0, 1, 2], [0, 2, 1]]
    assert found.disagreements == 1


def test_pitfall_45_a_cycle_of_preferences_has_three_optimal_rankings():
    found = kemeny(np.array([[3.0, 2, 1], [1, 3, 2], [2, 1, 3]]))

    assert found.rankings.tolist() == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    assert found.disagreements == 4


def test_pitfall_45_too_many_optimal_rankings_are_undefined():
    with pytest.raises(Undefined, match="20,922,789,888,000 consensus rankings are equally good"):
        kemeny(np.zeros((2, 16)))


def test_a_tie_is_no_disagreement():
    found = kemeny(np.array([[2.0, 2, 1], [1, 2, 0]]))

    assert found.rankings.tolist() == [[1, 0, 2]]
    assert found.disagreements == 0


def test_a_ranking_without_a_member_has_no_preference_for_it():
    scores = np.array([[2.0, 1, np.nan], [np.nan, 2, 1]])

    assert preferences(scores).tolist() == [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    assert kemeny(scores).rankings.tolist() == [[0, 1, 2]]


def test_sixteen_members_are_searched_and_seventeen_are_not():
    scores = np.random.default_rng(0).permuted(np.tile(np.arange(16.0), (5, 1)), axis=1)

    found = kemeny(scores)

    assert sorted(found.rankings[0].tolist()) == list(range(16))
    with pytest.raises(BadUsage, match=r"at most 16 members, found 17\. Leave some out"):
        kemeny(np.zeros((2, 17)))


def test_borda_points_follow_the_average_ranks():
    scores = np.random.default_rng(1).integers(0, 4, (6, 9)).astype(np.float64)

    # Each rank above the mean adds two points.
    assert_array_equal(borda(scores), 2 * rankdata(scores, axis=1).sum(axis=0) - 6 * 10)


def test_borda_and_kemeny_can_have_different_winners():
    # Three of five rank 0 first; 1 is never last.
    scores = np.array([[3.0, 2, 1]] * 3 + [[1, 3, 2]] * 2)

    assert kemeny(scores).rankings.tolist() == [[0, 1, 2]]
    assert borda(scores).tolist() == [2, 4, -6]
