"""Intervals of mean cosines: over other terms, and over other samples of the same terms."""

import numpy as np
import pytest

from lexiscope.experiments.consistency.estimates import estimate_over_samples
from lexiscope.metrics.consistency import directions


def drawn(rng, samples=5, terms=30, noise=1.5):
    """Samples of terms with fixed directions and random noise."""
    own = directions(np.random.default_rng(0).normal(size=(terms, 20)))
    return directions(own + noise / np.sqrt(20) * rng.normal(size=(samples, terms, 20)))


def test_the_interval_over_samples_covers_the_mean_over_other_samples_of_the_same_terms():
    true = estimate_over_samples(drawn(np.random.default_rng(1), samples=600)).value
    rng = np.random.default_rng(2)

    found = [estimate_over_samples(drawn(rng)) for _ in range(600)]

    covered = np.mean([each.low <= true <= each.high for each in found])
    assert 0.93 <= covered <= 0.98


def test_the_value_is_the_mean_over_terms_of_the_mean_over_pairs():
    units = drawn(np.random.default_rng(3), samples=3, terms=4)
    pairs = [(0, 1), (0, 2), (1, 2)]
    expected = np.mean([units[i, t] @ units[j, t] for t in range(4) for i, j in pairs])

    assert estimate_over_samples(units).value == pytest.approx(expected, abs=1e-12)


def test_a_term_with_a_missing_sample_has_the_others():
    units = drawn(np.random.default_rng(4), samples=4, terms=3)
    units[2, 1] = np.nan

    found = estimate_over_samples(units)

    means = [np.mean([units[i, t] @ units[j, t] for i in present for j in present if i < j])
             for t, present in enumerate([range(4), (0, 1, 3), range(4)])]  # fmt: skip
    assert found.value == pytest.approx(np.mean(means), abs=1e-12)
    assert found.low < found.value < found.high


def test_two_samples_have_no_variance_over_samples():
    found = estimate_over_samples(drawn(np.random.default_rng(5), samples=2))

    assert (found.low, found.high) == (None, None)
    assert found.state == "two samples of a term have no variance"


def test_equal_samples_and_no_terms_have_no_interval():
    same = np.tile(directions(np.ones((1, 3, 4))), (3, 1, 1))

    assert estimate_over_samples(same).state == "all samples have the same vector"
    assert estimate_over_samples(np.full((3, 2, 4), np.nan)).state == "no term"
