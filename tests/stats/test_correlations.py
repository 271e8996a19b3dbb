"""Correlations of short lists: compared with SciPy, by hand, and the coverage of intervals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import pearsonr, spearmanr

from lexiscope.stats.correlations import (
    Correlation,
    correlation,
    correlation_difference,
    correlation_difference_p,
    difference_of_dependent,
    fisher_standard_error,
    most_influential,
)


@settings(deadline=None, max_examples=40)
@given(st.integers(4, 30), st.integers(0, 10_000))
def test_pearsons_interval_is_scipys(number, seed):
    one, other = np.random.default_rng(seed).normal(size=(2, number))

    found = correlation(one, one + other, "pearson")

    theirs = pearsonr(one, one + other)
    assert found.value == pytest.approx(theirs.statistic)
    assert (found.low, found.high) == pytest.approx(theirs.confidence_interval(0.95))
    assert found.p == pytest.approx(theirs.pvalue, rel=1e-6)
    assert found.number == number


def test_spearmans_interval_is_wider_by_half_the_square():
    # rho 0.5 of 12: artanh is 0.5493, the error the root of (1 + 0.125) / 9 = 0.3536.
    assert fisher_standard_error(0.5, 12, "spearman") == pytest.approx(0.353553, abs=1e-6)
    assert fisher_standard_error(0.5, 12, "pearson") == pytest.approx(1 / 3)
    one, other = np.random.default_rng(3).normal(size=(2, 12))

    found = correlation(one, one + other, "spearman")

    rho = spearmanr(one, one + other).statistic
    margin = 1.959964 * np.sqrt((1 + rho**2 / 2) / 9)
    assert found.value == pytest.approx(rho)
    assert found.low == pytest.approx(np.tanh(np.arctanh(rho) - margin), abs=1e-6)
    assert found.high == pytest.approx(np.tanh(np.arctanh(rho) + margin), abs=1e-6)


@pytest.mark.parametrize("number", [4, 5, 11])
def test_after_correction_false_positives_are_rare_among_many_pairs(number):
    """Holm's correction needs p-values far below 5 %, so these must be calibrated as well."""
    rng, false_positives, pairs = np.random.default_rng(3), 0, 45
    for _ in range(200):
        lists = rng.normal(size=(2 * pairs, number))
        found = [correlation(*lists[k : k + 2], "pearson").p for k in range(0, 2 * pairs, 2)]
        false_positives += min(found) < 0.05 / pairs
    assert false_positives / 200 <= 0.09


@pytest.mark.parametrize("kind", ["pearson", "spearman"])
@pytest.mark.parametrize("number", [6, 11])
def test_intervals_of_few_members_have_95_percent_coverage(kind, number):
    """The bootstrap would be too narrow for so few members."""
    population = 0.6
    spearmans = 6 / np.pi * np.arcsin(population / 2)  # of normal variables
    truth = population if kind == "pearson" else spearmans
    rng, hits = np.random.default_rng(7), 0
    for _ in range(600):
        one, noise = rng.normal(size=(2, number))
        found = correlation(one, population * one + np.sqrt(1 - population**2) * noise, kind)
        hits += found.low is None or found.low <= truth <= found.high
    assert 0.92 <= hits / 600 <= 0.99


def test_a_perfect_correlation_has_an_exact_p_value_and_no_interval():
    found = correlation(np.arange(5.0), np.arange(5.0), "spearman")

    assert found.value == pytest.approx(1)
    assert (found.low, found.p) == (None, 2 / 120)
    assert found.state == "perfect: no interval can be given"


@pytest.mark.parametrize(
    ("scores", "state"),
    [
        (np.array([1.0]), "too few members: 1"),
        (np.array([1.0, 2]), "too few members: 2"),
        (np.zeros(5), "all scores are equal"),
    ],
)
def test_an_undefined_correlation_has_a_reason(scores, state):
    found = correlation(scores, np.arange(float(len(scores))), "pearson")

    assert found.value is None
    assert found.state == state
    assert most_influential(scores, np.arange(float(len(scores)))) is None


def test_no_member_is_most_influential_if_only_one_differs():
    assert most_influential(np.array([0.1, 0.1, 0.1, 0.7, 0.1]), np.arange(5.0)) is None


def test_three_members_have_a_correlation_but_no_interval():
    found = correlation(np.array([1.0, 2, 4]), np.array([1.0, 3, 2]), "pearson")

    assert found.value == pytest.approx(0.3273, abs=1e-4)
    assert found.low is None


def test_the_most_influential_member_changes_the_correlation_most():
    one = np.array([0.0, 1, 2, 3, 10])
    other = np.array([1.0, 0, 1, 0, 10])

    found = most_influential(one, other)

    assert found.member == 4
    assert found.without == pytest.approx(pearsonr(one[:4], other[:4]).statistic)


def test_the_difference_of_two_independent_correlations_by_hand():
    ours = correlation(np.arange(11.0), np.array([0, 2, 1, 4, 3, 5, 7, 6, 9, 8, 10.0]), "pearson")

    # z = (artanh(a) - artanh(b)) / sqrt(1/8 + 1/8)
    z = (np.arctanh(ours.value) - np.arctanh(0.5)) / 0.5
    assert z == pytest.approx(2.8, abs=0.4)
    assert correlation_difference_p(ours, ours.value, 11, "pearson") == pytest.approx(1)
    assert correlation_difference_p(ours, 0.5, 11, "pearson") == pytest.approx(0.005, abs=0.01)


def known(value, number):
    """A correlation with this value over so many members."""
    margin = 1.959964 / np.sqrt(number - 3)
    low, high = np.tanh(np.arctanh(value) - margin), np.tanh(np.arctanh(value) + margin)
    return Correlation(value, low, high, None, number)


def test_the_difference_of_correlations_with_one_target_is_zous_example():
    """Zou 2007: 0.396 and 0.179 of 66, 0.088 between the two; -0.093 to 0.517."""
    found = difference_of_dependent(known(0.396, 66), known(0.179, 66), 0.088)

    assert found.value == pytest.approx(0.217)
    assert (found.low, found.high) == pytest.approx((-0.093, 0.517), abs=5e-4)


def test_the_interval_of_a_difference_has_95_percent_coverage_for_eleven_members():
    rng, hits = np.random.default_rng(5), 0
    for _ in range(400):
        target, first, second = rng.normal(size=(3, 11))
        found = correlation_difference(
            target + first, target + second, target
        )  # equally correlated with it
        hits += found.low <= 0 <= found.high
    assert 0.91 <= hits / 400 <= 0.99


def test_a_perfect_or_constant_list_has_no_difference():
    target = np.arange(6.0)

    assert correlation_difference(target, np.array([1.0, 0, 2, 1, 3, 1]), target) is None
    assert correlation_difference(np.zeros(6), np.array([1.0, 0, 2, 1, 3, 1]), target) is None


@pytest.mark.parametrize("number", [4, 7, 12])
def test_the_most_influential_member_is_that_of_a_leave_one_out_loop(number):
    one, other = np.random.default_rng(number).normal(size=(2, number))
    whole = pearsonr(one, other).statistic
    left = [pearsonr(np.delete(one, k), np.delete(other, k)).statistic for k in range(number)]

    found = most_influential(one, other)

    assert found.member == int(np.argmax(np.abs(np.array(left) - whole)))
    assert found.without == pytest.approx(left[found.member])
