"""Means over repeats with the corrected variance."""

import numpy as np
import pytest

from lexiscope.core.errors import Undefined
from lexiscope.learners.splits import corrected_t_test
from lexiscope.stats.curves.repeats import Means, corrected_means, weighted_sum


def test_the_interval_and_the_test_are_those_of_the_corrected_t_test():
    differences = np.random.default_rng(1).normal(0.02, 0.02, 6)
    expected = corrected_t_test(differences, train=700, test=300)

    found = corrected_means(differences, 300 / 700)

    low, high = found.interval()
    assert float(found.value) == pytest.approx(expected.value)
    assert (float(low), float(high)) == pytest.approx((expected.low, expected.high))
    assert float(found.p_value()) == pytest.approx(expected.p)


def test_the_error_is_worked_by_hand():
    # Variance 0.0001 over two repeats of 0.5 +- sqrt(0.00005); factor 1/2 + 1/2.
    values = np.array([0.5, 0.5 + np.sqrt(0.0002)])

    assert float(corrected_means(values, 0.5).error) == pytest.approx(0.01)


def test_columns_are_independent():
    values = np.array([[0.1, 0.5], [0.2, 0.5], [0.3, 0.5]])

    found = corrected_means(values, 0.4)

    assert found.value.tolist() == pytest.approx([0.2, 0.5])
    assert found.error[0] > 0
    assert found.error[1] == 0


def test_intervals_stay_within_the_bounds():
    low, high = corrected_means(np.array([0.9, 1.0, 0.95]), 0.4).interval((0.0, 1.0))

    assert high == 1.0
    assert 0 < low < 0.95


def test_one_repeat_has_no_variance():
    with pytest.raises(Undefined, match="one repeat"):
        corrected_means(np.array([0.5]), 0.4)


def test_p_values_without_variance():
    means = Means(np.array([0.0, 0.1]), np.array([0.0, 0.0]), 5)

    assert means.p_value().tolist() == [1.0, 0.0]


def test_a_weighted_sum_without_variance_has_no_error():
    parts = [Means(np.array(0.5), np.array(0.0), 5), Means(np.array(0.7), np.array(0.0), 3)]

    found = weighted_sum(parts, [0.5, 0.5])

    assert float(found.value) == pytest.approx(0.6)
    assert (float(found.error), found.degrees_of_freedom) == (0.0, 3)
