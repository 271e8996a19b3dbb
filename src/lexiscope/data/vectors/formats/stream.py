"""Shared by all readers: settings, the open file, growing tables, and the list of repairs."""

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
_CHUNK = 1 << 20
_MOST_LISTED = 1000
_ROWS_AT_ONCE = 1 << 14
_INVALID = re.compile(r"[\0-\x1f\x7f\ud800-\udfff]")  # control characters and surrogates


class Settings(NamedTuple):
    """The word limit, what to do about a broken row, and words that need vectors.

    Models that compute vectors of OOV words compute those of `words`.
    """

    limit: int | None = None
    on_error: OnError = "stop"
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Source:
    """An open vector file: its first bytes, for format detection, and the rest in chunks.

    `size` is the size of the content in bytes, or None if it is unknown.
    """

    path: str
    stream: BinaryIO
    head: bytes
    size: int | None

    def chunks(self, start: int) -> Iterator[bytes]:
        """Yield the bytes from `start`, which is in the head; a thread reads the next chunk."""
        if self.head[start:]:
            yield self.head[start:]
        with ThreadPoolExecutor(1) as ahead:
            coming = ahead.submit(self.stream.read, _CHUNK)
            while chunk := coming.result():
                coming = ahead.submit(self.stream.read, _CHUNK)
                yield chunk

    def everything(self) -> bytes:
        """Return the whole content."""
        return self.head + self.stream.read()


@dataclass
class Repairs:
    """Messages about rows that were left out or changed; on_error="stop" raises the first one."""

    settings: Settings
    listed: list[str] = field(default_factory=list)
    unlisted: int = 0

    def reject(self, message: str, advice: str = "--on-error skip leaves such rows out") -> None:
        """Raise BadData with the message and the advice, or list the message."""
        if self.settings.on_error == "stop":
            raise BadData(f"{message} {advice[0].upper()}{advice[1:]}.")
        self.note(f"{message} Left out.")

    def note(self, message: str) -> None:
        """List a repair, whatever on_error is."""
        if len(self.listed) < _MOST_LISTED:
            self.listed.append(message)
        else:
            self.unlisted += 1

    def note_repeats(self, repeats: "Repeats") -> None:
        """List the words that occur a second time."""
        for where, word in repeats.listed:
            self.note(
                f"{where}: the word '{shown(word)}' occurs a second time. The first vector is kept."
            )
        self.unlisted += repeats.unlisted

    def finished(self) -> tuple[str, ...]:
        """Return the messages, with a last line for those that did not fit."""
        more = [f"... and {self.unlisted:,} more."] if self.unlisted else []
        return (*self.listed, *more)


@dataclass
class Repeats:
    """Words that occur a second time; a file can hold millions, so only some are kept."""

    listed: list[tuple[str, str]] = field(default_factory=list)
    unlisted: int = 0

    def add(self, where: str, word: str) -> None:
        """Add a word and its position in the file."""
        if len(self.listed) < _MOST_LISTED:
            self.listed.append((where, word))
        else:
            self.unlisted += 1


class Rows:
    """A table that grows in place, without a copy in NumPy."""

    def __init__(self, expected: int, dimension: int) -> None:
        self.table = np.empty((max(expected, 1), dimension), np.float32)
        self.filled = 0

    def next_rows(self, number: int) -> NDArray[np.float32]:
        """Return the next `number` rows for writing."""
        needed = self.filled + number
        if needed > len(self.table):
            grown = max(needed, len(self.table) + (len(self.table) >> 1))
            self.table.resize((grown, self.table.shape[1]), refcheck=False)
        return self.table[self.filled : needed]

    def finished(self) -> NDArray[np.float32]:
        """Return the filled rows."""
        self.table.resize((self.filled, self.table.shape[1]), refcheck=False)
        return self.table


