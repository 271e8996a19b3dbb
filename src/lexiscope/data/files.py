"""Writing files so that nothing half-written ever stands under a final name."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from lexiscope.core.errors import BadData


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file that takes its name only when it is whole and on disk."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as problem:
        raise BadData(f"{path}: cannot be written ({problem.strerror}).") from None
    try:
        os.close(handle)
        with Path(temporary).open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(path)
    except OSError as problem:
        raise BadData(f"{path}: cannot be written ({problem.strerror}).") from None
    finally:
        with suppress(OSError):
            Path(temporary).unlink()
