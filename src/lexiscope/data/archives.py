"""Decompression with limits, as a protection against decompression bombs."""

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, TooLarge

_RATIO = 200
_ALWAYS_ALLOWED = 1 << 24  # bytes of content, whatever the compression ratio
_STEP = 1 << 16  # bytes to decompress at once
_MOST = 64 << 30
_MOST_MEMBERS = 10_000
_LONGEST_LISTING = _MOST_MEMBERS << 8
_LONGEST_HEADER = 1 << 20  # bytes, of a member of a tar archive
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
    start = file.tell()
    magic = file.read(10)
    file.seek(start)
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
        _check_limits(self._path, self._out, consumed)


def _check_limits(path: str, content: int, packed: int) -> None:
    if content > min(_MOST, max(_ALWAYS_ALLOWED, _RATIO * packed)):
        raise TooLarge(
            f"{path}: {content:,} bytes from {packed:,} compressed bytes, a ratio "
            "that no text or vector file has. If you trust it, unpack it yourself."
        )


class Archive(zipfile.ZipFile):
    """A zip archive with limits on the content of all members that are read, together."""

    def __init__(self, path: str, file: BinaryIO, size: int) -> None:
        super().__init__(file)
        self._path = path
        self._size = size
        self._content = 0
        self._packed = 0

    def opened(self, info: zipfile.ZipInfo) -> "_Counted":
        """Open a member, which counts towards the limits."""
        # Members may overlap, but all of them together are not longer than the file.
        self._packed = min(self._size, self._packed + info.compress_size)
        return _Counted(self.open(info), self.count)

    def count(self, content: int) -> None:
        """Count bytes of content."""
        self._content += content
        _check_limits(self._path, self._content, self._packed)


class _Counted:
    """The content of a member."""

    def __init__(self, inner: Any, count: Callable[[int], None]) -> None:
        self._inner = inner
        self._count = count

    def read(self, size: int) -> bytes:
        content: bytes = self._inner.read(size)
        self._count(len(content))
        return content


def listed(path: str, file: BinaryIO) -> Archive:
    """Open a zip archive after checking that its list of members has a plausible length."""
    size = _check_listing(path, file)
    try:
        archive = Archive(path, file, size)
    except _BROKEN as problem:
        raise BadData(
            f"{path}: the zip archive is broken ({_reason(problem)}). Download it again."
        ) from None
    if not all(archive.namelist()):  # Python ends a name at its first NUL
        raise BadData(f"{path}: the zip archive has a member without a name. Download it again.")
    return archive


def entry(path: str, archive: Archive, name: str) -> Any:
    """Open a member of an archive, within the limits of the whole archive."""
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
        return archive.opened(info)
    except (*_BROKEN, RuntimeError) as problem:
        raise BadData(
            f"{path}: the zip archive is broken ({_reason(problem)}). Download it again."
        ) from None


def member_of(path: str, archive: Archive, file: BinaryIO, name: str) -> bytes:
    """Return the whole content of a member, within the limits."""
    return bounded(entry(path, archive, name), file, path).read()


def tar_archive(stream: BinaryIO) -> tarfile.TarFile:
    """Open a tar archive that is not compressed, or not any more, to be read once in its order."""
    return tarfile.open(fileobj=stream, mode="r|", tarinfo=_Member)


def tar_members(path: str, stream: BinaryIO) -> Iterator[tuple[str, BinaryIO]]:
    """Yield the name and the content of each file of a tar archive; links are left out.

    The archive is read once from a stream, so a content must be read before the next one.
    """
    try:
        archive = tar_archive(stream)
        for number, member in enumerate(archive):
            if number >= _MOST_MEMBERS:
                raise TooLarge(f"{path}: holds more than {_MOST_MEMBERS:,} files. Unpack it.")
            content = archive.extractfile(member) if member.isreg() else None
            if content is not None:
                yield member.name, content  # type: ignore[misc]
    except (tarfile.TarError, *_BROKEN) as problem:
        raise BadData(
            f"{path}: the tar archive is broken ({_reason(problem)}). Download it again."
        ) from None


class _Member(tarfile.TarInfo):
    """A member whose long name or extended header is bounded, because it is read into memory."""

    _HEADERS = frozenset(
        (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE,
         tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
    )  # fmt: skip

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        if self.type in self._HEADERS and self.size > _LONGEST_HEADER:
            raise tarfile.ReadError(f"a header of {self.size:,} bytes")
        return super()._proc_member(archive)  # type: ignore[misc,no-any-return]


def _check_listing(path: str, file: BinaryIO) -> int:
    """Read the length of the member list from the end of the archive, before the list is read.

    Returns the size of the archive.
    """
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
    return size


def _reason(problem: BaseException) -> str:
    return shown(str(problem), 80) or type(problem).__name__
