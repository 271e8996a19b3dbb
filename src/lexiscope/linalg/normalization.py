"""L2 normalisation of the rows of dense and sparse matrices."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.vectors import Sparse, Vectors, row_squares


def normalize_rows(rows: Vectors, norms: NDArray[Any] | None = None) -> Any:
    """Rows divided by their Euclidean norms, of the same type; zero rows stay zero.

    Dense results equal those of `sklearn.preprocessing.normalize` bit for bit. Sparse ones differ
    from it in the last bits, because scikit-learn sums in another order; results must not change,
    so both are normalised here. `norms` (rows,) replaces the norms of dense rows, for callers
    whose results depend on the order of summation of `numpy.linalg.norm`.
    """
    if not isinstance(rows, np.ndarray):
        return _normalize_sparse(rows)
    if norms is None:
        norms = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return np.asarray(rows / np.where(norms == 0, norms.dtype.type(1), norms)[:, None])


def _normalize_sparse(rows: Sparse) -> Sparse:
    from scipy.sparse import csr_array

    norms = np.repeat(np.sqrt(row_squares(rows)), np.diff(rows.indptr))
    numbers = (rows.data / norms).astype(rows.dtype)
    return csr_array((numbers, rows.indices, rows.indptr), rows.shape)
