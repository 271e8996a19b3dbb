"""What all readers share: settings, a stream that counts, and the list of repairs."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import BinaryIO, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.core.vectors import Vectors
from lexiscope.core.vocabulary import PackedWords

OnError = Literal["stop", "skip", "replace"]
Bytes = NDArray[np.uint8]

LONGEST_WORD = 1024
MOST_ROWS = 50_000_000
MOST_DIMENSIONS = 65_536
HEAD = 1 << 20
_CHUNK = 1 << 22
_MOST_LISTED = 1000
_ROWS_AT_ONCE = 1 << 14
_UNFIT = re.compile(r"[\0-\x1f\x7f\ud800-\udfff]")  # controls, and halves of surrogate pairs


class Settings(NamedTuple):
    """How much to read, and what to do about a broken row."""

    limit: int | None = None
    on_error: OnError = "stop"


@dataclass(frozen=True)
class Source:
    """An open vector file: its first bytes for a look, then all of it in chunks.

    `size` is the number of bytes to come where that is known, else None.
    """

    path: str
    stream: BinaryIO
    head: bytes
    size: int | None

    def chunks(self, start: int) -> Iterator[bytes]:
        """The bytes from `start` (inside the head) on; the next chunk is read ahead."""
        if self.head[start:]:
            yield self.head[start:]
        with ThreadPoolExecutor(1) as ahead:
            coming = ahead.submit(self.stream.read, _CHUNK)
            while chunk := coming.result():
                coming = ahead.submit(self.stream.read, _CHUNK)
                yield chunk

    def everything(self) -> bytes:
        """The whole content."""
        return self.head + self.stream.read()


@dataclass
class Repairs:
    """What was left out or changed, as sentences; stops at the first when asked to."""

    settings: Settings
    listed: list[str] = field(default_factory=list)
    unlisted: int = 0

    def need(self, sentence: str, way_out: str = "--on-error skip leaves such rows out") -> None:
        """Stop with the sentence, or list it and go on."""
        if self.settings.on_error == "stop":
            raise BadData(f"{sentence} {way_out[0].upper()}{way_out[1:]}.")
        self.note(f"{sentence} Left out.")

    def note(self, sentence: str) -> None:
        """List something that was repaired in any case."""
        if len(self.listed) < _MOST_LISTED:
            self.listed.append(sentence)
        else:
            self.unlisted += 1

    def finished(self) -> tuple[str, ...]:
        """The list, with a last line for what did not fit."""
        more = [f"... and {self.unlisted:,} more."] if self.unlisted else []
        return (*self.listed, *more)


class Rows:
    """A table that grows without being copied: its memory is moved by the system, not by us."""

    def __init__(self, expected: int, dimension: int) -> None:
        self.table = np.empty((max(expected, 1), dimension), np.float32)
        self.filled = 0

    def room(self, number: int) -> NDArray[np.float32]:
        """The next `number` rows, to be written."""
        needed = self.filled + number
        if needed > len(self.table):
            grown = max(needed, len(self.table) + (len(self.table) >> 1))
            self.table.resize((grown, self.table.shape[1]), refcheck=False)
        return self.table[self.filled : needed]

    def finished(self) -> NDArray[np.float32]:
        """The rows that were filled."""
        self.table.resize((self.filled, self.table.shape[1]), refcheck=False)
        return self.table


@dataclass
class Words:
    """Words as they come: bytes, and where in the file each was, for messages."""

    blocks: list[Bytes] = field(default_factory=list)
    ends: list[NDArray[np.int64]] = field(default_factory=list)
    places: list[NDArray[np.int64]] = field(default_factory=list)
    size: int = 0

    def add(self, block: Bytes, ends: NDArray[np.int64], places: NDArray[np.int64]) -> None:
        """Append words: their bytes in one block, the end of each in it, line or byte of each."""
        self.blocks.append(block)
        self.ends.append(ends + self.size)
        self.places.append(places)
        self.size += len(block)

    def packed(self) -> PackedWords:
        """All words so far."""
        if not self.blocks:
            return PackedWords(np.empty(0, np.uint8), np.empty(0, np.int64))
        return PackedWords(np.concatenate(self.blocks), np.concatenate(self.ends))


def fault(word: str) -> str:
    """Why no file may hold this word; "" for a good one."""
    if not word:
        return "the word is empty"
    if len(word) > LONGEST_WORD // 4 and len(word.encode("utf-8", "surrogatepass")) > LONGEST_WORD:
        return f"a word of more than {LONGEST_WORD:,} bytes"
    unfit = _UNFIT.search(word)
    if unfit is None:
        return ""
    what = "control characters" if unfit[0] < "\x80" else "bytes that are not UTF-8"
    return f"{what} in the word '{shown(word)}'"


def mended(word: str) -> str:
    """The word with U+FFFD for every control character and every byte that is not UTF-8."""
    return _UNFIT.sub("\ufffd", word)


def finite_rows(table: Vectors) -> NDArray[np.bool_]:
    """Which rows hold numbers only, no NaN and no infinity."""
    if not isinstance(table, np.ndarray):
        finite = np.ones(table.shape[0], bool)
        broken = np.flatnonzero(~np.isfinite(table.data))
        finite[np.searchsorted(table.indptr, broken, "right") - 1] = False
        return finite
    finite = np.empty(len(table), bool)
    for start in range(
        0, len(table), _ROWS_AT_ONCE
    ):  # a mask of the whole would be a quarter of it
        rows = table[start : start + _ROWS_AT_ONCE]
        finite[start : start + _ROWS_AT_ONCE] = np.isfinite(rows).all(axis=1)
    return finite


def check_shape(path: str, rows: int, dimension: int, capacity: int | None, least: int) -> None:
    """Refuse a header that promises more than the file can hold, before anything is allocated."""
    for what, found, most in (
        ("words", rows, MOST_ROWS),
        ("dimensions", dimension, MOST_DIMENSIONS),
    ):
        if not 0 < found <= most:
            raise BadData(
                f"{path}:1: the header announces {found:,} {what}; 1 to {most:,} are possible."
            )
    if capacity is not None and rows * least > capacity:
        raise BadData(
            f"{path}:1: the header announces {rows:,} words of {dimension:,} numbers, which needs "
            f"at least {rows * least:,} bytes, but only {capacity:,} follow. "
            "The file is cut off or its header is wrong."
        )


class Cleaned(NamedTuple):
    """Words that may be used, and the rows they belong to."""

    words: tuple[str, ...]
    keep: NDArray[np.int64] | None  # None: every row


def clean(path: str, unit: str, words: Words, repairs: Repairs) -> Cleaned:
    """Decode the words; look for bad bytes, control characters, lengths and repeats.

    `unit` is "line" or "byte", whatever the places count.
    """
    packed = words.packed()
    decoded = _at_once(packed)
    if decoded is not None and _surely_distinct(decoded):
        return Cleaned(decoded, None)
    return _one_by_one(path, unit, packed, np.concatenate(words.places), repairs)


def _surely_distinct(words: tuple[str, ...]) -> bool:
    """Whether no two words have the same hash: a tenth of the memory that a set would take."""
    return len(np.unique(np.fromiter(map(hash, words), np.int64, len(words)))) == len(words)


def _at_once(packed: PackedWords) -> tuple[str, ...] | None:
    """All words with one decoding, a newline between each two; None when one is not plain."""
    from lexiscope.kernels.decimals import with_newlines

    lengths = np.diff(packed.ends, prepend=0)
    if not len(lengths) or lengths.min() < 1 or lengths.max() > LONGEST_WORD:
        return None
    lines = np.empty(len(packed.block) + len(packed.ends), np.uint8)
    if with_newlines(packed.block, packed.ends, lines):
        return None
    try:
        return tuple(lines[:-1].tobytes().decode("utf-8").split("\n"))
    except UnicodeDecodeError:
        return None


def plain(packed: PackedWords) -> bool:
    """Whether every word is UTF-8 of a possible length without control characters."""
    lengths = np.diff(packed.ends, prepend=0)
    if not len(lengths) or lengths.min() < 1 or lengths.max() > LONGEST_WORD:
        return False
    controls = (packed.block < 32) | (packed.block == 127)
    # A character cut in two by the end of a word would be whole again in the block.
    continued = (packed.block[packed.ends - lengths] & 0xC0) == 0x80
    return not controls.any() and not continued.any() and _utf8(packed.block)


def _utf8(block: Bytes) -> bool:
    try:
        block.tobytes().decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _one_by_one(
    path: str, unit: str, packed: PackedWords, places: NDArray[np.int64], repairs: Repairs
) -> Cleaned:
    raw = packed.block.tobytes()
    seen: dict[str, int] = {}
    keep: list[int] = []
    start = 0
    repeated: list[str] = []
    for row, (end, place) in enumerate(zip(packed.ends.tolist(), places.tolist(), strict=True)):
        where = f"{path}:{place}" if unit == "line" else f"{path}: byte {place}"
        word = _decoded(raw[start:end], where, repairs)
        start = end
        if word is None:
            continue
        if word in seen:
            repeated.append(f"{where}: the word '{shown(word)}' stands a second time.")
            continue
        seen[word] = row
        keep.append(row)
    for sentence in repeated:
        repairs.note(f"{sentence} The first vector is kept.")
    return Cleaned(tuple(seen), np.array(keep, np.int64))


def _decoded(raw: bytes, where: str, repairs: Repairs) -> str | None:
    if not raw:
        repairs.need(f"{where}: there is no word before the numbers.")
        return None
    if len(raw) > LONGEST_WORD:
        repairs.need(
            f"{where}: a word of {len(raw):,} bytes, at most {LONGEST_WORD:,} are possible."
        )
        return None
    mend = repairs.settings.on_error == "replace"
    way_out = "--on-error skip leaves such words out, --on-error replace keeps them with U+FFFD"
    try:
        word = raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        if not mend:
            repairs.need(
                f"{where}: the word is not UTF-8 (byte 0x{raw[problem.start]:02x} "
                f"at its byte {problem.start + 1}).",
                way_out,
            )
            return None
        word = raw.decode("utf-8", "replace")
        repairs.note(f"{where}: bytes that are not UTF-8 became U+FFFD in '{shown(word)}'.")
    if _UNFIT.search(word):
        if not mend:
            repairs.need(f"{where}: control characters in the word '{shown(word)}'.", way_out)
            return None
        word = mended(word)
        repairs.note(f"{where}: control characters became U+FFFD in '{shown(word)}'.")
    return word
