import numpy as np
import pytest

from lexiscope.metrics.geometry import effective_dimension
from lexiscope.stats.subsampling import subsampling_interval


def test_the_spread_of_halves_is_that_of_the_whole():
    low, high = subsampling_interval(3.0, [1.0, 2.0, 3.0], 50, 100)

    assert (low, high) == pytest.approx((3 - 4.302653, 3 + 4.302653))


def test_small_subsamples_are_rescaled():
    wide = subsampling_interval(0.0, [1.0, 2.0, 3.0], 50, 100)
    narrow = subsampling_interval(0.0, [1.0, 2.0, 3.0], 50, 5_000)

    assert wide.high / narrow.high == pytest.approx(np.sqrt(4_950 / 50))


def test_intervals_of_the_effective_dimension_cover_that_of_other_words():
    # 100 samples of 300 words: the target is the mean over samples of this size.
    rng = np.random.default_rng(0)
    values, intervals = [], []
    for _ in range(100):
        vectors = rng.normal(size=(300, 5)) * [3, 2, 1, 1, 1]
        parts = [vectors[rng.choice(300, 150, replace=False)] for _ in range(20)]
        values.append(effective_dimension(vectors))
        found = list(map(effective_dimension, parts))
        intervals.append(subsampling_interval(values[-1], found, 150, 300))

    target = np.mean(values)
    assert np.mean([low <= target <= high for low, high in intervals]) >= 0.88
