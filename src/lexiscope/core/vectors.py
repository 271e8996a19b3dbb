"""Tables of vectors, dense or sparse: what differs between the two is asked here.

A dense table is an array (words, dimensions); a sparse one is SciPy's csr_array, of which only the
numbers that are not zero are stored: the contexts of a count model would not fit into memory.
SciPy is imported where a sparse table is made, never because this file is.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lexiscope.core.errors import BadData, BadUsage

Sparse = Any  # scipy.sparse.csr_array, which has no types
Vectors = NDArray[np.float32] | Sparse

MOST_DIMENSIONS = 50_000_000  # of sparse vectors: one, written out, still fits into memory
_MOST_COPIED = 1 << 24  # numbers
_ROWS_AT_ONCE = 1 << 14
_MARKED = 8


def is_sparse(values: object) -> bool:
    """Whether these are numbers in one of SciPy's sparse formats."""
    return hasattr(values, "tocsr")


def table(values: ArrayLike | Sparse) -> Vectors:
    """The numbers as float32 that cannot be written, not copied where they are as they should be.

    Sparse ones come in rows, their columns rising, none of them zero.
    """
    if is_sparse(values):
        return _sparse_table(values)
    # A view: the caller's own array keeps its flags, ours cannot be written through.
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
    """A sparse table of these arrays, which are not copied; it cannot be written."""
    from scipy.sparse import csr_array

    end = int(starts[-1])
    # Both of one type, or SciPy would copy; 32 bits are all that many libraries take.
    kind = np.int32 if max(end, *shape) < 1 << 31 else np.int64
    places = (part.astype(kind, copy=False) for part in (columns[:end], starts))
    rows = csr_array((numbers[:end], *places), shape, copy=False)
    for name in ("data", "indices", "indptr"):
        part = getattr(rows, name).view()
        part.flags.writeable = False
        setattr(rows, name, part)
    return rows


def row_lengths(vectors: Vectors) -> NDArray[np.float32]:
    """The Euclidean length of each row."""
    if not isinstance(vectors, np.ndarray):
        return np.sqrt(row_squares(vectors)).astype(np.float32)
    lengths = np.empty(len(vectors), np.float32)
    for start in range(0, len(vectors), _ROWS_AT_ONCE):
        rows = vectors[start : start + _ROWS_AT_ONCE]
        lengths[start : start + _ROWS_AT_ONCE] = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return lengths


def row_squares(rows: Sparse) -> NDArray[np.float64]:
    """The sum of the squares in each sparse row."""
    squares = np.zeros(rows.shape[0])
    for start in range(0, rows.shape[0], _ROWS_AT_ONCE):
        starts = rows.indptr[start : start + _ROWS_AT_ONCE + 1]
        filled = np.flatnonzero(np.diff(starts))
        if len(filled):
            numbers = rows.data[starts[0] : starts[-1]].astype(np.float64)
            squares[start + filled] = np.add.reduceat(numbers**2, starts[filled] - starts[0])
    return squares


def mean_row(vectors: Vectors) -> NDArray[np.float64]:
    """The mean of all rows (dimensions,)."""
    if isinstance(vectors, np.ndarray):
        return np.asarray(vectors.mean(axis=0, dtype=np.float64))
    words, dimension = vectors.shape
    total: NDArray[np.float64] = np.zeros(dimension)
    for start in range(0, words, _ROWS_AT_ONCE):
        ends = vectors.indptr[[start, min(start + _ROWS_AT_ONCE, words)]]
        part = slice(*ends.tolist())
        total += np.bincount(vectors.indices[part], vectors.data[part], dimension)
    return np.asarray(total / words)


def one_row(vectors: Vectors, place: int) -> NDArray[np.float32]:
    """The numbers of a row, all of them (dimensions,)."""
    if isinstance(vectors, np.ndarray):
        return np.array(vectors[place])
    return np.asarray(vectors[[place]].toarray()[0])


def with_copies(vectors: Vectors, row: NDArray[np.float64], number: int) -> Vectors:
    """The table with a row behind it, `number` times; refused where a sparse one would swell."""
    last = row.astype(np.float32)
    if isinstance(vectors, np.ndarray):
        return np.vstack([vectors, np.tile(last, (number, 1))])
    from scipy.sparse import csr_array, vstack

    one = csr_array(last[None])
    if one.nnz * number > _MOST_COPIED:
        raise BadUsage(
            f"The mean of these sparse vectors has {one.nnz:,} numbers that are not zero: writing "
            f"it out for {number:,} unknown words takes too much memory. Leave their items out "
            "(skip) or count them as not answered (zero)."
        )
    return vstack([vectors, one[np.zeros(number, np.int64)]], format="csr")


def equal_rows(ours: Vectors, theirs: Vectors) -> bool:
    """Whether two tables of one kind hold the same numbers."""
    return ours.shape == theirs.shape and all(map(np.array_equal, content(ours), content(theirs)))


def content(vectors: Vectors) -> tuple[NDArray[Any], ...]:
    """The arrays that hold the numbers, of the same types whatever the size of the table."""
    if isinstance(vectors, np.ndarray):
        return (vectors,)
    columns = vectors.indices.astype(np.int32, copy=False)
    return vectors.data, columns, vectors.indptr.astype(np.int64, copy=False)


def marks(vectors: Vectors) -> Iterator[NDArray[Any]]:
    """A few numbers of each row, one kind after the other: rows that differ in one differ."""
    if isinstance(vectors, np.ndarray):
        yield from vectors.T[:_MARKED]
        return
    sizes = np.diff(vectors.indptr)
    yield sizes
    if not vectors.nnz:
        return
    # An empty row shows a number of its neighbour, which is as good as any: its size is 0.
    for places in (vectors.indptr[:-1], vectors.indptr[1:] - 1):
        inside = places.clip(0, vectors.nnz - 1)
        yield np.where(sizes > 0, vectors.indices[inside], 0)
        yield np.where(sizes > 0, vectors.data[inside], 0)


def row_bytes(vectors: Vectors, place: int) -> bytes:
    """A row as bytes: equal rows, equal bytes."""
    if isinstance(vectors, np.ndarray):
        return np.asarray(vectors[place]).tobytes()
    part = slice(*vectors.indptr[place : place + 2].tolist())
    return b"".join(each[part].tobytes() for each in (vectors.indices, vectors.data))


def different_rows(vectors: Vectors) -> int:
    """How many rows there are, equal ones counted once."""
    if isinstance(vectors, np.ndarray):
        return len(np.unique(vectors, axis=0))
    return len({row_bytes(vectors, place) for place in range(vectors.shape[0])})
