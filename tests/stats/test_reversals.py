import numpy as np
import pytest

from lexiscope.stats.reversals import agreement, reversals


def test_a_reversal_has_both_differences():
    one, other = np.array([5.0, 3.0, 1.0]), np.array([2.0, 6.0, 1.0])

    (pair,) = reversals(one, other)

    assert tuple(pair) == (0, 1, 2, 4)


def test_reversals_are_sorted_by_their_smaller_difference():
    one, other = np.array([0.0, 10.0, 3.0, 0.0]), np.array([9.0, 8.0, 4.0, 0.0])

    found = [(p.first, p.second, p.gain, p.loss) for p in reversals(one, other)]

    assert found == [(2, 0, 3, 5), (1, 0, 10, 1)]


def test_ties_are_no_reversals():
    assert reversals(np.array([1.0, 1.0, 2.0]), np.array([3.0, 2.0, 4.0])) == []


def test_reversals_are_symmetric():
    one, other = np.random.default_rng(0).normal(size=(2, 7))

    ours, theirs = reversals(one, other), reversals(other, one)

    assert {(p.first, p.second, p.gain, p.loss) for p in ours} == {
        (p.second, p.first, p.loss, p.gain) for p in theirs
    }


@pytest.mark.parametrize("scores", [[1.0, 2.0], [1.0, 1.0, 1.0]], ids=["two", "all equal"])
def test_agreement_needs_three_different_scores(scores):
    assert agreement(np.array(scores), np.arange(len(scores)) * 1.0) is None


def test_opposite_rankings_have_a_correlation_of_minus_one():
    assert agreement(np.arange(4.0), -np.arange(4.0)) == pytest.approx(-1)
