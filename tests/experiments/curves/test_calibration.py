"""A small, seeded version of benchmarks/calibration_curves.py."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

PATH = Path(__file__).parents[3] / "benchmarks" / "calibration_curves.py"
spec = importlib.util.spec_from_file_location("calibration_curves", PATH)
calibration = importlib.util.module_from_spec(spec)
sys.modules.setdefault("calibration_curves", calibration)
spec.loader.exec_module(calibration)

STUDIES = 60


@pytest.mark.parametrize("name", ["120 words, 20 dimensions", "400 pairs, ridge regression"])
def test_equal_embeddings_are_rarely_different_and_bands_cover(name):
    simulate = calibration.SCENARIOS[name]

    found = calibration.calibration([calibration.study(simulate, n) for n in range(STUDIES)])

    three_errors = 3 * np.sqrt(0.05 * 0.95 / STUDIES)
    assert found.rejections <= 0.05 + three_errors
    assert min(found.area, *found.band, found.ratio) >= 0.95 - three_errors
