"""Opening files: plain or compressed, one named member of an archive, never more than allowed."""

import bz2
import gzip
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, TooLarge, UnsafeFormat
from lexiscope.data.vectors._reading import HEAD, Source

_RATIO = 200
_ALWAYS_FINE = 1 << 26  # 64 MB may come out of any archive
_MOST = 64 << 30
_MOST_MEMBERS = 10_000
_BROKEN = (EOFError, OSError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, struct.error)


class _Bounded(io.RawIOBase):
    """A decompressing stream that stops when far more comes out than went in."""

    def __init__(self, inner: Any, path: str, packed: int) -> None:
        self._inner = inner
        self._path = path
        self._left = min(_MOST, max(_ALWAYS_FINE, _RATIO * packed))
        self._allowed = self._left

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            chunk = self._inner.read(min(len(buffer), 1 << 20))
        except _BROKEN as problem:
            raise BadData(
                f"{self._path}: the compressed data is broken or cut off ({problem}). "
                "Fetch the file again."
            ) from None
        self._left -= len(chunk)
        if self._left < 0:
            raise TooLarge(
                f"{self._path}: more than {self._allowed:,} bytes come out of this archive, "
                f"over {_RATIO} times what is in it. If you trust it, unpack it yourself."
            )
        buffer[: len(chunk)] = chunk
        return len(chunk)


@contextmanager
def opened(source: str) -> Iterator[Source]:
    """The content of a file, decompressed where needed; `path.zip#member` picks a member."""
    path, _, member = (source, "", "") if Path(source).exists() else source.partition("#")
    place = Path(path)
    if not place.exists():
        raise BadData(f"{path}: there is no such file. A catalogue name would do too: see 'data list'.")
    if place.is_dir():
        raise BadData(f"{path}: is a folder, a vector file is needed.")
    try:
        file = place.open("rb")
    except OSError as problem:
        raise BadData(f"{path}: cannot be opened ({problem.strerror}).") from None
    with file:
        size = place.stat().st_size
        inner = _unpacked(path, file, size, member)
        plain = inner is file
        stream = file if plain else io.BufferedReader(_Bounded(inner, path, size), 1 << 20)
        head = stream.read(HEAD)
        # Archives may lie about what they hold: only a plain file's size is sure.
        yield Source(source, stream, head, size if plain else None)  # type: ignore[arg-type]


def _unpacked(path: str, file: BinaryIO, size: int, member: str) -> Any:
    magic = file.read(6)
    file.seek(0)
    if magic[:2] == b"\x1f\x8b":
        return gzip.GzipFile(fileobj=file)
    if magic[:3] == b"BZh":
        return bz2.BZ2File(file)
    if magic == b"\xfd7zXZ\0":
        return lzma.LZMAFile(file)
    if magic[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return _member(path, file, size, member)
    if member:
        raise BadData(f"{path}: is no zip archive, so it has no member '{shown(member)}'.")
    return file


def _member(path: str, file: BinaryIO, size: int, wanted: str) -> Any:
    _few_members(path, file, size)
    try:
        archive = zipfile.ZipFile(file)
    except _BROKEN as problem:
        raise BadData(f"{path}: the zip archive is broken ({problem}). Fetch it again.") from None
    names = [info.filename for info in archive.infolist() if not info.is_dir()]
    if any(name.endswith(".pkl") for name in names):
        raise UnsafeFormat(
            f"{path}: holds pickled objects (a PyTorch file?), which can run code when opened. "
            "Save the matrix as .npz or .safetensors in the program that made it."
        )
    if names and all(name.endswith(".npy") for name in names):
        file.seek(0)
        return file  # an .npz: its reader wants the archive itself
    if wanted:
        if wanted not in names:
            raise BadData(f"{path}: has no member '{shown(wanted)}'. It holds: {_some(names)}.")
        names = [wanted]
    if len(names) != 1:
        raise BadData(
            f"{path}: holds {len(names)} files, one was expected: {_some(names)}. "
            f"Pick one with '{path}#NAME'."
        )
    info = archive.getinfo(names[0])
    if info.flag_bits & 1:
        raise BadData(f"{path}: the member '{shown(names[0])}' is encrypted. Unpack it yourself.")
    try:
        return archive.open(info)
    except (*_BROKEN, NotImplementedError) as problem:
        raise BadData(f"{path}: the zip archive is broken ({problem}). Fetch it again.") from None


def _few_members(path: str, file: BinaryIO, size: int) -> None:
    """Read the number of members from the archive's last bytes, before listing them."""
    tail = min(size, 65_557)
    file.seek(size - tail)
    ending = file.read(tail)
    file.seek(0)
    at = ending.rfind(b"PK\x05\x06")
    if at < 0 or len(ending) < at + 12:
        raise BadData(f"{path}: the zip archive is cut off. Fetch it again.")
    members = struct.unpack_from("<H", ending, at + 10)[0]
    if members > _MOST_MEMBERS or b"PK\x06\x06" in ending[:at]:
        raise TooLarge(f"{path}: holds more than {_MOST_MEMBERS:,} files. Unpack the one you want.")


def _some(names: list[str]) -> str:
    listed = ", ".join(shown(name) for name in names[:8])
    return listed + (", ..." if len(names) > 8 else "") if names else "nothing"
