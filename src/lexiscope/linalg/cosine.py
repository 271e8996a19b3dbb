"""Cosine similarity of pairs of rows, in double precision."""

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.vectors import Sparse, Vectors
from lexiscope.linalg.normalization import normalize_rows

_BATCH = 1024


def cosine(left: Vectors, right: Vectors) -> NDArray[np.float64]:
    """Cosine of each row of `left` with the same row of `right`; rows must not be zero."""
    if not isinstance(left, np.ndarray):
        return _sparse_cosine(left, right)
    left, right = left.astype(np.float64), right.astype(np.float64)
    return dots(normalize_rows(left), normalize_rows(right))


def dots(left: Vectors, right: Vectors) -> NDArray[np.float64]:
    """Dot product of each row of `left` with the same row of `right`."""
    if isinstance(left, np.ndarray):
        return np.asarray(np.einsum("ij,ij->i", left, right))
    return np.asarray(left.multiply(right).sum(axis=1))


def _sparse_cosine(left: Sparse, right: Sparse) -> NDArray[np.float64]:
    """Cosine of sparse rows in batches, because double precision takes twice the memory."""
    cosines = np.empty(left.shape[0])
    for start in range(0, len(cosines), _BATCH):
        batch = slice(start, start + _BATCH)
        cosines[batch] = dots(
            *(normalize_rows(rows[batch].astype(np.float64)) for rows in (left, right))
        )
    return cosines
