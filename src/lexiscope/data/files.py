"""Writing files so that nothing half-written ever stands under a final name."""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData

_BESIDE = ".checkpoint"  # the longest ending of what may be written beside a file


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file that takes its name only when it is whole and on disk."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        prefix = f".{path.name[:40]}."  # so that it is no longer than the name itself may be
        handle, temporary = tempfile.mkstemp(prefix=prefix, dir=path.parent)
    except OSError as problem:
        raise _refused(path, problem) from None
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
        raise _refused(path, problem) from None
    finally:
        with suppress(OSError):
            Path(temporary).unlink()


def check_name(path: Path) -> None:
    """Refuse a name that no file can have, or none beside it."""
    try:
        path.with_name(path.name + _BESIDE).lstat()
    except FileNotFoundError:
        pass  # as it should be
    except OSError as problem:
        raise _refused(path, problem) from None


def _refused(path: Path, problem: OSError) -> BadData:
    if problem.errno == errno.ENAMETOOLONG:
        return BadData(
            f"{shown(str(path))}: the name is too long for a file. Choose a shorter one."
        )
    return BadData(f"{path}: cannot be written ({problem.strerror}).")
