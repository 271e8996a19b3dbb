"""Files of a folder that are small enough to be read whole: JSON and MessagePack."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, TooLarge
from lexiscope.data.vectors.formats.stream import word_error

_LARGEST = 1 << 30
_BROKEN = (msgspec.MsgspecError, ValueError, RecursionError, MemoryError, OverflowError)


def json_in(path: Path, kind: Any) -> Any:
    """Return the content of a JSON file, which must have this type."""
    try:
        return msgspec.json.decode(_content(path), type=kind)
    except _BROKEN as problem:
        raise _broken(path, "JSON", problem) from None


def msgpack_in(path: Path, kind: Any) -> Any:
    """Return the content of a MessagePack file, which must have this type."""
    try:
        return msgspec.msgpack.decode(_content(path), type=kind)
    except _BROKEN as problem:
        raise _broken(path, "MessagePack", problem) from None


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size > _LARGEST:
            raise TooLarge(f"{path}: has more than {_LARGEST:,} bytes.")
        return path.read_bytes()
    except OSError as problem:
        raise BadData(f"{path}: cannot be opened ({problem.strerror}).") from None


def _broken(path: Path, what: str, problem: BaseException) -> BadData:
    return BadData(
        f"{path}: is not the expected {what} ({shown(str(problem), 90)}). Download or save the "
        "folder again."
    )


def valid_words(words: Sequence[str], where: str) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Return the positions of valid words, and a note on the others.

    Programs put line ends and other control characters into their vocabularies, so these are no
    sign of a damaged file.
    """
    valid = np.array([not word_error(word) for word in words], bool)
    invalid = len(words) - int(valid.sum())
    note = f"{where}: {invalid:,} words are empty, too long or have control characters. Left out."
    return np.flatnonzero(valid), (note,) if invalid else ()
