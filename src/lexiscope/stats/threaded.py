"""Products of tall matrices on all cores, with the same bytes on any number of them.

Rows are cut into the same pieces whatever the number of threads, each piece is one thread's work,
and sums over pieces are added in their order.
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
from lexiscope.kernels.products import TILE, rows_times

Single = NDArray[np.float32]
Double = NDArray[np.float64]
T = TypeVar("T")

_ROWS = 4096
_PIECES = 64


class Rows(NamedTuple):
    """The arrays of a sparse matrix, as the kernel wants them."""

    starts: NDArray[np.int64]
    columns: NDArray[np.int32]
    values: Single


def rows_of(matrix: Sparse) -> Rows:
    """The rows of a sparse matrix, copied only where the type is another."""
    rows = matrix.tocsr()
    starts, columns = rows.indptr.astype(np.int64), rows.indices.astype(np.int32)
    return Rows(starts, columns, rows.data.astype(np.float32))


@contextmanager
def one_core_each() -> Iterator[None]:
    """While it lasts a matrix product takes one core: several run at once, each on its piece."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        yield


def times(rows: Rows, dense: Single) -> Single:
    """A sparse matrix times a dense one (columns, width)."""
    (height, width), last = dense.shape, len(rows.starts) - 1
    tiles = -(-width // TILE)
    padded = np.zeros((height, tiles * TILE), np.float32)
    padded[:, :width] = dense
    out = np.empty((last, tiles, TILE), np.float32)
    even = np.linspace(0, rows.starts[-1], _PIECES + 1).astype(np.int64)[1:-1]
    cuts = [0, *np.searchsorted(rows.starts, even).clip(0, last).tolist(), last]
    tiled = padded.reshape(height, tiles, TILE)
    _each(lambda cut: rows_times(*rows, tiled, *cut, out), list(pairwise(cuts)))
    return out.reshape(last, tiles * TILE)[:, :width]


def inner(basis: Single, tall: Single) -> Double:
    """basis (vectors, rows) times tall (rows, width), summed over pieces in double precision."""
    parts = _each(lambda cut: basis[:, cut] @ tall[cut], _cuts(len(tall)))
    return np.asarray(np.sum(parts, axis=0, dtype=np.float64))


def gram(tall: Single) -> Double:
    """The products of all columns of tall (rows, width), in double precision throughout."""

    def squared(cut: slice) -> Double:
        rows = tall[cut].astype(np.float64)
        return np.asarray(rows.T @ rows)

    return np.asarray(np.sum(_each(squared, _cuts(len(tall))), axis=0))


def turned(tall: Single, turn: Double) -> Single:
    """tall (rows, width) times a small matrix, by pieces."""
    single = turn.astype(np.float32)
    out = np.empty((len(tall), turn.shape[1]), np.float32)

    def fill(cut: slice) -> None:
        np.matmul(tall[cut], single, out=out[cut])

    _each(fill, _cuts(len(tall)))
    return out


def _cuts(rows: int) -> list[slice]:
    return [slice(start, min(start + _ROWS, rows)) for start in range(0, rows, _ROWS)]


def _each(work: Callable[[Any], T], pieces: list[Any]) -> list[T]:
    with ThreadPoolExecutor(threads()) as pool:
        return list(pool.map(work, pieces))
