"""Cosine, where cosine is meant: whatever the lengths, in double precision for single pairs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def cosine(left: NDArray[Any], right: NDArray[Any]) -> NDArray[np.float64]:
    """The cosine of each row of `left` with the same row of `right`; no row may be zero."""
    left, right = left.astype(np.float64), right.astype(np.float64)
    cosines: NDArray[np.float64] = np.einsum("ij,ij->i", unit(left), unit(right))
    return cosines


def unit(rows: NDArray[Any]) -> NDArray[Any]:
    """Rows of length 1; no row may be zero."""
    lengths: NDArray[Any] = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return np.asarray(rows / lengths[:, None])
