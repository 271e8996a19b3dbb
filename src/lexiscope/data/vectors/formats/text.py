"""Reader of text vectors: word2vec and fastText (with a header line) and GloVe (without)."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.core.machine import threads
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data.vectors.formats.stream import (
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
_NEWLINE = 10
_SAMPLE = 50  # lines
_ALLOCATION = 1 << 26  # bytes of vectors at once
_SPACE, _TAB = 32, 9


class Layout(NamedTuple):
    """The layout of a text file; `rows` is the number in the header, if there is one."""

    start: int
    first_line: int
    rows: int | None
    dimension: int
    separator: int


def read(source: Source, settings: Settings) -> Embedding:
    """Read the embedding in a text file."""
    layout = detect_layout(source)
    repairs = Repairs(settings)
    rows, words = Rows(_expected(source, layout, settings), layout.dimension), Words()
    line = layout.first_line
    with ThreadPoolExecutor(threads()) as pool:
        for text in _parts(source, layout, settings, rows):
            line += _Chunk(text, line, layout, source.path).parse(rows, words, repairs, pool)
    if rows.filled == 0:
        raise BadData(f"{source.path}: contains no vectors.")
    _check_number(source.path, layout, rows.filled, line, settings, repairs)
    return _embedding(source.path, rows, words, settings, repairs)


def _embedding(
    path: str, rows: Rows, words: Words, settings: Settings, repairs: Repairs
) -> Embedding:
    cleaned = clean(path, "line", words, repairs)
    if not cleaned.words:
        raise BadData(f"{path}: contains no usable vectors.")
    vectors = rows.finished()
    if cleaned.keep is not None:
        vectors = vectors[cleaned.keep]
    found = Embedding("", Vocabulary(cleaned.words), vectors, repairs=repairs.finished())
    return found if settings.limit is None else found.first(settings.limit)


def detect_layout(source: Source) -> Layout:
    """Detect header, dimension and separator from the first lines."""
    start = len(_BOM) if source.head.startswith(_BOM) else 0
    lines = _first_lines(source, start)
    header = header_of(lines[0])
    body = lines[1:] if header else lines
    separator = max((_SPACE, _TAB), key=lambda each: _usual_dimension(body, each))
    dimension = _usual_dimension(body, separator)
    if header is None or _is_first_row(header, dimension, body):
        return _without_header(source, start, lines, separator)
    size = source.head.find(b"\n", start) + 1 or len(source.head)
    # The last line may lack its line end.
    capacity = None if source.size is None else source.size - size + 1
    check_shape(source.path, *header, capacity, 2 * header[1] + 1)
    if dimension not in (0, header[1]):
        raise BadData(
            f"{source.path}:2: the header announces {header[1]:,} numbers for each word, "
            f"found {dimension:,}. The header is wrong, or this is not a vector file."
        )
    return Layout(size, 2, *header, separator)


def _without_header(source: Source, start: int, lines: list[bytes], separator: int) -> Layout:
    dimension = _usual_dimension(lines, separator)
    if not dimension:
        raise BadData(
            f"{source.path}:1: expected a word and numbers, found '{_excerpt(lines[0])}'. "
            "Is this a vector file?"
        )
    if dimension > MOST_DIMENSIONS:
        raise BadData(
            f"{source.path}:1: {dimension:,} numbers; the maximum is {MOST_DIMENSIONS:,}."
        )
    return Layout(start, 1, None, dimension, separator)


def _first_lines(source: Source, start: int) -> list[bytes]:
    lines = source.head[start:].split(b"\n", _SAMPLE + 1)[: _SAMPLE + 1]
    if len(source.head) >= HEAD:
        if len(lines) == 1:
            raise BadData(
                f"{source.path}:1: no line ends within {HEAD:,} bytes: not a vector file."
            )
        lines = lines[:-1]  # the last one may be incomplete
    return [line.rstrip(b"\r") for line in lines]


def header_of(line: bytes) -> tuple[int, int] | None:
    """Return the two integers of a header line, or None for another line."""
    fields = line.split()
    if len(fields) == 2 and all(_is_integer(field) for field in fields):
        return int(fields[0]), int(fields[1])
    return None


def _is_integer(field: bytes) -> bool:
    return len(field) <= 100 and field.removeprefix(b"-").isdigit()


def _is_first_row(header: tuple[int, int], dimension: int, body: list[bytes]) -> bool:
    # "1990 3" before rows of one number each is a word and its number, unless it counts the rows.
    return dimension == 1 != header[1] and header[0] != sum(map(bool, body))


def _usual_dimension(lines: list[bytes], separator: int) -> int:
    """The most common number of numbers at the end of the first lines; ties go to the first."""
    found = [number for line in lines if (number := numbers_at_the_end(line, separator))]
    return Counter(found).most_common(1)[0][0] if found else 0


def numbers_at_the_end(line: bytes, separator: int) -> int:
    """Return how many numbers are at the end of a line, after the first field."""
    return _numbers(_fields(line, separator))


def _fields(line: bytes, separator: int) -> list[bytes]:
    return line.rstrip(b" \t\r").split(bytes([separator]))


def _numbers(fields: list[bytes]) -> int:
    odd = (n for n, field in enumerate(reversed(fields[1:])) if value_of(field) is None)
    return next(odd, len(fields) - 1)


def value_of(field: bytes) -> float | None:
    """Return the number in a field, or None."""
    if b"_" in field or field != field.strip():
        return None
    try:
        return float(field)
    except ValueError:
        return None


def _expected(source: Source, layout: Layout, settings: Settings) -> int:
    """The number of rows to allocate; more are added when needed."""
    if settings.limit is not None:
        guess = settings.limit
    elif layout.rows is not None:
        guess = layout.rows
    else:
        lines = max(source.head.count(b"\n"), 1)
        size = source.size if source.size is not None else len(source.head)
        guess = int(size / (len(source.head) / lines) * 1.05) + 1
    # The header of a compressed file cannot be checked against its size: start small, then grow.
    most = _ALLOCATION // layout.dimension
    if source.size is not None:
        most = source.size // (2 * layout.dimension + 1)
    return max(1, min(guess, most))


def _parts(source: Source, layout: Layout, settings: Settings, rows: Rows) -> Iterator[bytes]:
    """Blocks of complete lines, limited in size, up to the word limit."""
    for text in _whole_lines(source, layout.start):
        most = _ALLOCATION // (4 * layout.dimension)
        if settings.limit is not None:
            most = min(most, settings.limit - rows.filled)
        for part in _split(text, max(most, 1)):
            if settings.limit is not None and rows.filled >= settings.limit:
                return
            yield part


def _split(text: bytes, most: int) -> Iterator[bytes]:
    """The same lines, at most `most` at once: even an empty line needs a row of memory."""
    if np.count_nonzero(np.frombuffer(text, np.uint8) == _NEWLINE) <= most:
        yield text
        return
    ends = np.flatnonzero(np.frombuffer(text, np.uint8) == 10)[most - 1 :: most] + 1
    for start, end in pairwise([0, *ends.tolist(), len(text)]):
        if start < end:
            yield text[start:end]


def _whole_lines(source: Source, start: int) -> Iterator[bytes]:
    """Chunks that end with a complete line."""
    rest = b""
    for chunk in source.chunks(start):
        end = chunk.rfind(b"\n") + 1
        if end == 0:
            rest += chunk
            if len(rest) > _LONGEST_LINE:
                raise BadData(
                    f"{source.path}: no line ends within {_LONGEST_LINE:,} bytes. "
                    "The file is damaged or not a vector file."
                )
            continue
        yield rest + chunk[:end] if rest else chunk[:end]
        rest = chunk[end:]
    if rest.strip(b" \r\n"):
        yield rest + b"\n"


class _Chunk(NamedTuple):
    """Complete lines of the file; `line` is the number of the first."""

    text: bytes
    line: int
    layout: Layout
    path: str

    def parse(self, rows: Rows, words: Words, repairs: Repairs, pool: ThreadPoolExecutor) -> int:
        """Append the rows and words of these lines; return the number of lines."""
        from lexiscope.kernels.parsing import decimals

        raw = np.frombuffer(self.text, np.uint8)
        starts = np.concatenate([[0], np.flatnonzero(raw == _NEWLINE) + 1])
        lines = len(starts) - 1
        vectors = rows.next_rows(lines)
        word_ends, state = np.zeros(lines, np.int64), np.zeros(lines, np.uint8)

        def part(first: int, last: int) -> None:
            separator = self.layout.separator
            decimals.parse_rows(raw, starts, first, last, separator, vectors, word_ends, state)

        bounds = np.linspace(0, lines, threads() + 1).astype(int).tolist()
        list(pool.map(part, bounds[:-1], bounds[1:]))
        keep = self._reread(state, starts, vectors, word_ends, repairs)
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
        from lexiscope.kernels.parsing import decimals

        block = np.empty(int((word_ends - starts).sum()), np.uint8)
        ends = np.empty(len(starts), np.int64)
        decimals.gather(raw, starts, word_ends, block, ends, 0)
        words.add(block, ends, lines + self.line)

    def _reread(
        self,
        state: NDArray[np.uint8],
        starts: NDArray[np.int64],
        vectors: NDArray[np.float32],
        word_ends: NDArray[np.int64],
        repairs: Repairs,
    ) -> NDArray[np.bool_]:
        """Read the lines that the kernel rejected one by one; return which rows are valid."""
        keep = np.ones(len(state), bool)
        for row in np.flatnonzero(state).tolist():
            start, end = int(starts[row]), int(starts[row + 1]) - 1
            where = f"{self.path}:{self.line + row}"
            read = _parse_line(self.text[start:end], self.layout, where, repairs)
            if read is None:
                keep[row] = False
            else:
                word_ends[row] = start + len(read.word)
                vectors[row] = read.numbers
        return keep


class _Line(NamedTuple):
    word: bytes
    numbers: NDArray[np.float32]


def _parse_line(raw: bytes, layout: Layout, where: str, repairs: Repairs) -> _Line | None:
    """Parse a line whose word may contain separators: its last fields are the numbers."""
    fields, wanted = _fields(raw, layout.separator), layout.dimension
    problem = _line_error(fields, wanted)
    if not problem:
        with np.errstate(over="ignore"):
            values = np.array([float(field) for field in fields[-wanted:]]).astype(np.float32)
        if np.isfinite(values).all():
            return _Line(bytes([layout.separator]).join(fields[:-wanted]), values)
        odd = fields[-wanted:][int(np.argmin(np.isfinite(values)))]
        problem = f"'{_excerpt(odd)}' is not a finite number of 32 bits"
    repairs.reject(f"{where}: {problem}.")
    return None


def _line_error(fields: list[bytes], wanted: int) -> str:
    found = _numbers(fields)
    if not any(fields):
        return "the line is empty"
    if found < wanted:
        odd = next((f for f in reversed(fields[1:]) if value_of(f) is None), None)
        also = f" and '{_excerpt(odd)}'" if odd is not None else ""
        return f"expected {wanted} numbers after the word, found {found}{also}"
    if not any(fields[:-wanted]):
        return "there is no word before the numbers"
    if len(fields) > wanted + 1 and value_of(fields[-wanted - 1]) is not None:
        return f"expected {wanted} numbers after the word, found {found}"
    return ""


def _check_number(
    path: str, layout: Layout, filled: int, line: int, settings: Settings, repairs: Repairs
) -> None:
    if layout.rows is None or (settings.limit is not None and filled >= settings.limit):
        return
    found = line - layout.first_line
    if found != layout.rows:
        message = f"{path}: the header announces {layout.rows:,} words, found {found:,} lines."
        if settings.on_error == "stop":
            raise BadData(
                f"{message} The file is truncated or its header is wrong; "
                "--on-error skip reads what is there."
            )
        repairs.note(message)


def _excerpt(raw: bytes) -> str:
    return shown(raw[:200].decode("utf-8", "replace"), 40)
