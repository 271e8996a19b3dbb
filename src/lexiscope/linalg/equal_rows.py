"""Rows that are equal: words that share a vector."""

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.vectors import Vectors

_BLOCK = 1 << 16  # rows that are compared at once


def equal_rows(vectors: Vectors) -> NDArray[np.int64]:
    """Return for each row the first row that is equal to it; rows of sparse vectors differ.

    Two columns, compared as integers, sort out nearly all rows; only the others are compared.

    >>> equal_rows(np.array([[1, 2, 3], [4, 5, 6], [1, 2, 3], [1, 2, 0]], np.float32)).tolist()
    [0, 1, 0, 3]
    """
    rows = np.arange(len(vectors) if isinstance(vectors, np.ndarray) else vectors.shape[0])
    if not isinstance(vectors, np.ndarray) or vectors.shape[1] < 2 or vectors.dtype != np.float32:
        return rows
    keys = np.ascontiguousarray(vectors[:, :2]).view(np.int64).ravel()
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    found = first[group]
    candidates = np.flatnonzero(found != rows)
    for start in range(0, len(candidates), _BLOCK):
        part = candidates[start : start + _BLOCK]
        differs = (vectors[part] != vectors[found[part]]).any(axis=1)
        found[part[differs]] = part[differs]
    return found
