"""Text vectors: word2vec and fastText (with a header line), GloVe (without)."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.core.machine import threads
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data.vectors._reading import (
    HEAD,
    MOST_DIMENSIONS,
    Repairs,
    Rows,
    Settings,
    Source,
    Words,
    check_shape,
    clean,
)

_BOM = b"\xef\xbb\xbf"
_LONGEST_LINE = 1 << 22
_LOOKED_AT = 50


class Layout(NamedTuple):
    """How a text file is laid out; `rows` is what the header announces, if there is one."""

    start: int
    first_line: int
    rows: int | None
    dimension: int
    separator: int


def read(source: Source, settings: Settings) -> Embedding:
    """The embedding in a text file."""
    layout = look(source)
    repairs = Repairs(settings)
    rows, words = Rows(_expected(source, layout, settings), layout.dimension), Words()
    line = layout.first_line
    with ThreadPoolExecutor(threads()) as pool:
        for text in _whole_lines(source, layout.start):
            if settings.limit is not None and rows.filled >= settings.limit:
                break
            line += _Chunk(text, line, layout, source.path).parse(rows, words, repairs, pool)
    if rows.filled == 0:
        raise BadData(f"{source.path}: holds no vectors.")
    _check_number(source.path, layout, rows.filled, line, settings, repairs)
    return _embedding(source.path, rows, words, settings, repairs)


def _embedding(
    path: str, rows: Rows, words: Words, settings: Settings, repairs: Repairs
) -> Embedding:
    cleaned = clean(path, "line", words, repairs)
    vectors = rows.finished()
    if cleaned.keep is not None:
        vectors = vectors[cleaned.keep]
    found = Embedding("", Vocabulary(cleaned.words), vectors, repairs=repairs.finished())
    return found if settings.limit is None else found.first(settings.limit)


def look(source: Source) -> Layout:
    """Find header, dimension and separator from the first lines."""
    start = len(_BOM) if source.head.startswith(_BOM) else 0
    lines = source.head[start:].split(b"\n")[: _LOOKED_AT + 1]
    if len(lines) == 1 and len(source.head) >= HEAD:
        raise BadData(f"{source.path}:1: no line ends within {HEAD:,} bytes: not a vector file.")
    if len(lines) > 1 and len(source.head) >= HEAD:
        lines = lines[:-1]  # the last one may be cut off by the look, not by the file
    lines = [line.rstrip(b"\r") for line in lines]
    separator = 9 if b"\t" in lines[0] and b" " not in lines[0] else 32
    header = _header(lines[0], separator)
    body = lines[1:] if header else lines
    dimension = _usual_dimension(body, separator)
    if header and dimension not in (None, header[1]) and _is_first_row(lines[0], dimension):
        header, dimension = None, _usual_dimension(lines, separator)  # one number per word
    if header is None:
        if not dimension:
            raise BadData(
                f"{source.path}:1: expected a word and numbers, found '{_cut(lines[0])}'."
            )
        if dimension > MOST_DIMENSIONS:
            raise BadData(f"{source.path}:1: {dimension:,} numbers, {MOST_DIMENSIONS:,} are possible.")
        return Layout(start, 1, None, dimension, separator)
    size = len(lines[0]) + 1 + (source.head[start + len(lines[0]) :].startswith(b"\r\n"))
    capacity = None if source.size is None else source.size - start - size + 1
    check_shape(source.path, *header, capacity, 2 * header[1] + 1)
    if dimension not in (None, header[1]):
        raise BadData(
            f"{source.path}:2: the header announces {header[1]:,} numbers for each word, "
            f"found {dimension:,}. The header is wrong, or this is another kind of file."
        )
    return Layout(start + size, 2, *header, separator)


def _header(line: bytes, separator: int) -> tuple[int, int] | None:
    fields = line.strip(b" \t\r").split(bytes([separator]))
    if len(fields) == 2 and all(_is_integer(field) for field in fields):
        return int(fields[0]), int(fields[1])
    return None


def _is_integer(field: bytes) -> bool:
    return len(field) <= 18 and (field[1:] if field[:1] == b"-" else field).isdigit()


def _is_first_row(line: bytes, dimension: int | None) -> bool:
    # "1990 3" before rows of one number each: a word and its number, no header.
    return dimension == 1


def _usual_dimension(lines: list[bytes], separator: int) -> int | None:
    """How many numbers most of the first lines end with; the first line decides a draw."""
    found = [n for n in (_numbers_at_the_end(line, separator) for line in lines) if n]
    return Counter(found).most_common(1)[0][0] if found else None


def _numbers_at_the_end(line: bytes, separator: int) -> int:
    fields = line.rstrip(b" \t").split(bytes([separator]))
    number = 0
    for field in reversed(fields[1:]):
        if _value(field) is None:
            break
        number += 1
    return number


def _value(field: bytes) -> float | None:
    if b"_" in field or field != field.strip():
        return None
    try:
        return float(field)
    except ValueError:
        return None


def _expected(source: Source, layout: Layout, settings: Settings) -> int:
    """How many rows to make room for; more is added when needed."""
    if settings.limit is not None:
        guess = settings.limit
    elif layout.rows is not None:
        guess = layout.rows
    else:
        lines = max(source.head.count(b"\n"), 1)
        size = source.size if source.size is not None else len(source.head)
        guess = int(size / (len(source.head) / lines) * 1.05) + 1
    # A header in a compressed file cannot be checked against a size: start small, then grow.
    most = (1 << 28) // (4 * layout.dimension) if source.size is None else guess
    return max(1, min(guess, most))


def _whole_lines(source: Source, start: int) -> Iterator[bytes]:
    """Chunks that end where a line ends."""
    rest = b""
    for chunk in source.chunks(start):
        cut = chunk.rfind(b"\n") + 1
        if cut == 0:
            rest += chunk
            if len(rest) > _LONGEST_LINE:
                raise BadData(f"{source.path}: no line ends within {_LONGEST_LINE:,} bytes.")
            continue
        yield rest + chunk[:cut] if rest else chunk[:cut]
        rest = chunk[cut:]
    if rest.strip(b" \r\n"):
        yield rest + b"\n"


class _Chunk(NamedTuple):
    """Some whole lines of the file, the first of them having number `line`."""

    text: bytes
    line: int
    layout: Layout
    path: str

    def parse(self, rows: Rows, words: Words, repairs: Repairs, pool: ThreadPoolExecutor) -> int:
        """Append the rows and words of these lines; returns how many lines there were."""
        from lexiscope.kernels import decimals

        raw = np.frombuffer(self.text, np.uint8)
        lines = self.text.count(b"\n")
        starts = np.zeros(lines + 1, np.int64)
        decimals.line_starts(raw, starts[1:])
        vectors = rows.room(lines)
        word_ends, state = np.zeros(lines, np.int64), np.zeros(lines, np.uint8)

        def part(first: int, last: int) -> None:
            separator = self.layout.separator
            decimals.rows(raw, starts, first, last, separator, vectors, word_ends, state)

        cuts = np.linspace(0, lines, threads() + 1).astype(int).tolist()
        list(pool.map(part, cuts[:-1], cuts[1:]))
        keep = self._slowly(state, starts, vectors, word_ends, repairs)
        if not keep.all():
            vectors[: keep.sum()] = vectors[keep]
        rows.filled += int(keep.sum())
        self._add_words(raw, starts[:-1][keep], word_ends[keep], np.flatnonzero(keep), words)
        return lines

    def _add_words(
        self,
        raw: NDArray[np.uint8],
        starts: NDArray[np.int64],
        word_ends: NDArray[np.int64],
        lines: NDArray[np.int64],
        words: Words,
    ) -> None:
        from lexiscope.kernels import decimals

        block = np.empty(int((word_ends - starts).sum()), np.uint8)
        ends = np.empty(len(starts), np.int64)
        decimals.gather(raw, starts, word_ends, block, ends, 0)
        words.add(block, ends, lines + self.line)

    def _slowly(
        self,
        state: NDArray[np.uint8],
        starts: NDArray[np.int64],
        vectors: NDArray[np.float32],
        word_ends: NDArray[np.int64],
        repairs: Repairs,
    ) -> NDArray[np.bool_]:
        """Read the lines that the kernel left, one by one; says which rows may stay."""
        keep = np.ones(len(state), bool)
        for row in np.flatnonzero(state).tolist():
            start, end = int(starts[row]), int(starts[row + 1]) - 1
            where = f"{self.path}:{self.line + row}"
            read = _slow_line(self.text[start:end], self.layout, where, repairs)
            if read is None:
                keep[row] = False
            else:
                word_ends[row] = start + len(read.word)
                vectors[row] = read.numbers
        return keep


class _Line(NamedTuple):
    word: bytes
    numbers: NDArray[np.float32]


def _slow_line(raw: bytes, layout: Layout, where: str, repairs: Repairs) -> _Line | None:
    """A line whose word may hold separators: its last fields are the numbers."""
    separator = bytes([layout.separator])
    fields = raw.rstrip(b"\r").rstrip(separator).split(separator)
    wanted, numbers = layout.dimension, _numbers_at_the_end(raw.rstrip(b"\r"), layout.separator)
    if not raw.strip():
        repairs.need(f"{where}: the line is empty.")
        return None
    if fields[0] == b"" and len(fields) == wanted + 1:
        repairs.need(f"{where}: there is no word before the numbers.")
        return None
    if len(fields) <= wanted or numbers < wanted:
        odd = next((f for f in reversed(fields[1:]) if _value(f) is None), None)
        found = f"found {numbers}" + (f" and '{_cut(odd)}'" if odd is not None else "")
        repairs.need(f"{where}: expected {wanted} numbers after the word, {found}.")
        return None
    if len(fields) > wanted + 1 and _value(fields[-wanted - 1]) is not None:
        repairs.need(f"{where}: expected {wanted} numbers after the word, found {numbers}.")
        return None
    with np.errstate(over="ignore"):
        values = np.array([float(field) for field in fields[-wanted:]]).astype(np.float32)
    if not np.isfinite(values).all():
        bad = fields[-wanted:][int(np.argmin(np.isfinite(values)))]
        repairs.need(f"{where}: '{_cut(bad)}' is not a finite number.")
        return None
    return _Line(separator.join(fields[:-wanted]), values)


def _check_number(
    path: str, layout: Layout, filled: int, line: int, settings: Settings, repairs: Repairs
) -> None:
    if layout.rows is None or (settings.limit is not None and filled >= settings.limit):
        return
    found = line - layout.first_line
    if found != layout.rows:
        sentence = f"{path}: the header announces {layout.rows:,} words, found {found:,} lines."
        if settings.on_error == "stop":
            raise BadData(f"{sentence} The file is cut off or its header is wrong; "
                          "--on-error skip reads what is there.")
        repairs.note(sentence)


def _cut(raw: bytes) -> str:
    return shown(raw[:200].decode("utf-8", "replace"), 40)
