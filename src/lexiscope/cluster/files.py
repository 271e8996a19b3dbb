"""Files on the machines of the workers: seen by everyone, or received part by part.

The functions with an `address` are dask tasks for the worker at this address.
"""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lexiscope.core.errors import LexiscopeError

Stamp = tuple[int, int, int]


@dataclass(frozen=True)
class SharedFile:
    """Content that workers need: its key, size, and the file of the sender if there is one.

    The stamp of the file (size, time of modification, inode) shows whether a worker sees the same
    file under the same path.
    """

    key: str
    size: int
    path: str = ""
    stamp: Stamp = (0, 0, 0)


class NotHere(Exception):  # noqa: N818 - not an error: the file is sent then
    """A worker needs a file that it has not received yet."""

    def __init__(self, file: SharedFile, address: str) -> None:
        super().__init__(file, address)
        self.file, self.address = file, address


class Moved(Exception):  # noqa: N818
    """A task for the files of one worker runs on another one, because the first has ended."""


def shared_file(path: str | Path) -> SharedFile:
    """A file of this machine, to be sent to workers that do not see it."""
    absolute = os.path.abspath(path)  # noqa: PTH100 - the name, not the target of a link
    stamp = _stamp(absolute)
    key = hashlib.sha256(f"{absolute}\0{stamp}".encode("utf-8", "surrogatepass")).hexdigest()
    return SharedFile(key[:32], stamp[0], absolute, stamp)


def path_of(file: SharedFile) -> str:
    """The path of a file on this machine; raises `NotHere` on a worker that does not have it."""
    if file.path and is_visible(file):
        return file.path
    received = _folder() / file.key
    if not received.exists() and not _link_from_neighbour(received):
        raise NotHere(file, address())
    return str(received)


def is_visible(file: SharedFile) -> bool:
    """Whether this machine has the same file under the same path."""
    try:
        return _stamp(file.path) == file.stamp
    except OSError:
        return False


def _stamp(path: str) -> Stamp:
    with Path(path).open("rb") as opened:  # a file that cannot be read is of no use
        found = os.fstat(opened.fileno())
    return found.st_size, found.st_mtime_ns, found.st_ino


def address() -> str:
    """The address of this worker."""
    return str(_worker().address)


def _worker() -> Any:
    try:
        from distributed import get_worker

        return get_worker()
    except (ImportError, ValueError):
        raise LexiscopeError(
            "A file has changed while it was used. Run the command again."
        ) from None


def _folder() -> Path:
    """The folder of received files; dask removes it with the worker."""
    folder = Path(_worker().local_directory) / "lexiscope"
    folder.mkdir(exist_ok=True)
    return folder


def _link_from_neighbour(target: Path) -> bool:
    """Share the file of another worker of this machine, on disk and in the page cache."""
    for found in target.parents[2].glob(f"*/lexiscope/{target.name}"):
        try:
            os.link(found, target)
        except FileExistsError:
            return True
        except OSError:
            continue
        return True
    return False


def begin(file: SharedFile, transfer: str, address: str) -> bool:
    """Reserve the space for a file; returns whether it has arrived in another way."""
    target = _target(file, address)
    if target.exists() or _link_from_neighbour(target):
        return True
    try:
        with target.with_suffix(f".{transfer}").open("xb") as created:
            _reserve(created.fileno(), file.size)
    except OSError as problem:
        target.with_suffix(f".{transfer}").unlink(missing_ok=True)
        raise LexiscopeError(
            f"The worker {address} cannot store {file.size:,} bytes in {target.parent} "
            f"({problem.strerror}). Start it with another --local-directory."
        ) from None
    return False


def _reserve(descriptor: int, size: int) -> None:
    if size and hasattr(os, "posix_fallocate"):
        os.posix_fallocate(descriptor, 0, size)
    else:
        os.truncate(descriptor, size)


def receive(file: SharedFile, transfer: str, address: str, offset: int, data: bytes) -> None:
    """Write a part of a file."""
    with _target(file, address).with_suffix(f".{transfer}").open("r+b") as opened:
        opened.seek(offset)
        opened.write(data)


def finish(file: SharedFile, transfer: str, address: str) -> None:
    """Give a complete file its name."""
    target = _target(file, address)
    target.with_suffix(f".{transfer}").replace(target)


def read_part(file: SharedFile, address: str, offset: int, size: int) -> bytes:
    """A part of a file that a worker has received."""
    with _target(file, address).open("rb") as opened:
        opened.seek(offset)
        return opened.read(size)


def remove(keys: list[str], dask_worker: Any) -> None:
    """Remove received files from a worker; those who have mapped them keep them."""
    for key in keys:
        (Path(dask_worker.local_directory) / "lexiscope" / key).unlink(missing_ok=True)


def _target(file: SharedFile, expected: str) -> Path:
    if address() != expected:
        raise Moved(expected)
    return _folder() / file.key
