"""Files of the matrix that maps mean contexts to vectors."""

from math import isqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.errors import BadData
from lexiscope.core.paths import is_file

_LARGEST = 1 << 30  # bytes


def is_map(path: str | Path) -> bool:
    """Whether a file is a matrix, by its extension."""
    return is_file(path) and Path(path).suffix in (".npy", ".bin")


def read(path: str | Path) -> NDArray[np.float64]:
    """Read a square matrix: NumPy's format, or float32 numbers row by row (.bin).

    The program of Khodak et al. writes the second.
    """
    path = Path(path)
    if path.stat().st_size > _LARGEST:
        raise BadData(f"{path}: is too large for a map ({path.stat().st_size:,} bytes).")
    try:
        if path.suffix == ".npy":
            return np.asarray(np.load(path, allow_pickle=False), np.float64)
        numbers = np.fromfile(path, "<f4")
    except (OSError, EOFError, ValueError, TypeError) as error:
        raise BadData(f"{path}: cannot be read as a matrix ({error}).") from None
    dimension = isqrt(len(numbers))
    if not len(numbers) or dimension**2 != len(numbers):
        raise BadData(f"{path}: has {len(numbers):,} numbers, which do not form a square matrix.")
    return numbers.reshape(dimension, dimension).astype(np.float64)
