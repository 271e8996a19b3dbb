"""Mostly zero tables, for tests that compare sparse vectors with dense ones."""

import numpy as np


def sparse_table(words, dimension=40, seed=0, density=0.2, empty=(), equal=()):
    """A mostly zero dense table without zero rows, except those given.

    `empty` are zero rows; `equal` are pairs of rows, of which the second is a copy of the first.
    """
    rng = np.random.default_rng(seed)
    rows = rng.gamma(2, size=(words, dimension)) * (rng.random((words, dimension)) < density)
    rows[np.arange(words), rng.integers(0, dimension, words)] += 0.5
    rows[list(empty)] = 0
    for first, second in equal:
        rows[second] = rows[first]
    return rows.astype(np.float32)
