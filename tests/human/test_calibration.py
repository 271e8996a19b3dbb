"""The calibration of docs/studies/statistics.md in small: few studies, fixed seeds."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from numpy.random import default_rng

PATH = Path(__file__).parents[2] / "benchmarks" / "calibration_studies.py"


@pytest.fixture(scope="module")
def calibration():
    spec = importlib.util.spec_from_file_location("calibration_studies", PATH)
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_equal_embeddings_are_rejected_rarely_and_intervals_cover(calibration):
    scenario = calibration.Scenario(queries=20, items_per_judge=20, in_all=7)
    expected = calibration.Truth(*(np.full(6, each.mean()) for each in calibration._large(
        calibration.Scenario(queries=20), default_rng(0))))  # fmt: skip
    studies = [calibration.analysed(scenario, expected, default_rng(k)) for k in range(25)]

    assert np.mean([each.p < 0.05 for each in studies]) <= 0.09
    assert np.mean([each.holm.min() < 0.05 for each in studies]) <= 0.2  # 5 %, 4 standard errors
    for part in ("scores", "differences", "abilities"):
        assert np.mean([getattr(each, part) for each in studies]) >= 0.88


def test_the_order_of_known_preferences_is_found(calibration):
    scenario = calibration.Scenario(quality=calibration.DIFFERENT)
    nothing = calibration.Truth(np.zeros(6), np.zeros(6))

    assert all(calibration.analysed(scenario, nothing, default_rng(k)).ordered for k in range(3))
