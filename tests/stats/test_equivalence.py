import numpy as np
import pytest
from scipy.stats import ttest_1samp

from lexiscope.stats.equivalence import detectable_difference, equivalence_p_value


def test_equivalence_is_the_larger_of_two_one_sided_tests():
    values = np.random.default_rng(0).normal(0.02, 0.1, size=40)
    error = values.std(ddof=1) / np.sqrt(40)

    found = equivalence_p_value(values.mean(), error, 39, 0.05)

    above = ttest_1samp(values, -0.05, alternative="greater").pvalue
    below = ttest_1samp(values, 0.05, alternative="less").pvalue
    assert found == pytest.approx(max(above, below))
    assert equivalence_p_value(-values.mean(), error, 39, 0.05) == pytest.approx(found)


def test_identical_predictions_are_equivalent():
    assert equivalence_p_value(0.0, 0.0, None, 0.05) == 0
    assert equivalence_p_value(0.05, 0.0, None, 0.05) == 1


def test_the_detectable_difference_is_detected_with_80_percent_power():
    rng = np.random.default_rng(0)
    smallest = detectable_difference(0.02, 30, 0.01)

    samples = rng.normal(smallest, 0.02 * np.sqrt(31), (4000, 31))
    p = ttest_1samp(samples, 0.0, axis=1).pvalue

    assert np.mean(p < 0.01) == pytest.approx(0.8, abs=0.03)
