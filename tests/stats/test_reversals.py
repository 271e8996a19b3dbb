import numpy as np
import pytest

from lexiscope.stats.reversals import agreement, reversals


def test_a_pair_in_opposite_orders_is_told_with_both_gaps():
    one, other = np.array([5.0, 3.0, 1.0]), np.array([2.0, 6.0, 1.0])

    (pair,) = reversals(one, other)

    assert tuple(pair) == (0, 1, 2, 4)


def test_the_clearest_comes_first_by_its_smaller_gap():
    one, other = np.array([0.0, 10.0, 3.0, 0.0]), np.array([9.0, 8.0, 4.0, 0.0])

    found = [(p.first, p.second, p.gain, p.loss) for p in reversals(one, other)]

    assert found == [(2, 0, 3, 5), (1, 0, 10, 1)]


def test_equal_scores_are_no_order():
    assert reversals(np.array([1.0, 1.0, 2.0]), np.array([3.0, 2.0, 4.0])) == []


def test_the_same_pairs_are_found_the_other_way_round():
    one, other = np.random.default_rng(0).normal(size=(2, 7))

    ours, theirs = reversals(one, other), reversals(other, one)

    assert {(p.first, p.second, p.gain, p.loss) for p in ours} == {
        (p.second, p.first, p.loss, p.gain) for p in theirs
    }


@pytest.mark.parametrize("scores", [[1.0, 2.0], [1.0, 1.0, 1.0]], ids=["two", "all equal"])
def test_agreement_needs_three_that_differ(scores):
    assert agreement(np.array(scores), np.arange(len(scores)) * 1.0) is None


def test_opposite_orders_disagree_fully():
    assert agreement(np.arange(4.0), -np.arange(4.0)) == pytest.approx(-1)
