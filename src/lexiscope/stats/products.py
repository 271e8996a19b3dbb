"""Products of what is asked with blocks of a vocabulary, for dense and for sparse vectors.

With dense vectors, what is asked are rows of numbers (asked, dimensions). With sparse ones it is
weights of words (asked, words), and a row stands for the weighted sum of those words' directions.
The sum itself would soon be dense; the products are summed instead, which is the same.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.vectors import Sparse, Vectors, row_lengths
from lexiscope.kernels.sparse import block_products
from lexiscope.stats.cosine import unit

Places = NDArray[np.int64]
Matrix = NDArray[np.float32]
Multiply = Callable[[int, Matrix], Any]


def directions(vectors: Vectors, places: Places) -> Any:
    """What is asked with single words: their vectors of length 1."""
    if isinstance(vectors, np.ndarray):
        return unit(vectors[places])
    return weights(np.ones(len(places)), places, np.arange(len(places) + 1), vectors.shape[0])


def weights(numbers: NDArray[Any], places: Places, starts: NDArray[Any], words: int) -> Sparse:
    """Rows of weights of words, row r from starts[r] on; a word that stands twice weighs both."""
    from scipy.sparse import csr_array

    rows = csr_array((numbers.astype(np.float32), places, starts), (len(starts) - 1, words))
    rows.sum_duplicates()
    return rows


def stacked(*parts: Any) -> Any:
    """All that is asked, one part under the other."""
    if isinstance(parts[0], np.ndarray):
        return np.vstack(parts)
    from scipy.sparse import vstack

    return vstack(parts, format="csr")


def without_last(rows: Any) -> tuple[Any, Matrix]:
    """Rows without their last column, and that column by itself, as an array."""
    last = rows[:, -1:]
    return rows[:, :-1], last if isinstance(last, np.ndarray) else last.toarray()


def multiplier(vectors: Vectors, asked: Any, width: int) -> Multiply:
    """A function of the first word of a block that fills (asked, words of the block) with products.

    The words of the block are taken as of length 1; a block has `width` words, the last one less.
    """
    if not isinstance(vectors, np.ndarray):
        return _sparse_multiplier(vectors, asked)
    rows = np.ascontiguousarray(asked, np.float32)

    def multiply(start: int, out: Matrix) -> None:
        np.dot(rows, unit(vectors[start : start + width]).T, out=out)

    return multiply


def _sparse_multiplier(vectors: Sparse, asked: Sparse) -> Multiply:
    places = np.unique(asked.indices)
    mixed = asked[:, places]
    lengths = row_lengths(vectors)
    scales = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    cosines_with = sparse_cosines(vectors, unit(vectors[places]), scales)

    def multiply(start: int, out: Matrix) -> None:
        cosines = np.empty((len(places), out.shape[1]), np.float32)
        cosines_with(start, cosines)
        np.copyto(out, mixed @ cosines)

    return multiply


def sparse_cosines(vectors: Sparse, rows: Sparse, scales: NDArray[np.float32]) -> Multiply:
    """A function of the first word of a block that fills (rows, words) with their cosines.

    `rows` are of length 1; `scales` (words,) make vectors that long.
    """
    turned = rows.T.tocsr()
    by_column = turned.data, turned.indices, turned.indptr

    def multiply(start: int, out: Matrix) -> None:
        end = start + out.shape[1]
        starts = vectors.indptr[start : end + 1]
        block_products(vectors.data, vectors.indices, starts, scales[start:end], *by_column, out)

    return multiply
