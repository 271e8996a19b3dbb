"""Tables of vectors, dense or sparse: operations that differ between the two.

A dense table is an array of shape (words, dimensions). A sparse one is SciPy's csr_array, which
stores the non-zero numbers only: the vectors of a count model would not fit into memory.
SciPy is imported only when a sparse table is used.
"""

import os
import tempfile
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.machine import memory

Sparse = Any  # scipy.sparse.csr_array, which has no type annotations
Vectors = NDArray[np.float32] | Sparse

MOST_DIMENSIONS = 50_000_000  # of sparse vectors: one dense row still fits into memory
_MOST_COPIED = 1 << 24  # numbers
_MOST_IN_MEMORY = 1 << 30  # bytes of a copy
_ROWS_AT_ONCE = 1 << 14
_SAMPLED_COLUMNS = 8


def is_sparse(values: object) -> bool:
    """Whether these are numbers in a SciPy sparse format."""
    return hasattr(values, "tocsr")


def new_table(shape: tuple[int, int], dtype: Any = np.float32) -> NDArray[Any]:
    """Return an array to be filled; a large one is mapped from an anonymous temporary file.

    It is large from 1 GB on, or from an eighth of the memory limit.
    """
    size = shape[0] * shape[1] * np.dtype(dtype).itemsize
    if size <= min(_MOST_IN_MEMORY, memory() // 8):
        return np.empty(shape, dtype)
    with tempfile.TemporaryFile() as file:
        try:
            _reserve(file.fileno(), size)
        except OSError as problem:
            raise BadUsage(
                f"A table of {size:,} bytes does not fit into {tempfile.gettempdir()} "
                f"({problem.strerror}): set TMPDIR to a folder with more space."
            ) from None
        return np.asarray(np.memmap(file, dtype, "r+", shape=shape))


def _reserve(descriptor: int, size: int) -> None:
    # A mapped file that cannot grow would end the process.
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(descriptor, 0, size)
    else:
        os.truncate(descriptor, size)


def take_rows(vectors: Vectors, indices: NDArray[np.int64]) -> Vectors:
    """Return the rows with these indices, in this order."""
    if not isinstance(vectors, np.ndarray):
        return vectors[indices]
    taken = new_table((len(indices), vectors.shape[1]))
    for start in range(0, len(indices), _ROWS_AT_ONCE):
        some = slice(start, start + _ROWS_AT_ONCE)
        taken[some] = vectors[indices[some]]
    return taken


def table(values: ArrayLike | Sparse) -> Vectors:
    """Return the numbers as a read-only float32 table, without a copy if possible.

    A sparse table becomes a csr_array with sorted columns and without stored zeros.
    """
    if is_sparse(values):
        return _sparse_table(values)
    # A view, so that the caller's array stays writeable.
    rows: NDArray[np.float32] = np.ascontiguousarray(values, np.float32).view()
    rows.flags.writeable = False
    return rows


def _sparse_table(values: Sparse) -> Sparse:
    from scipy.sparse import csr_array

    if values.ndim != 2:
        raise BadData(f"Vectors must form a table (words, dimensions), found {values.ndim}-d.")
    if values.shape[1] > MOST_DIMENSIONS:
        raise BadData(
            f"Found {values.shape[1]:,} dimensions; sparse vectors have {MOST_DIMENSIONS:,} at "
            "most. Leave out words or contexts."
        )
    rows = csr_array(values)
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    rows = rows.astype(np.float32, copy=False)
    if np.count_nonzero(rows.data[: rows.nnz]) < rows.nnz:
        rows = rows.copy()
        rows.eliminate_zeros()
    return sparse_rows(rows.data, rows.indices, rows.indptr, rows.shape)


def sparse_rows(
    numbers: NDArray[Any], columns: NDArray[Any], starts: NDArray[Any], shape: tuple[int, int]
) -> Sparse:
    """Return a read-only sparse table of these arrays, which are not copied."""
    from scipy.sparse import csr_array

    end = int(starts[-1])
    # Of the same type, or SciPy would copy; many libraries accept 32 bits only.
    kind = np.int32 if max(end, *shape) < 1 << 31 else np.int64
    indices = (part.astype(kind, copy=False) for part in (columns[:end], starts))
    rows = csr_array((numbers[:end], *indices), shape, copy=False)
    for name in ("data", "indices", "indptr"):
        part = getattr(rows, name).view()
        part.flags.writeable = False
        setattr(rows, name, part)
    return rows


def row_lengths(vectors: Vectors) -> NDArray[np.float32]:
    """Return the Euclidean norm of each row."""
    if not isinstance(vectors, np.ndarray):
        return np.sqrt(row_squares(vectors)).astype(np.float32)
    lengths = np.empty(len(vectors), np.float32)
    for start in range(0, len(vectors), _ROWS_AT_ONCE):
        rows = vectors[start : start + _ROWS_AT_ONCE]
        lengths[start : start + _ROWS_AT_ONCE] = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return lengths


def row_squares(rows: Sparse) -> NDArray[np.float64]:
    """Return the sum of squares of each sparse row."""
    squares = np.zeros(rows.shape[0])
    for start in range(0, rows.shape[0], _ROWS_AT_ONCE):
        starts = rows.indptr[start : start + _ROWS_AT_ONCE + 1]
        filled = np.flatnonzero(np.diff(starts))
        if len(filled):
            numbers = rows.data[starts[0] : starts[-1]].astype(np.float64)
            squares[start + filled] = np.add.reduceat(numbers**2, starts[filled] - starts[0])
    return squares


def mean_row(vectors: Vectors) -> NDArray[np.float64]:
    """Return the mean of all rows, shape (dimensions,)."""
    if isinstance(vectors, np.ndarray):
        return np.asarray(vectors.mean(axis=0, dtype=np.float64))
    words, dimension = vectors.shape
    total: NDArray[np.float64] = np.zeros(dimension)
    for start in range(0, words, _ROWS_AT_ONCE):
        ends = vectors.indptr[[start, min(start + _ROWS_AT_ONCE, words)]]
        part = slice(*ends.tolist())
        total += np.bincount(vectors.indices[part], vectors.data[part], dimension)
    return np.asarray(total / words)


def one_row(vectors: Vectors, index: int) -> NDArray[np.float32]:
    """Return a row as a dense array, shape (dimensions,)."""
    if isinstance(vectors, np.ndarray):
        return np.array(vectors[index])
    return np.asarray(vectors[[index]].toarray()[0])


def with_copies(vectors: Vectors, row: NDArray[np.float64], number: int) -> Vectors:
    """Return the table with `number` copies of a row added; refused if it gets too large."""
    last = row.astype(np.float32)
    if isinstance(vectors, np.ndarray):
        longer = new_table((len(vectors) + number, vectors.shape[1]))
        for start in range(0, len(vectors), _ROWS_AT_ONCE):
            rows = vectors[start : start + _ROWS_AT_ONCE]
            longer[start : start + len(rows)] = rows
        longer[len(vectors) :] = last
        return longer
    from scipy.sparse import csr_array, vstack

    one = csr_array(last[None])
    if one.nnz * number > _MOST_COPIED:
        raise BadUsage(
            f"The mean of these sparse vectors has {one.nnz:,} non-zero numbers, and a copy for "
            f"each of {number:,} OOV words takes too much memory. Leave their items out "
            "(oov='skip') or give them an empty prediction (oov='zero')."
        )
    return vstack([vectors, one[np.zeros(number, np.int64)]], format="csr")


def equal_rows(ours: Vectors, theirs: Vectors) -> bool:
    """Whether two dense or two sparse tables contain the same numbers."""
    return ours.shape == theirs.shape and all(map(np.array_equal, content(ours), content(theirs)))


def content(vectors: Vectors) -> tuple[NDArray[Any], ...]:
    """Return the arrays of a table, with types that do not depend on its size."""
    if isinstance(vectors, np.ndarray):
        return (vectors,)
    columns = vectors.indices.astype(np.int32, copy=False)
    return vectors.data, columns, vectors.indptr.astype(np.int64, copy=False)


def row_signatures(vectors: Vectors) -> Iterator[NDArray[Any]]:
    """Yield a few numbers of every row, as columns; rows that differ in one are different."""
    if isinstance(vectors, np.ndarray):
        yield from vectors.T[:_SAMPLED_COLUMNS]
        return
    sizes = np.diff(vectors.indptr)
    yield sizes
    if not vectors.nnz:
        return
    # The numbers of an empty row are set to 0; its size is 0 too.
    for positions in (vectors.indptr[:-1], vectors.indptr[1:] - 1):
        inside = positions.clip(0, vectors.nnz - 1)
        yield np.where(sizes > 0, vectors.indices[inside], 0)
        yield np.where(sizes > 0, vectors.data[inside], 0)


def row_bytes(vectors: Vectors, index: int) -> bytes:
    """Return a row as bytes; equal rows have equal bytes."""
    if isinstance(vectors, np.ndarray):
        return np.asarray(vectors[index]).tobytes()
    part = slice(*vectors.indptr[index : index + 2].tolist())
    return b"".join(each[part].tobytes() for each in (vectors.indices, vectors.data))


def count_distinct_rows(vectors: Vectors) -> int:
    """Return the number of distinct rows."""
    if isinstance(vectors, np.ndarray):
        return len(np.unique(vectors, axis=0))
    return len({row_bytes(vectors, index) for index in range(vectors.shape[0])})
