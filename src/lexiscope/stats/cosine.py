"""Cosine, where cosine is meant: whatever the lengths, in double precision for single pairs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.vectors import Sparse, Vectors, row_squares

_ROWS_AT_ONCE = 1024


def cosine(left: Vectors, right: Vectors) -> NDArray[np.float64]:
    """The cosine of each row of `left` with the same row of `right`; no row may be zero."""
    if not isinstance(left, np.ndarray):
        return _sparse_cosine(left, right)
    left, right = left.astype(np.float64), right.astype(np.float64)
    return dots(unit(left), unit(right))


def unit(rows: Vectors) -> Any:
    """Rows of length 1, of the same kind; no row may be zero."""
    if not isinstance(rows, np.ndarray):
        return _sparse_unit(rows)
    lengths: NDArray[Any] = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return np.asarray(rows / lengths[:, None])


def dots(left: Vectors, right: Vectors) -> NDArray[np.float64]:
    """The product of each row of `left` with the same row of `right`."""
    if isinstance(left, np.ndarray):
        return np.asarray(np.einsum("ij,ij->i", left, right))
    return np.asarray(left.multiply(right).sum(axis=1))


def _sparse_cosine(left: Sparse, right: Sparse) -> NDArray[np.float64]:
    """As `cosine`, some rows after the other: double precision would take twice the memory."""
    cosines = np.empty(left.shape[0])
    for start in range(0, len(cosines), _ROWS_AT_ONCE):
        some = slice(start, start + _ROWS_AT_ONCE)
        cosines[some] = dots(*(unit(rows[some].astype(np.float64)) for rows in (left, right)))
    return cosines


def _sparse_unit(rows: Sparse) -> Sparse:
    from scipy.sparse import csr_array

    lengths = np.repeat(np.sqrt(row_squares(rows)), np.diff(rows.indptr))
    numbers = (rows.data / lengths).astype(rows.dtype)
    return csr_array((numbers, rows.indices, rows.indptr), rows.shape)