@dataclass
class Words:
    """Words in the order of the file: their bytes, and their positions in it, for messages."""

    blocks: list[Bytes] = field(default_factory=list)
    ends: list[NDArray[np.int64]] = field(default_factory=list)
    positions: list[NDArray[np.int64]] = field(default_factory=list)
    size: int = 0

    def add(self, block: Bytes, ends: NDArray[np.int64], positions: NDArray[np.int64]) -> None:
        """Append words: their bytes, the end of each, and the line or byte of each in the file."""
        self.blocks.append(block)
        self.ends.append(ends + self.size)
        self.positions.append(positions)
        self.size += len(block)

    def gather(
        self,
        text: Bytes,
        starts: NDArray[np.int64],
        ends: NDArray[np.int64],
        positions: NDArray[np.int64],
    ) -> None:
        """Append the words text[start:end], and the line or byte of each in the file."""
        from lexiscope.kernels.parsing.decimals import gather

        block = np.empty(int((ends - starts).sum()), np.uint8)
        block_ends = np.empty(len(starts), np.int64)
        gather(text, starts, ends, block, block_ends, 0)
        self.add(block, block_ends, positions)

    def packed(self) -> PackedWords:
        """Return all words so far."""
        if not self.blocks:
            return PackedWords(np.empty(0, np.uint8), np.empty(0, np.int64))
        return PackedWords(np.concatenate(self.blocks), np.concatenate(self.ends))


def word_error(word: str) -> str:
    """Return why a word is invalid; "" if it is valid."""
    if not word:
        return "the word is empty"
    if len(word) > LONGEST_WORD // 4 and len(word.encode("utf-8", "surrogatepass")) > LONGEST_WORD:
        return f"a word of more than {LONGEST_WORD:,} bytes"
    invalid = _INVALID.search(word)
    if invalid is None:
        return ""
    what = "control characters" if invalid[0] < "\x80" else "bytes that are not UTF-8"
    return f"{what} in the word '{shown(word)}'"


def replace_invalid(word: str) -> str:
    """Return the word with U+FFFD for control characters and bytes that are not UTF-8."""
    return _INVALID.sub("\ufffd", word)


def finite_rows(table: Vectors) -> NDArray[np.bool_]:
    """Return which rows are finite."""
    if not isinstance(table, np.ndarray):
        finite = np.ones(table.shape[0], bool)
        broken = np.flatnonzero(~np.isfinite(table.data))
        finite[np.searchsorted(table.indptr, broken, "right") - 1] = False
        return finite
    finite = np.empty(len(table), bool)
    for start in range(0, len(table), _ROWS_AT_ONCE):  # a mask of the whole table would be large
        rows = table[start : start + _ROWS_AT_ONCE]
        finite[start : start + _ROWS_AT_ONCE] = np.isfinite(rows).all(axis=1)
    return finite


def check_shape(path: str, rows: int, dimension: int, capacity: int | None, least: int) -> None:
    """Refuse a header that announces more than the file can contain, before allocating memory."""
    for what, found, most in (
        ("words", rows, MOST_ROWS),
        ("dimensions", dimension, MOST_DIMENSIONS),
    ):
        if not 0 < found <= most:
            raise BadData(
                f"{path}:1: the header announces {found:,} {what}; must be 1 to {most:,}."
            )
    if capacity is not None and rows * least > capacity:
        raise BadData(
            f"{path}:1: the header announces {rows:,} words of {dimension:,} numbers, which needs "
            f"at least {rows * least:,} bytes, but only {capacity:,} follow. "
            "The file is truncated or its header is wrong."
        )


class Cleaned(NamedTuple):
    """The valid words, and their rows."""

    words: tuple[str, ...]
    keep: NDArray[np.int64] | None  # None: all rows


def clean(path: str, counted_in: str, words: Words, repairs: Repairs) -> Cleaned:
    """Decode the words; report invalid bytes, control characters, lengths and repeats.

    `counted_in` is "line" or "byte": what the positions of the words count.
    """
    packed = words.packed()
    decoded = _at_once(packed)
    if decoded is not None and _have_distinct_hashes(decoded):
        return Cleaned(decoded, None)
    del decoded  # as large as the words that are kept
    return _one_by_one(path, counted_in, packed, np.concatenate(words.positions), repairs)


def _have_distinct_hashes(words: tuple[str, ...]) -> bool:
    """Whether no two words have the same hash; takes a tenth of the memory of a set."""
    # Sorted, because np.unique of so many integers builds a hash table, which takes ten times as
    # long as np.sort.
    hashes = np.sort(np.fromiter(map(hash, words), np.int64, len(words)))
    return not (hashes[1:] == hashes[:-1]).any()


