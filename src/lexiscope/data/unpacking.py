"""Unpacking files, never more than an archive may hold."""

import bz2
import gzip
import io
import lzma
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any, BinaryIO

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, TooLarge

_RATIO = 200
_ALWAYS_FINE = 1 << 24  # 16 MB may come out of any archive
_STEP = 1 << 16  # bytes to unpack at once
_MOST = 64 << 30
_MOST_MEMBERS = 10_000
_LONGEST_LISTING = _MOST_MEMBERS << 8
# zipfile decodes names and checks versions while it lists, hence the last two.
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


def exists(path: str | Path) -> bool:
    """Whether something has this name; what cannot be a name has nothing."""
    try:
        return Path(path).exists()
    except OSError:  # too long, or in a folder that may not be looked into
        return False


def is_file(path: str | Path) -> bool:
    """Whether a file has this name; what cannot be a name has none."""
    return exists(path) and Path(path).is_file()


def is_folder(path: str | Path) -> bool:
    """Whether a folder has this name; what cannot be a name has none."""
    return exists(path) and Path(path).is_dir()


def decompressed(file: BinaryIO) -> Any | None:
    """The content of a .gz, .bz2 or .xz file; None for what is packed in no such way."""
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
    """What comes out of `inner`, until it is far more than went in from the packed file."""
    return io.BufferedReader(_Bounded(inner, packed, path), 1 << 20)


class _Bounded(io.RawIOBase):
    """A decompressing stream that stops when far more comes out than went in."""

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
                f"{self._path}: the compressed data is broken or cut off ({_said(problem)}). "
                "Fetch the file again."
            ) from None
        except MemoryError:
            raise TooLarge(
                f"{self._path}: unpacking asks for more memory than there is. "
                "If you trust it, unpack it yourself."
            ) from None
        self._out += len(chunk)
        self._check_ratio()
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def _check_ratio(self) -> None:
        went_in = self._packed.tell() - self._start
        if self._out > min(_MOST, max(_ALWAYS_FINE, _RATIO * went_in)):
            raise TooLarge(
                f"{self._path}: {self._out:,} bytes come out of {went_in:,}, more than an archive "
                "of text or vectors ever holds. If you trust it, unpack it yourself."
            )


def listed(path: str, file: BinaryIO) -> zipfile.ZipFile:
    """A zip archive whose list of members is not too long to be read."""
    _check_listing(path, file)
    try:
        return zipfile.ZipFile(file)
    except _BROKEN as problem:
        raise BadData(
            f"{path}: the zip archive is broken ({_said(problem)}). Fetch it again."
        ) from None


def entry(path: str, archive: zipfile.ZipFile, name: str) -> Any:
    """A member of an archive, opened; what comes out of it has no bound yet."""
    info = archive.getinfo(name)
    if info.flag_bits & 1:
        raise BadData(f"{path}: the member '{shown(name)}' is encrypted. Unpack it yourself.")
    # Python unpacks other methods without a bound on what comes out at once.
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise BadData(
            f"{path}: the member '{shown(name)}' is packed in a rare way (method "
            f"{info.compress_type}). Unpack it yourself."
        )
    try:
        return archive.open(info)
    except (*_BROKEN, RuntimeError) as problem:
        raise BadData(
            f"{path}: the zip archive is broken ({_said(problem)}). Fetch it again."
        ) from None


def member_of(path: str, archive: zipfile.ZipFile, file: BinaryIO, name: str) -> bytes:
    """The whole content of a member, as far as it does not burst."""
    return bounded(entry(path, archive, name), file, path).read()


def _check_listing(path: str, file: BinaryIO) -> None:
    """Look at the archive's last bytes, which say how long its list is, before it is read."""
    size = file.seek(0, io.SEEK_END)
    tail = min(size, 65_557 + 76)
    file.seek(size - tail)
    ending = file.read(tail)
    file.seek(0)
    at = ending.rfind(b"PK\x05\x06")
    if at < 0 or len(ending) < at + 22:
        raise BadData(f"{path}: the zip archive is cut off. Fetch it again.")
    members, length = struct.unpack_from("<HI", ending, at + 10)
    if at >= 76 and ending[at - 20 : at - 16] == b"PK\x06\x07":  # the numbers in 64 bits
        members, length = struct.unpack_from("<QQ", ending, at - 76 + 32)
    if members > _MOST_MEMBERS or length > _LONGEST_LISTING:
        raise TooLarge(
            f"{path}: holds more than {_MOST_MEMBERS:,} files. Unpack it and name what you want."
        )


def _said(problem: BaseException) -> str:
    return shown(str(problem), 80) or type(problem).__name__
