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
                "of vectors ever holds. If you trust it, unpack it yourself."
            )


@contextmanager
def opened(source: str) -> Iterator[Source]:
    """The content of a file, decompressed where needed; `path.zip#member` picks a member."""
    path, _, member = (source, "", "") if exists(source) else source.partition("#")
    _check_place(path)
    try:
        file = Path(path).open("rb")  # noqa: SIM115 - closed below
    except OSError as problem:
        raise BadData(f"{path}: cannot be opened ({problem.strerror}).") from None
    with file:
        inner = _unpacked(path, file, member)
        plain = inner is file
        stream = file if plain else io.BufferedReader(_Bounded(inner, file, path), 1 << 20)
        head = stream.read(HEAD)
        # Archives may lie about what they hold: only a plain file's size is sure.
        size = Path(path).stat().st_size if plain else None
        yield Source(source, stream, head, size)


def exists(path: str) -> bool:
    """Whether something has this name; what cannot be a name has nothing."""
    try:
        return Path(path).exists()
    except OSError:  # too long, or in a folder that may not be looked into
        return False


def _check_place(path: str) -> None:
    if not exists(path):
        raise BadData(
            f"{shown(path, 300)}: there is no such file. "
            "A catalogue name would do too: see 'data list'."
        )
    if Path(path).is_dir():
        raise BadData(f"{path}: is a folder, a vector file is needed.")
    if not Path(path).is_file():
        raise BadData(f"{path}: is a device or a pipe, a vector file is needed.")


def _unpacked(path: str, file: BinaryIO, member: str) -> Any:
    magic = file.read(10)
    file.seek(0)
    if magic[:2] == b"\x1f\x8b":
        return gzip.GzipFile(fileobj=file)
    if magic[:3] == b"BZh" and magic[4:] in (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90"):
        return bz2.BZ2File(file)
    if magic[:6] == b"\xfd7zXZ\0":
        return lzma.LZMAFile(file)
    if magic[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return _one_member(path, file, member)
    if member:
        raise BadData(f"{path}: is no zip archive, so it has no member '{shown(member)}'.")
    return file


def _one_member(path: str, file: BinaryIO, wanted: str) -> Any:
    archive = listed(path, file)
    names = [info.filename for info in archive.infolist() if not info.is_dir()]
    if any(name.endswith(".pkl") for name in names):
        raise UnsafeFormat(
            f"{path}: holds pickled objects (a PyTorch file?), which can run code when opened. "
            "Save the matrix as .npz or .safetensors in the program that made it."
        )
    if names and all(name.endswith(".npy") for name in names):
        file.seek(0)
        return file  # an .npz: its reader wants the archive itself
    return _entry(path, archive, _chosen(path, names, wanted))


def _chosen(path: str, names: list[str], wanted: str) -> str:
    if wanted and wanted not in names:
        raise BadData(f"{path}: has no member '{shown(wanted)}'. It holds: {_some(names)}.")
    if wanted or len(names) == 1:
        return wanted or names[0]
    raise BadData(
        f"{path}: holds {len(names)} files, one was expected: {_some(names)}. "
        f"Pick one with '{path}#NAME'."
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


def _entry(path: str, archive: zipfile.ZipFile, name: str) -> Any:
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
    inner = _entry(path, archive, name)
    return io.BufferedReader(_Bounded(inner, file, path), 1 << 20).read()


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
        raise TooLarge(f"{path}: holds more than {_MOST_MEMBERS:,} files. Unpack the one you want.")


def _said(problem: BaseException) -> str:
    return shown(str(problem), 80) or type(problem).__name__


def _some(names: list[str]) -> str:
    listing = ", ".join(shown(name) for name in names[:8])
    return listing + (", ..." if len(names) > 8 else "") if names else "nothing"