def _at_once(packed: PackedWords) -> tuple[str, ...] | None:
    """Decode all words in one call; None if a word is not plain."""
    from lexiscope.kernels.parsing.decimals import join_lines

    lengths = np.diff(packed.ends, prepend=0)
    if not len(lengths) or lengths.min() < 1 or lengths.max() > LONGEST_WORD:
        return None
    lines = np.empty(len(packed.block) + len(packed.ends), np.uint8)
    if join_lines(packed.block, packed.ends, lines):
        return None
    try:
        return tuple(lines[:-1].tobytes().decode("utf-8").split("\n"))
    except UnicodeDecodeError:
        return None


def plain(packed: PackedWords) -> bool:
    """Whether every word is UTF-8 of valid length without control characters."""
    return len(packed) > 0 and all(map(_is_plain, packed.chunks()))


def _is_plain(packed: PackedWords) -> bool:
    lengths = np.diff(packed.ends, prepend=0)
    if not len(lengths) or lengths.min() < 1 or lengths.max() > LONGEST_WORD:
        return False
    controls = (packed.block < 32) | (packed.block == 127)
    # A character split between two words is valid in the block, so check the first bytes.
    continued = (packed.block[packed.ends - lengths] & 0xC0) == 0x80
    return not controls.any() and not continued.any() and _utf8(packed.block)


def _utf8(block: Bytes) -> bool:
    try:
        block.tobytes().decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _one_by_one(
    path: str, counted_in: str, packed: PackedWords, positions: NDArray[np.int64], repairs: Repairs
) -> Cleaned:
    raw = packed.block.tobytes()
    seen: dict[str, int] = {}
    repeats = Repeats()
    for row, (start, end, at) in enumerate(_bounds(packed, positions)):
        where = f"{path}:{at}" if counted_in == "line" else f"{path}: byte {at}"
        word = _decoded(raw[start:end], where, repairs)
        if word is None:
            continue
        if word in seen:
            repeats.add(where, word)
        else:
            seen[word] = row
    repairs.note_repeats(repeats)
    return Cleaned(tuple(seen), np.fromiter(seen.values(), np.int64, len(seen)))


def _bounds(packed: PackedWords, positions: NDArray[np.int64]) -> Iterator[tuple[int, int, int]]:
    """The start and the end of each word, and its position in the file."""
    start = 0
    for first in range(0, len(packed.ends), _ROWS_AT_ONCE):  # a list of all would be large
        part = slice(first, first + _ROWS_AT_ONCE)
        for end, at in zip(packed.ends[part].tolist(), positions[part].tolist(), strict=True):
            yield start, end, at
            start = end


def _decoded(raw: bytes, where: str, repairs: Repairs) -> str | None:
    if not raw:
        repairs.reject(f"{where}: there is no word before the numbers.")
        return None
    if len(raw) > LONGEST_WORD:
        repairs.reject(f"{where}: a word of {len(raw):,} bytes; the maximum is {LONGEST_WORD:,}.")
        return None
    replace = repairs.settings.on_error == "replace"
    advice = "--on-error skip leaves such words out, --on-error replace keeps them with U+FFFD"
    try:
        word = raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        if not replace:
            repairs.reject(
                f"{where}: the word is not UTF-8 (byte 0x{raw[problem.start]:02x} "
                f"at its byte {problem.start + 1}).",
                advice,
            )
            return None
        word = raw.decode("utf-8", "replace")
        repairs.note(f"{where}: bytes that are not UTF-8 became U+FFFD in '{shown(word)}'.")
    if _INVALID.search(word):
        if not replace:
            repairs.reject(f"{where}: control characters in the word '{shown(word)}'.", advice)
            return None
        word = replace_invalid(word)
        repairs.note(f"{where}: control characters became U+FFFD in '{shown(word)}'.")
    if len(word) > LONGEST_WORD // 4 and len(word.encode()) > LONGEST_WORD:
        repairs.reject(f"{where}: a word of more than {LONGEST_WORD:,} bytes with its U+FFFD.")
        return None
    return word
