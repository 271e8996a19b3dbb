"""Atomic writes: a file appears under its final name only when it is complete."""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.core.paths import exists, is_file, is_folder

_LONGEST_SUFFIX = ".checkpoint"  # of the files that are written next to a file


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a temporary file that replaces `path` once it is complete and on disk."""
    if exists(path) and not (is_file(path) or is_folder(path)):
        raise BadData(f"{path}: is a device or a pipe, which a file would replace. Name a file.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        prefix = f".{path.name[:40]}."  # a temporary name must not be too long either
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
    """Raise BadData if no file can have this name, or this name plus a suffix."""
    try:
        path.with_name(path.name + _LONGEST_SUFFIX).lstat()
    except FileNotFoundError:
        pass  # the name is valid
    except OSError as problem:
        raise _refused(path, problem) from None


def _refused(path: Path, problem: OSError) -> BadData:
    if problem.errno == errno.ENAMETOOLONG:
        return BadData(
            f"{shown(str(path))}: the name is too long for a file. Choose a shorter one."
        )
    return BadData(f"{path}: cannot be written ({problem.strerror}).")
