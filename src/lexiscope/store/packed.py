"""Numbers and JSON as columns of a store; reading refuses what lexiscope does not write."""

import json
import zlib
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MOST = 1 << 27  # bytes: a column that lexiscope writes is much smaller


def packed(values: NDArray[Any], kind: str) -> bytes:
    """Numbers of a type, compressed."""
    return zlib.compress(values.astype(kind).tobytes())


def unpacked(content: Any, kind: str, numbers: int | None = None) -> NDArray[Any]:
    """The numbers; raises ValueError if they are not as many, or need too much memory."""
    if not isinstance(content, bytes):
        raise ValueError("numbers are missing")
    size = None if numbers is None else numbers * np.dtype(kind).itemsize
    most = _MOST if size is None else size
    if not 0 <= most <= _MOST:
        raise ValueError(f"a table of {most:,} bytes")
    found = _decompressed(content, most)
    if size is not None and len(found) != size:
        raise ValueError(f"{len(found):,} bytes of numbers, expected {size:,}")
    return np.frombuffer(found, kind)


def _decompressed(content: bytes, most: int) -> bytes:
    stream = zlib.decompressobj()
    try:
        found = stream.decompress(content, most + 1)
    except zlib.error as problem:
        raise ValueError(f"damaged numbers: {problem}") from None
    if len(found) > most or not stream.eof or stream.unused_data:
        raise ValueError("more or fewer numbers than expected")
    return found


def object_of(text: Any) -> dict[str, Any]:
    """An object in JSON; raises ValueError for other values and for nested brackets without end."""
    try:
        found = json.loads(text)
    except (RecursionError, TypeError) as problem:
        raise ValueError(str(problem)) from None
    if not isinstance(found, dict):
        raise ValueError(f"expected an object, found {str(text)[:40]}")
    return found


def check_finite(*numbers: float | None) -> None:
    """Raise ValueError for numbers that no computation gives; None is an unknown number."""
    for number in numbers:
        if number is not None and not isfinite(number):
            raise ValueError(f"the number {number}")
