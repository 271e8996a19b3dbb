"""Standard errors over query words and judges, against sums over all pairs of ratings."""

import numpy as np
import pytest

from lexiscope.core.errors import Undefined
from lexiscope.human.scoring.comparisons import sign_flip_tests
from lexiscope.human.scoring.errors import (
    crossed_error,
    difference_interval,
    judge_error,
    proportion_interval,
    share_interval,
)
from lexiscope.human.scoring.ratings import Ratings
from lexiscope.stats.standard_error import StandardError


def ratings(queries, judges):
    query, judge = np.array(queries), np.array(judges)
    credit = np.zeros((len(query), 1))
    return Ratings(("A",), (), credit, query, query, query, judge)


def grid(queries, judges):
    """Every judge rates every query once."""
    return ratings(np.repeat(np.arange(queries), judges), np.tile(np.arange(judges), queries))


def test_the_error_of_a_mean_over_judges_is_that_of_the_judges_means():
    rng = np.random.default_rng(0)
    made = grid(10, 6)
    values = rng.normal(size=60)
    contributions = (values - values.mean()) / 60
    means = values.reshape(10, 6).mean(axis=0)

    found = judge_error(contributions, np.ones(60), made)

    assert found.error == pytest.approx(np.std(means, ddof=1) / np.sqrt(6))
    assert found.degrees_of_freedom == pytest.approx(5)


def test_the_variance_is_the_covariance_of_all_ratings_that_share_something():
    rng = np.random.default_rng(1)
    made = grid(30, 20)
    values = (rng.normal(size=30)[:, None] + rng.normal(size=20)).ravel() + rng.normal(size=600)
    parts = (values - values.mean()) / 600
    same_query = made.query[:, None] == made.query
    same_judge = made.judge[:, None] == made.judge
    products = np.outer(parts, parts)
    # Unbiased for clusters of equal size: n / (n - 1).
    slow = (
        products[same_query].sum() * 30 / 29
        + products[same_judge].sum() * 20 / 19
        - products[same_query & same_judge].sum()
    )

    assert crossed_error(parts, np.ones(600), made).error == pytest.approx(np.sqrt(slow))


def test_the_standard_error_is_that_of_repeated_studies():
    made = grid(12, 8)
    means, errors = [], []
    for seed in range(400):
        rng = np.random.default_rng(seed)
        values = (rng.normal(size=12)[:, None] + rng.normal(size=8)).ravel() + rng.normal(size=96)
        means.append(values.mean())
        errors.append(crossed_error((values - values.mean()) / 96, np.ones(96), made).error)

    assert np.mean(np.square(errors)) == pytest.approx(np.var(means), rel=0.2)


def test_one_judge_says_nothing_about_others():
    made = ratings([0, 1, 2], [0, 0, 0])

    with pytest.raises(Undefined, match="one judge"):
        crossed_error(np.array([0.1, -0.1, 0.0]), np.ones(3), made)


def test_many_independent_ratings_give_the_interval_of_clopper_and_pearson():
    from scipy.stats import binomtest

    error = StandardError(0.0, np.sqrt(0.3 * 0.7 / 1000), 1e9)
    low, high = proportion_interval(0.3, error, 1000)
    exact = binomtest(300, 1000).proportion_ci(method="exact")

    assert (low, high) == pytest.approx((exact.low, exact.high), abs=1e-4)


def test_a_score_of_zero_has_an_interval_of_the_number_of_clusters():
    low, high = proportion_interval(0.0, StandardError(0.0, 0.0, 4.0), 500)

    assert low == 0.0
    assert high == pytest.approx(1 - 0.025 ** (1 / 5))  # 5 judges, exact for no success


def test_intervals_stay_within_their_range():
    wide = StandardError(1.0, 1.0, 2.0)

    assert difference_interval(0.5, wide) == (-1.0, 1.0)
    low, high = share_interval(0.5, wide)
    assert 0 < low < 0.5 < high < 1
    with pytest.raises(Undefined):
        share_interval(0.0, wide)


@pytest.mark.parametrize("seed", range(5))
def test_sign_flips_are_those_of_all_combinations(seed):
    from itertools import product

    table = np.random.default_rng(seed).normal(0.3, 1, (2, 7))
    slow = []
    for row in table:
        sums = [abs(np.dot(signs, row)) for signs in product((-1, 1), repeat=7)]
        slow.append(np.mean(np.array(sums) >= abs(row.sum()) - 1e-12))

    assert sign_flip_tests(table, np.random.default_rng(0), 500) == pytest.approx(slow)


def test_a_sampled_p_value_is_never_zero():
    table = np.ones((1, 60))

    assert sign_flip_tests(table, np.random.default_rng(0), 999) == [1 / 1000]
