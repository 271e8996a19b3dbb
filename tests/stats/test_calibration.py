"""A small, seeded version of benchmarks/calibration.py."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kstest

PATH = Path(__file__).parents[2] / "benchmarks" / "calibration.py"
spec = importlib.util.spec_from_file_location("calibration", PATH)
calibration = importlib.util.module_from_spec(spec)
spec.loader.exec_module(calibration)

SAMPLES = 100
SLOW = ("3,000 pairs", "analogies", "questions that share", "trimmed", "by query", "difference of")


def quick(table):
    return [name for name in table if not any(part in name for part in SLOW)]


@pytest.mark.parametrize("name", quick(calibration.NULL))
def test_p_values_are_uniform_under_the_null(name, monkeypatch):
    monkeypatch.setattr(calibration, "PERMUTATIONS", 199)

    ps = np.array([calibration.NULL[name](seed) for seed in range(SAMPLES)])

    assert kstest(ps, "uniform").pvalue > 0.01
    assert np.mean(ps < 0.05) < 0.05 + 3 * np.sqrt(0.05 * 0.95 / SAMPLES)


@pytest.mark.parametrize("name", quick(calibration.TRUTH))
def test_intervals_have_their_nominal_coverage(name):
    coverage = np.mean([calibration.TRUTH[name](seed) for seed in range(SAMPLES)])

    assert 0.95 - 3 * np.sqrt(0.05 * 0.95 / SAMPLES) <= coverage <= 1


def test_a_scenario_can_fail():
    """Naive standard errors have too many false positives if errors belong to words."""
    ps = [
        calibration.p_value(
            calibration.pearson,
            *(
                type(a)(a.predicted, a.gold)
                for a in calibration.pairs_with_shared_words(
                    np.random.default_rng(seed), words=60, items=300, word_fraction=0.9
                )
            ),
            np.random.default_rng(seed),
            199,
        )
        for seed in range(120)
    ]

    assert calibration.under_the_null("naive", np.array(ps)).good is False
