"""Files as they were packed: read as if plain, and the members of packages one by one."""

import hashlib
import io
import lzma
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import BinaryIO, NamedTuple

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, TooLarge
from lexiscope.data.unpacking import bounded, decompressed, is_zip, listed, member_of

_STEP = 1 << 20
_LARGEST_MEMBER = 1 << 26
_BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError, tarfile.TarError)


class Member(NamedTuple):
    """A file inside a package: its name and what it holds."""

    name: str
    content: bytes


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The content of a file, unpacked where it is packed (.gz, .bz2, .xz)."""
    with _told(path), path.open("rb") as file:
        inner = decompressed(file)
        yield file if inner is None else bounded(inner, file, str(path))


def is_gzip(path: Path) -> bool:
    """Whether a file begins as gzip's do."""
    with path.open("rb") as file:
        return file.read(2) == b"\x1f\x8b"


def unpacked_size(path: Path) -> int:
    """How long the content of a gzip file is by its last four bytes (RFC 1952); 0 of others."""
    with path.open("rb") as file:
        file.seek(max(path.stat().st_size - 4, 0))
        ending = file.read(4)
    return int.from_bytes(ending, "little") if is_gzip(path) else 0


def unpacked_sha256(path: Path, size: int) -> str:
    """The SHA-256 of what is packed in a file, looking little further than a size."""
    digest, seen = hashlib.sha256(), 0
    with opened(path) as stream:
        while seen <= size and (piece := stream.read(_STEP)):
            seen += len(piece)
            digest.update(piece)
    return digest.hexdigest()


def members(path: Path, pattern: str) -> Iterator[Member]:
    """The files in a .zip, .tgz or .deb whose names fit the pattern, in the archive's order."""
    with _told(path), path.open("rb") as file:
        if is_zip(file):
            yield from _of_zip(path, file, pattern)
        else:
            yield from _of_tar(path, _tar(path, file), pattern)


def _of_zip(path: Path, file: BinaryIO, pattern: str) -> Iterator[Member]:
    archive = listed(str(path), file)
    for about in archive.infolist():
        if fnmatchcase(about.filename, pattern) and not about.is_dir():
            _check_size(path, about.filename, about.file_size)
            yield Member(about.filename, member_of(str(path), archive, file, about.filename))


def _of_tar(path: Path, file: BinaryIO, pattern: str) -> Iterator[Member]:
    with _untarred(file) as archive:
        for about in archive:
            stream = archive.extractfile(about) if about.isfile() else None
            if stream is not None and fnmatchcase(about.name, pattern):
                _check_size(path, about.name, about.size)
                yield Member(about.name, stream.read())


def _untarred(file: BinaryIO) -> tarfile.TarFile:
    try:
        return tarfile.open(fileobj=file, mode="r|*")
    except TypeError:  # which tarfile lets out when the head of a gzip file is cut off
        raise tarfile.ReadError("cut off") from None


_AR = b"!<arch>\n"


def _tar(path: Path, file: BinaryIO) -> BinaryIO:
    """The file, a Debian package wound on to the tar in it that holds the files (deb(5))."""
    if file.read(len(_AR)) != _AR:
        file.seek(0)
        return file
    while len(header := file.read(60)) == 60:
        if header.startswith(b"data.tar"):
            return file
        size = int(header[48:58]) if header[48:58].strip().isdigit() else 0
        file.seek(size + size % 2, io.SEEK_CUR)
    raise BadData(f"{path}: is no Debian package with files in it. Fetch it again.")


def _check_size(path: Path, name: str, size: int) -> None:
    if size > _LARGEST_MEMBER:
        raise TooLarge(
            f"{path}: '{shown(name)}' in it has {size:,} bytes, more than the "
            f"{_LARGEST_MEMBER:,} that a text may have. Unpack it yourself."
        )


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise BadData(f"{path}: there is no such file.") from None
    except _BROKEN as problem:
        said = shown(str(problem), 80) or type(problem).__name__
        raise BadData(f"{path}: cannot be read or is broken ({said}). Fetch it again.") from None
