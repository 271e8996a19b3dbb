"""Readers of NumPy files: .npy with a separate word list, and .npz with the words inside."""

import io
import math
import re
import warnings
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, TooLarge, UnsafeFormat
from lexiscope.core.paths import is_file
from lexiscope.data.archives import listed, member_of
from lexiscope.data.vectors.columns import from_columns
from lexiscope.data.vectors.formats.files import opened
from lexiscope.data.vectors.formats.stream import Settings, Source

_LISTS = (".words", ".words.txt", ".vocab", ".vocab.txt", ".txt")
_LARGEST_LIST = 1 << 30
_ENDINGS = re.compile(r"(\.npy)?(\.(gz|bz2|xz|zip))?$", re.I)


class _Header(NamedTuple):
    """The header of an .npy file, and the offset of its data."""

    shape: tuple[int, ...]
    order: Any
    dtype: np.dtype[Any]
    start: int


def read_npy(source: Source, settings: Settings) -> Embedding:
    """Read the table of an .npy file and the words of its word list."""
    path = source.path
    table = _table(path, source)
    if table.ndim != 2:
        raise BadData(f"{path}: expected a table (words, dimensions), found {table.ndim} axes.")
    words = _word_list(path)
    if len(words) != len(table):
        raise BadData(
            f"{path}: {len(table):,} vectors, but its word list has {len(words):,} words."
        )
    return _limited(path, words, table, settings)


def read_npz(source: Source, settings: Settings) -> Embedding:
    """Read the table and the list of words of an .npz file."""
    path = source.path
    arrays = _members(source)
    tables = [value for value in arrays.values() if value.ndim == 2]
    lists = [value for value in arrays.values() if value.ndim == 1 and value.dtype.kind in "US"]
    if len(tables) != 1 or len(lists) != 1:
        found = [f"{shown(name)} {value.shape} {value.dtype}" for name, value in arrays.items()]
        raise BadData(
            f"{path}: expected one table of vectors and one list of words, found "
            f"{', '.join(found[:8]) or 'nothing'}."
        )
    table, words = tables[0], _texts(lists[0])
    if len(words) != len(table):
        raise BadData(f"{path}: {len(table):,} vectors, but {len(words):,} words.")
    return _limited(path, words, table, settings)


def array_in(path: str) -> NDArray[Any]:
    """Return the array of an .npy file, or the only array of an .npz file."""
    with opened(path) as source:
        if source.head[:4] != b"PK\x03\x04":
            return _table(path, source)
        (found, *others) = _members(source).values()
    if others:
        raise BadData(f"{path}: expected one array, found {1 + len(others)}.")
    return found


def _texts(words: NDArray[Any]) -> list[str]:
    found = words.tolist()
    # Bytes that are not UTF-8 are reported later, with their row.
    return [w.decode("utf-8", "surrogateescape") if isinstance(w, bytes) else w for w in found]


def _limited(path: str, words: list[str], table: NDArray[Any], settings: Settings) -> Embedding:
    number = len(words) if settings.limit is None else settings.limit
    return from_columns("", words[:number], table[:number], path, settings.on_error)


def _table(path: str, source: Source) -> NDArray[Any]:
    if source.size is None:
        return _array(path, source.everything())
    header = _header(path, source.head)
    _check_size(path, header, source.size)
    return np.memmap(path, header.dtype, "r", header.start, header.shape, header.order)


def _array(path: str, content: bytes) -> NDArray[Any]:
    header = _header(path, content)
    _check_size(path, header, len(content))
    return np.ndarray(header.shape, header.dtype, content, header.start, order=header.order)


def _header(path: str, content: bytes) -> _Header:
    stream = io.BytesIO(content)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # old header versions are accepted
            version = npy.read_magic(stream)
            reader = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
            shape, by_column, dtype = reader(stream)
    except Exception as problem:  # NumPy evaluates the header: a hostile one can raise anything
        raise BadData(
            f"{path}: the .npy header is broken ({shown(str(problem), 80)}). Write it again with "
            "np.save."
        ) from None
    if dtype.hasobject:
        raise UnsafeFormat(
            f"{path}: contains pickled objects, which can run code when opened. "
            "Save numbers as float32 and words as np.array(words, dtype=str)."
        )
    return _Header(shape, "F" if by_column else "C", dtype, stream.tell())


def _check_size(path: str, header: _Header, size: int) -> None:
    needed, found = header.dtype.itemsize * math.prod(header.shape), size - header.start
    if needed < 1 or min(header.shape, default=1) < 0 or needed != found:
        raise BadData(
            f"{path}: the header announces {header.shape} {header.dtype}, {needed:,} bytes, found "
            f"{found:,}. The file is empty or truncated, or its header is wrong."
        )


def _members(source: Source) -> dict[str, NDArray[Any]]:
    file: BinaryIO = source.stream
    if source.size is None:  # an archive in an archive
        file = io.BytesIO(source.everything())
    arrays = {}
    archive = listed(source.path, file)
    for name in archive.namelist():
        if not name.endswith(".npy"):
            raise BadData(f"{source.path}: is an archive in an archive. Unpack it yourself.")
        content = member_of(source.path, archive, file, name)
        arrays[name.removesuffix(".npy")] = _array(f"{source.path}#{shown(name)}", content)
    return arrays


def _word_list(path: str) -> list[str]:
    found = listed_words(path)
    if found is None:
        names = ", ".join(list_path.name for list_path in _list_paths(path))
        raise BadData(
            f"{path}: contains vectors but no words. Put a list with one word per line into the "
            f"same folder, named {names}."
        )
    return found


def listed_words(path: str) -> list[str] | None:
    """Return the words of the list that belongs to an .npy file; None if there is no list."""
    return next((_lines(each) for each in _list_paths(path) if is_file(each)), None)


def _list_paths(path: str) -> list[Path]:
    stem = _ENDINGS.sub("", path, 1)
    return [Path(stem + ending) for ending in _LISTS]


def _lines(path: Path) -> list[str]:
    if path.stat().st_size > _LARGEST_LIST:
        raise TooLarge(f"{path}: a word list of more than {_LARGEST_LIST:,} bytes.")
    # Bytes that are not UTF-8 are reported later, with their row.
    text = path.read_bytes().removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
