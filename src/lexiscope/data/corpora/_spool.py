"""Arrays that grow: in memory while they are small, then in an anonymous temporary file."""

import mmap
import weakref
from tempfile import SpooledTemporaryFile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.errors import TooLarge

IN_MEMORY = 32 << 20  # bytes


class Spool:
    """Numbers of one type, appended block by block; the file is deleted with the last array."""

    def __init__(self, dtype: type) -> None:
        self._dtype = dtype
        self._limit = IN_MEMORY
        self._file = SpooledTemporaryFile(self._limit)  # noqa: SIM115 - closed with the spool
        self._size = 0
        weakref.finalize(self, self._file.close)

    def append(self, numbers: NDArray[Any]) -> None:
        """Append numbers."""
        try:
            self._size += self._file.write(np.ascontiguousarray(numbers, self._dtype).data)
        except OSError as problem:
            raise TooLarge(
                f"A temporary file of {self._size:,} bytes cannot grow ({problem.strerror}). "
                "Free disk space, or set TMPDIR to another folder."
            ) from None

    def finished(self) -> NDArray[Any]:
        """Return all numbers, read-only; a large array is a memory map of the file."""
        with self._file as file:
            file.seek(0)
            if self._size <= self._limit:
                return np.frombuffer(file.read(), self._dtype)
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            return np.frombuffer(content, self._dtype)
