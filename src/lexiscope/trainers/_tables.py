"""Parameter tables for the kernels: padded rows, aligned to cache lines; divergence errors."""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.trainer import State
from lexiscope.core.errors import BadUsage
from lexiscope.kernels.simd.lanes import LANES

Table = NDArray[np.float32]

_CACHE_LINE = 64  # bytes
_ROWS = 256  # of a table: the vectors of the most frequent words diverge first


def padded_width(dimension: int) -> int:
    """The length of a padded row."""
    return int(-(-dimension // LANES) * LANES)


def zero_rows(count: int, width: int) -> Table:
    """Rows of zeros; the first one begins at a cache line."""
    size = count * width
    raw = np.zeros(size + _CACHE_LINE // 4, np.float32)
    first = -raw.ctypes.data // 4 % (_CACHE_LINE // 4)
    return raw[first : first + size].reshape(count, width)


def random_rows(count: int, dimension: int, rng: Generator, slots: int = 1) -> Table:
    """Rows of `slots` padded vectors, uniform from -1 / dimension to 1 / dimension."""
    width = padded_width(dimension)
    table = zero_rows(count, slots * width)
    numbers = rng.random((count, slots, dimension), np.float32) * 2 - 1
    table.reshape(count, slots, width)[:, :, :dimension] = numbers / dimension
    return table


def unpadded(table: Table, dimension: int) -> Table:
    """A table without the padding of its vectors."""
    slots = table.reshape(len(table), -1, padded_width(dimension))
    return slots[:, :, :dimension].reshape(len(table), -1)


def check_finite(vectors: Table, learning_rate: float) -> Table:
    """Return the vectors; an error if a number is infinite or NaN."""
    if not np.isfinite(vectors).all():
        raise BadUsage(
            "The training diverged: vectors are no longer finite. Use a learning_rate lower than "
            f"{learning_rate:g}."
        )
    return vectors


def check_first_rows(tables: State, learning_rate: float) -> None:
    """Raise an error if the training diverged; only the first rows of each table are checked."""
    for table in tables.values():
        check_finite(table[:_ROWS], learning_rate)
