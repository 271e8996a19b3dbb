"""Rows of a table that are equal to another row."""

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.vectors import Vectors

_CHUNK = 1 << 14


def repeated_rows(vectors: Vectors) -> int:
    """Count the rows of a dense table that equal an earlier row; 0 for a sparse one.

    Rows are compared by a 64-bit hash of their bytes: among a million different rows, two have the
    same hash with a probability below 10^-7.

    Examples
    --------
    >>> repeated_rows(np.array([[1, 2], [3, 4], [1, 2], [1, 2]], np.float32))
    2
    """
    if not isinstance(vectors, np.ndarray):
        return 0
    factors = np.random.default_rng(0).integers(1, 1 << 63, vectors.shape[1], np.uint64) * 2 + 1
    parts = range(0, len(vectors), _CHUNK)
    hashes = [_hashes(vectors[start : start + _CHUNK], factors) for start in parts]
    return len(vectors) - len(np.unique(np.concatenate(hashes))) if hashes else 0


def _hashes(rows: NDArray[np.float32], factors: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A hash of each row that modulo arithmetic makes depend on every bit."""
    bits = np.ascontiguousarray(rows + np.float32(0), np.float32).view(np.uint32)  # -0 equals 0
    mixed = bits.astype(np.uint64) * factors
    mixed ^= mixed >> np.uint64(29)
    return np.asarray((mixed * factors[::-1]).sum(axis=1, dtype=np.uint64))
