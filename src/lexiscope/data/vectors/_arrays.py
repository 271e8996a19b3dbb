"""NumPy's .npy with a word list beside it, and .npz with the words inside."""

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, TooLarge, UnsafeFormat
from lexiscope.data.vectors._objects import from_columns
from lexiscope.data.vectors._reading import Settings, Source

_LISTS = (".words", ".words.txt", ".vocab", ".vocab.txt", ".txt")
_LARGEST_LIST = 1 << 30


def read_npy(source: Source, settings: Settings) -> Embedding:
    """The table in an .npy file with the words in the list beside it."""
    path = source.path
    table = _table(path, source)
    words = _word_list(path)
    if table.ndim != 2:
        raise BadData(f"{path}: expected a table (words, dimensions), found {table.ndim} axes.")
    if len(words) != len(table):
        raise BadData(f"{path}: {len(table):,} vectors, but its word list has {len(words):,} words.")
    return _limited(path, words, table, settings)


def read_npz(source: Source, settings: Settings) -> Embedding:
    """The one table and the one list of words in an .npz file."""
    path = source.path
    arrays = _members(path)
    tables = {key: value for key, value in arrays.items() if value.ndim == 2}
    lists = {k: v for k, v in arrays.items() if v.ndim == 1 and v.dtype.kind in "US"}
    if len(tables) != 1 or len(lists) != 1:
        raise BadData(
            f"{path}: expected one table of vectors and one list of words, found "
            f"{', '.join(f'{shown(k)} {v.shape} {v.dtype}' for k, v in arrays.items()) or 'nothing'}."
        )
    table, words = next(iter(tables.values())), next(iter(lists.values()))
    if len(words) != len(table):
        raise BadData(f"{path}: {len(table):,} vectors, but {len(words):,} words.")
    if words.dtype.kind == "S":
        try:
            words = np.char.decode(words, "utf-8")
        except UnicodeDecodeError as problem:
            raise BadData(f"{path}: the words are not UTF-8 ({problem.reason}).") from None
    return _limited(path, words.tolist(), table, settings)


def _limited(path: str, words: list[str], table: NDArray[Any], settings: Settings) -> Embedding:
    number = len(words) if settings.limit is None else settings.limit
    return from_columns("", words[:number], table[:number], path, settings.on_error)


def _table(path: str, source: Source) -> NDArray[Any]:
    if source.size is not None:
        shape, dtype, start = _header(path, io.BytesIO(source.head), source.size)
        _whole(path, shape, dtype, source.size - start)
        mapped: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
        return mapped
    content = source.everything()
    return _array(path, content)


def _array(path: str, content: bytes) -> NDArray[Any]:
    shape, dtype, start = _header(path, io.BytesIO(content), len(content))
    _whole(path, shape, dtype, len(content) - start)
    array: NDArray[Any] = npy.read_array(io.BytesIO(content), allow_pickle=False)
    return array


def _header(path: str, stream: io.BytesIO, size: int) -> tuple[tuple[int, ...], np.dtype[Any], int]:
    try:
        version = npy.read_magic(stream)
        reader = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, _, dtype = reader(stream)
    except (ValueError, OSError, SyntaxError, EOFError, OverflowError) as problem:
        raise BadData(f"{path}: the .npy header is broken ({shown(str(problem), 80)}).") from None
    if dtype.hasobject:
        raise UnsafeFormat(
            f"{path}: holds pickled objects, which can run code when opened. "
            "Save numbers as float32 and words as np.array(words, dtype=str)."
        )
    return shape, dtype, stream.tell()


def _whole(path: str, shape: tuple[int, ...], dtype: np.dtype[Any], found: int) -> None:
    needed = dtype.itemsize
    for length in shape:
        needed *= int(length)
    if needed != found or min(shape, default=0) < 0:
        raise BadData(
            f"{path}: the header announces {shape} {dtype}, {needed:,} bytes, found {found:,}. "
            "The file is cut off or its header is wrong."
        )


def _members(path: str) -> dict[str, NDArray[Any]]:
    arrays = {}
    size = Path(path).stat().st_size
    with zipfile.ZipFile(path) as archive:
        if sum(info.file_size for info in archive.infolist()) > max(200 * size, 1 << 26):
            raise TooLarge(f"{path}: over 200 times its own size would come out of this archive.")
        for info in archive.infolist():
            try:
                content = archive.read(info)
            except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError) as bad:
                raise BadData(f"{path}: the archive is broken ({shown(str(bad), 80)}).") from None
            arrays[info.filename.removesuffix(".npy")] = _array(f"{path}#{info.filename}", content)
    return arrays


def _word_list(path: str) -> list[str]:
    stem = path
    for ending in (".gz", ".bz2", ".xz", ".zip", ".npy"):
        stem = stem.removesuffix(ending)
    places = [Path(stem + ending) for ending in _LISTS]
    for place in places:
        if place.is_file():
            return _lines(place)
    names = ", ".join(place.name for place in places)
    raise BadData(f"{path}: holds vectors but no words. Put a list, one word a line, beside it: {names}.")


def _lines(place: Path) -> list[str]:
    if place.stat().st_size > _LARGEST_LIST:
        raise TooLarge(f"{place}: a word list of more than {_LARGEST_LIST:,} bytes.")
    try:
        text = place.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = problem.object.count(b"\n", 0, problem.start) + 1
        raise BadData(f"{place}:{line}: is not UTF-8 (byte {problem.start}).") from None
    return [line.rstrip("\r") for line in text.removesuffix("\n").split("\n")]
