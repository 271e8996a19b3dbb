"""Labels needed: crossings of the isotonic fit, and ratios of limits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.isotonic import isotonic_regression

from lexiscope.stats.curves.labels import Sizes, isotonic, labels_needed, percentile_limits, ratios

SIZES = np.array([10.0, 20.0, 40.0, 80.0])


@given(arrays(np.float64, 7, elements=st.floats(-1, 1)))
def test_the_fit_is_that_of_scikit_learn(curve):
    assert isotonic(curve).tolist() == pytest.approx(isotonic_regression(curve).tolist(), abs=1e-9)


def test_many_curves_are_fitted_at_once():
    curves = np.random.default_rng(0).random((3, 2, 6))

    assert np.allclose(isotonic(curves)[1, 0], isotonic(curves[1, 0]))


def needed(curve, target):
    found = labels_needed(SIZES, np.array([curve]), np.array([target]))
    return float(found.low[0]), float(found.high[0])


def test_halfway_between_two_scores_is_the_geometric_mean_of_the_sizes():
    low, high = needed([0.5, 0.6, 0.7, 0.8], 0.65)

    assert low == high == pytest.approx(np.sqrt(20 * 40))


def test_a_score_that_a_size_has_is_reached_there():
    assert needed([0.5, 0.6, 0.7, 0.8], 0.7) == pytest.approx((40, 40))


def test_a_target_that_is_reached_at_once_has_an_upper_limit_only():
    assert needed([0.5, 0.6, 0.7, 0.8], 0.4) == (0, 10)


def test_a_target_that_is_never_reached_has_a_lower_limit_only():
    assert needed([0.5, 0.6, 0.7, 0.8], 0.9) == (80, np.inf)


def test_a_dip_does_not_reach_the_target_twice():
    # The fit is 0.5, 0.65, 0.65, 0.8.
    assert needed([0.5, 0.7, 0.6, 0.8], 0.65) == pytest.approx((20, 20))


def test_the_end_of_a_flat_curve_is_reached_at_once():
    assert needed([0.7, 0.7, 0.7, 0.7], 0.7) == (0, 10)


def ratio(one, other):
    found = ratios(Sizes(*map(np.array, one)), Sizes(*map(np.array, other)))
    return float(found.low), float(found.high)


def test_the_ratio_of_known_sizes():
    assert ratio((20.0, 20.0), (40.0, 40.0)) == (0.5, 0.5)


@pytest.mark.parametrize(
    ("one", "other", "limits"),
    [
        ((0.0, 10.0), (40.0, 40.0), (0, 0.25)),
        ((80.0, np.inf), (40.0, 40.0), (2, np.inf)),
        ((40.0, 40.0), (80.0, np.inf), (0, 0.5)),
        ((40.0, 40.0), (0.0, 10.0), (4, np.inf)),
        ((0.0, 10.0), (80.0, np.inf), (0, 0.125)),
        ((0.0, 10.0), (0.0, 10.0), (0, np.inf)),
        ((80.0, np.inf), (80.0, np.inf), (0, np.inf)),
    ],
)
def test_limits_of_the_ratio_of_sizes_that_are_not_known(one, other, limits):
    assert ratio(one, other) == limits


def test_few_unlimited_resamples_leave_the_interval_limited():
    values = np.arange(1.0, 1001.0)
    some = np.where(values > 990, np.inf, values)
    many = np.where(values > 900, np.inf, values)

    assert np.isfinite(percentile_limits(Sizes(values, some))[1])
    assert np.isinf(percentile_limits(Sizes(values, many))[1])
