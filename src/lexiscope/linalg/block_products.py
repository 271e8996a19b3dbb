"""Products of queries with blocks of a vocabulary, for dense and for sparse vectors.

Queries for dense vectors are vectors (queries, dimensions). Queries for sparse vectors are weights
of words (queries, words), each a weighted sum of normalised vectors. The sum itself would be
nearly dense, so products are computed per word and then summed.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.vectors import Sparse, Vectors, row_lengths
from lexiscope.kernels.search.sparse_rows import block_products
from lexiscope.linalg.normalization import normalize_rows

Indices = NDArray[np.int64]
Matrix = NDArray[np.float32]
Multiply = Callable[[int, Matrix], Any]


def directions(vectors: Vectors, indices: Indices) -> Any:
    """Queries for single words: their normalised vectors."""
    if isinstance(vectors, np.ndarray):
        return normalize_rows(vectors[indices])
    return weight_queries(
        np.ones(len(indices)), indices, np.arange(len(indices) + 1), vectors.shape[0]
    )


def weight_queries(
    numbers: NDArray[Any], indices: Indices, starts: NDArray[Any], words: int
) -> Sparse:
    """Queries for sparse vectors in CSR format; the weights of repeated words are added."""
    from scipy.sparse import csr_array

    rows = csr_array((numbers.astype(np.float32), indices, starts), (len(starts) - 1, words))
    rows.sum_duplicates()
    return rows


def stack_queries(*parts: Any) -> Any:
    """Stack queries vertically."""
    if isinstance(parts[0], np.ndarray):
        return np.vstack(parts)
    from scipy.sparse import vstack

    return vstack(parts, format="csr")


def split_last_column(rows: Any) -> tuple[Any, Matrix]:
    """Rows without their last column, and that column as an array."""
    last = rows[:, -1:]
    return rows[:, :-1], last if isinstance(last, np.ndarray) else last.toarray()


def multiplier(vectors: Vectors, queries: Any, width: int) -> Multiply:
    """A function multiply(start, out) for products of queries with normalised vectors.

    It writes the products with the words from `start` on to `out` (queries, words of the block).
    Blocks have `width` words, except the last.
    """
    if not isinstance(vectors, np.ndarray):
        return _sparse_multiplier(vectors, queries)
    rows = np.ascontiguousarray(queries, np.float32)

    def multiply(start: int, out: Matrix) -> None:
        np.dot(rows, normalize_rows(vectors[start : start + width]).T, out=out)

    return multiply


def _sparse_multiplier(vectors: Sparse, queries: Sparse) -> Multiply:
    indices = np.unique(queries.indices)
    coefficients = queries[:, indices]
    lengths = row_lengths(vectors)
    scales = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    cosines_with = sparse_cosines(vectors, normalize_rows(vectors[indices]), scales)

    def multiply(start: int, out: Matrix) -> None:
        cosines = np.empty((len(indices), out.shape[1]), np.float32)
        cosines_with(start, cosines)
        np.copyto(out, coefficients @ cosines)

    return multiply


def sparse_cosines(vectors: Sparse, rows: Sparse, scales: NDArray[np.float32]) -> Multiply:
    """A function multiply(start, out) for cosines of rows with the words of a block.

    `rows` are normalised; `scales` (words,) are the reciprocal norms of the vectors.
    """
    transposed = rows.T.tocsr()
    by_column = transposed.data, transposed.indices, transposed.indptr

    def multiply(start: int, out: Matrix) -> None:
        end = start + out.shape[1]
        starts = vectors.indptr[start : end + 1]
        block_products(vectors.data, vectors.indices, starts, scales[start:end], *by_column, out)

    return multiply
