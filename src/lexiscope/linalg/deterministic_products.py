"""Multithreaded products of tall matrices, bit-identical for any number of threads.

Rows are divided into chunks independently of the number of threads, each chunk is computed by one
thread, and sums over chunks are added in order.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.machine import threads
from lexiscope.core.vectors import Sparse
from lexiscope.kernels.sparse_products import TILE, rows_times

Single = NDArray[np.float32]
Double = NDArray[np.float64]
T = TypeVar("T")

_CHUNK_ROWS = 4096  # of a dense matrix
_SPARSE_CHUNKS = 64


class Rows(NamedTuple):
    """Arrays of a CSR matrix, in the types that the kernel expects."""

    starts: NDArray[np.int64]
    columns: NDArray[np.int32]
    values: Single


def csr_rows(matrix: Sparse) -> Rows:
    """Arrays of a sparse matrix, converted to the kernel's types."""
    rows = matrix.tocsr()
    starts, columns = rows.indptr.astype(np.int64), rows.indices.astype(np.int32)
    return Rows(starts, columns, rows.data.astype(np.float32))


@contextmanager
def single_threaded_blas() -> Iterator[None]:
    """Limit BLAS to one thread, while several products run in parallel."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        yield


def sparse_times(rows: Rows, dense: Single) -> Single:
    """Product of a sparse matrix and a dense one (columns, width)."""
    (height, width), last = dense.shape, len(rows.starts) - 1
    tiles = -(-width // TILE)
    padded = np.zeros((height, tiles * TILE), np.float32)
    padded[:, :width] = dense
    out = np.empty((last, tiles, TILE), np.float32)
    even = np.linspace(0, rows.starts[-1], _SPARSE_CHUNKS + 1).astype(np.int64)[1:-1]
    bounds = [0, *np.searchsorted(rows.starts, even).clip(0, last).tolist(), last]
    tiled = padded.reshape(height, tiles, TILE)
    _map_chunks(lambda chunk: rows_times(*rows, tiled, *chunk, out), list(pairwise(bounds)))
    return out.reshape(last, tiles * TILE)[:, :width]


def inner(basis: Single, tall: Single) -> Double:
    """basis (vectors, rows) times tall (rows, width), summed over chunks in double precision."""
    products = _map_chunks(lambda chunk: basis[:, chunk] @ tall[chunk], _chunks(len(tall)))
    return np.asarray(np.sum(products, axis=0, dtype=np.float64))


def gram(tall: Single) -> Double:
    """Gram matrix of the columns of tall (rows, width), in double precision."""

    def squared(chunk: slice) -> Double:
        rows = tall[chunk].astype(np.float64)
        return np.asarray(rows.T @ rows)

    return np.asarray(np.sum(_map_chunks(squared, _chunks(len(tall))), axis=0))


def sum_over_chunks(work: Callable[[slice], Double], rows: int) -> Double:
    """Sum of work(chunk) over chunks of rows, added in order; few results are in memory."""
    with single_threaded_blas(), ThreadPoolExecutor(threads()) as pool:
        return np.asarray(sum(pool.map(work, _chunks(rows))))


def map_over_chunks(work: Callable[[slice], T], rows: int) -> list[T]:
    """The results of work(chunk) for all chunks of rows, in order."""
    with single_threaded_blas():
        return _map_chunks(work, _chunks(rows))


def dense_times(tall: Single, factor: Double) -> Single:
    """tall (rows, width) times a small matrix (width, columns), by chunks."""
    single = factor.astype(np.float32)
    out = np.empty((len(tall), factor.shape[1]), np.float32)

    def fill(chunk: slice) -> None:
        np.matmul(tall[chunk], single, out=out[chunk])

    _map_chunks(fill, _chunks(len(tall)))
    return out


def _chunks(rows: int) -> list[slice]:
    return [slice(start, min(start + _CHUNK_ROWS, rows)) for start in range(0, rows, _CHUNK_ROWS)]


def _map_chunks(work: Callable[[Any], T], chunks: list[Any]) -> list[T]:
    with ThreadPoolExecutor(threads()) as pool:
        return list(pool.map(work, chunks))
