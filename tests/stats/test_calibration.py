"""A small, seeded version of benchmarks/calibration.py."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

PATH = Path(__file__).parents[2] / "benchmarks" / "calibration.py"
spec = importlib.util.spec_from_file_location("calibration", PATH)
calibration = importlib.util.module_from_spec(spec)
sys.modules.setdefault("calibration", calibration)
spec.loader.exec_module(calibration)

SAMPLES = 80
LONG = ("3,000 pairs", "8 sections", "1,000 words", "20 categories", "50 dimensions", "LRCos")
QUICK = [name for name in calibration.SCENARIOS if not any(part in name for part in LONG)]


@pytest.mark.parametrize("name", QUICK)
def test_equal_embeddings_are_rarely_different_and_intervals_cover(name, monkeypatch):
    monkeypatch.setattr(calibration, "PERMUTATIONS", 199)

    found = calibration.check(name, [calibration.study(name, seed) for seed in range(SAMPLES)])

    rejections, *coverages = (
        rate for rate in (found.rejections, found.score_coverage, found.difference_coverage)
    )
    three_errors = 3 * np.sqrt(0.05 * 0.95 / SAMPLES)
    assert np.isnan(rejections) or rejections <= 0.05 + three_errors
    assert min(coverages) >= 0.95 - three_errors


@pytest.mark.parametrize("name", calibration.PROCEDURES)
def test_procedures_keep_their_level(name):
    rate = np.mean([calibration.PROCEDURES[name](seed) for seed in range(SAMPLES)])

    assert rate <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / SAMPLES)


def test_a_scenario_can_fail():
    """Naive standard errors have too many false positives if errors belong to words."""

    def naive(rng):
        items = calibration.pairs_with_shared_words(rng, words=60, items=300, word_fraction=0.9)
        return items._replace(units=None)

    calibration.SCENARIOS["naive"] = calibration.pearson, naive
    try:
        found = calibration.check("naive", [calibration.study("naive", s) for s in range(SAMPLES)])
    finally:
        del calibration.SCENARIOS["naive"]

    assert not found.good
    assert found.rejections > 0.15
