"""Compressed files read as if plain, and the members of packages one by one."""

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
from lexiscope.data.archives import bounded, decompressed, is_zip, listed, member_of, tar_archive

_STEP = 1 << 20
_LARGEST_MEMBER = 1 << 26
_BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError, tarfile.TarError)


class Member(NamedTuple):
    """A file in an archive: its name and its content."""

    name: str
    content: bytes


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file and decompress it if it is compressed (.gz, .bz2, .xz)."""
    with _explained(path), path.open("rb") as file:
        inner = decompressed(file)
        yield file if inner is None else bounded(inner, file, str(path))


def is_gzip(path: Path) -> bool:
    """Whether a file has the magic number of gzip."""
    with path.open("rb") as file:
        return file.read(2) == b"\x1f\x8b"


def unpacked_size(path: Path) -> int:
    """Return the content size in the last four bytes of a gzip file (RFC 1952); 0 for others."""
    with path.open("rb") as file:
        file.seek(max(path.stat().st_size - 4, 0))
        ending = file.read(4)
    return int.from_bytes(ending, "little") if is_gzip(path) else 0


def unpacked_sha256(path: Path, size: int) -> str:
    """Return the SHA-256 of the content of a compressed file; stop soon after `size` bytes."""
    digest, seen = hashlib.sha256(), 0
    with opened(path) as stream:
        while seen <= size and (piece := stream.read(_STEP)):
            seen += len(piece)
            digest.update(piece)
    return digest.hexdigest()


def members(path: Path, pattern: str) -> Iterator[Member]:
    """Yield the files in a .zip, .tgz or .deb whose names match, in the archive's order."""
    with _explained(path), path.open("rb") as file:
        if is_zip(file):
            yield from _zip_members(path, file, pattern)
        else:
            yield from _tar_members(path, _tar(path, file), pattern)


def _zip_members(path: Path, file: BinaryIO, pattern: str) -> Iterator[Member]:
    archive = listed(str(path), file)
    for about in archive.infolist():
        if fnmatchcase(about.filename, pattern) and not about.is_dir():
            _check_size(path, about.filename, about.file_size)
            yield Member(about.filename, member_of(str(path), archive, file, about.filename))


def _tar_members(path: Path, file: BinaryIO, pattern: str) -> Iterator[Member]:
    inner = decompressed(file)
    stream = file if inner is None else bounded(inner, file, str(path))
    with tar_archive(stream) as archive:
        for about in archive:
            content = archive.extractfile(about) if about.isfile() else None
            if content is not None and fnmatchcase(about.name, pattern):
                _check_size(path, about.name, about.size)
                yield Member(about.name, content.read())


_AR = b"!<arch>\n"


def _tar(path: Path, file: BinaryIO) -> BinaryIO:
    """The file; a Debian package is positioned at the inner tar archive with the files (deb(5))."""
    if file.read(len(_AR)) != _AR:
        file.seek(0)
        return file
    while len(header := file.read(60)) == 60:
        if header.startswith(b"data.tar"):
            return file
        size = int(header[48:58]) if header[48:58].strip().isdigit() else 0
        file.seek(size + size % 2, io.SEEK_CUR)
    raise BadData(f"{path}: is not a Debian package with files in it. Download it again.")


def _check_size(path: Path, name: str, size: int) -> None:
    if size > _LARGEST_MEMBER:
        raise TooLarge(
            f"{path}: the member '{shown(name)}' has {size:,} bytes, more than the limit of "
            f"{_LARGEST_MEMBER:,} for a text. Unpack it yourself."
        )


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise BadData(f"{path}: there is no such file.") from None
    except _BROKEN as problem:
        reason = shown(str(problem), 80) or type(problem).__name__
        raise BadData(
            f"{path}: cannot be read or is broken ({reason}). Download it again."
        ) from None
