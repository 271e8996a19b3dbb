"""Tables of vectors as the kernels want them: rows padded with zeros, aligned to the cache."""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.kernels.lanes import LANES

Table = NDArray[np.float32]

_LINE = 64  # bytes of a line of the processor's cache


def width_of(dimension: int) -> int:
    """How long a padded row is."""
    return int(-(-dimension // LANES) * LANES)


def rows(count: int, width: int) -> Table:
    """Rows of zeros that begin at a line of the processor's cache."""
    size = count * width
    raw = np.zeros(size + _LINE // 4, np.float32)
    first = -raw.ctypes.data // 4 % (_LINE // 4)
    return raw[first : first + size].reshape(count, width)


def drawn(count: int, dimension: int, rng: Generator, slots: int = 1) -> Table:
    """Rows of `slots` padded vectors of small random numbers, from -1 to 1 over the dimension."""
    width = width_of(dimension)
    table = rows(count, slots * width)
    numbers = rng.random((count, slots, dimension), np.float32) * 2 - 1
    table.reshape(count, slots, width)[:, :, :dimension] = numbers / dimension
    return table


def unpadded(table: Table, dimension: int) -> Table:
    """A table without the zeros that fill its vectors up."""
    slots = table.reshape(len(table), -1, width_of(dimension))
    return slots[:, :, :dimension].reshape(len(table), -1)
