"""Decompression with limits, as a protection against decompression bombs."""

import bz2
import gzip
import io
import lzma
import struct
import zipfile
import zlib
from typing import Any, BinaryIO

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, TooLarge

_RATIO = 200
_ALWAYS_ALLOWED = 1 << 24  # bytes of content, whatever the compression ratio
_STEP = 1 << 16  # bytes to decompress at once
_MOST = 64 << 30
_MOST_MEMBERS = 10_000
_LONGEST_LISTING = _MOST_MEMBERS << 8
# zipfile decodes names and checks versions while it lists members, hence the last two.
_BROKEN = (
    EOFError,
    OSError,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
    struct.error,
    NotImplementedError,
    ValueError,
)


def decompressed(file: BinaryIO) -> Any | None:
    """Return the decompressed stream of a .gz, .bz2 or .xz file; None for other files."""
    magic = _magic(file)
    if magic[:2] == b"\x1f\x8b":
        return gzip.GzipFile(fileobj=file)
    if magic[:3] == b"BZh" and magic[4:] in (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90"):
        return bz2.BZ2File(file)
    if magic[:6] == b"\xfd7zXZ\0":
        return lzma.LZMAFile(file)
    return None


def is_zip(file: BinaryIO) -> bool:
    """Whether a file is a zip archive."""
    return _magic(file)[:4] in (b"PK\x03\x04", b"PK\x05\x06")


def _magic(file: BinaryIO) -> bytes:
    magic = file.read(10)
    file.seek(0)
    return magic


def bounded(inner: Any, packed: BinaryIO, path: str) -> io.BufferedReader:
    """Return the stream `inner`, which raises TooLarge beyond a plausible compression ratio."""
    return io.BufferedReader(_Bounded(inner, packed, path), 1 << 20)


class _Bounded(io.RawIOBase):
    """A decompressing stream with a limit on the compression ratio."""

    def __init__(self, inner: Any, packed: BinaryIO, path: str) -> None:
        self._inner = inner
        self._packed = packed
        self._start = packed.tell()
        self._path = path
        self._out = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            chunk = self._inner.read(min(len(buffer), _STEP))
        except _BROKEN as problem:
            raise BadData(
                f"{self._path}: the compressed data is broken or truncated ({_reason(problem)}). "
                "Download the file again."
            ) from None
        except MemoryError:
            raise TooLarge(
                f"{self._path}: decompression needs more memory than there is. "
                "If you trust it, unpack it yourself."
            ) from None
        self._out += len(chunk)
        self._check_ratio()
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def _check_ratio(self) -> None:
        consumed = self._packed.tell() - self._start
        if self._out > min(_MOST, max(_ALWAYS_ALLOWED, _RATIO * consumed)):
            raise TooLarge(
                f"{self._path}: {self._out:,} bytes from {consumed:,} compressed bytes, a ratio "
                "that no text or vector file has. If you trust it, unpack it yourself."
            )


def listed(path: str, file: BinaryIO) -> zipfile.ZipFile:
    """Open a zip archive after checking that its list of members has a plausible length."""
    _check_listing(path, file)
    try:
        return zipfile.ZipFile(file)
    except _BROKEN as problem:
        raise BadData(
            f"{path}: the zip archive is broken ({_reason(problem)}). Download it again."
        ) from None


def entry(path: str, archive: zipfile.ZipFile, name: str) -> Any:
    """Open a member of an archive, without a limit on its size."""
    info = archive.getinfo(name)
    if info.flag_bits & 1:
        raise BadData(f"{path}: the member '{shown(name)}' is encrypted. Unpack it yourself.")
    # Python decompresses other methods without a limit on the output of one call.
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise BadData(
            f"{path}: the member '{shown(name)}' uses a rare compression (method "
            f"{info.compress_type}). Unpack it yourself."
        )
    try:
        return archive.open(info)
    except (*_BROKEN, RuntimeError) as problem:
        raise BadData(
            f"{path}: the zip archive is broken ({_reason(problem)}). Download it again."
        ) from None


def member_of(path: str, archive: zipfile.ZipFile, file: BinaryIO, name: str) -> bytes:
    """Return the whole content of a member, within the limits."""
    return bounded(entry(path, archive, name), file, path).read()


def _check_listing(path: str, file: BinaryIO) -> None:
    """Read the length of the member list from the end of the archive, before the list is read."""
    size = file.seek(0, io.SEEK_END)
    tail = min(size, 65_557 + 76)
    file.seek(size - tail)
    ending = file.read(tail)
    file.seek(0)
    at = ending.rfind(b"PK\x05\x06")
    if at < 0 or len(ending) < at + 22:
        raise BadData(f"{path}: the zip archive is truncated. Download it again.")
    members, length = struct.unpack_from("<HI", ending, at + 10)
    if at >= 76 and ending[at - 20 : at - 16] == b"PK\x06\x07":  # zip64
        members, length = struct.unpack_from("<QQ", ending, at - 76 + 32)
    if members > _MOST_MEMBERS or length > _LONGEST_LISTING:
        raise TooLarge(
            f"{path}: holds more than {_MOST_MEMBERS:,} files. Unpack it and "
            "name the file that you want."
        )


def _reason(problem: BaseException) -> str:
    return shown(str(problem), 80) or type(problem).__name__
