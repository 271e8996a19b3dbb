"""Lines of text vectors: a kernel parses blocks of them, and Python what it cannot parse."""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.errors import BadData
from lexiscope.core.machine import threads
from lexiscope.data.vectors.formats.stream import Bytes, Repairs, Rows, Source, Words
from lexiscope.data.vectors.formats.text_layout import (
    Layout,
    count_numbers,
    excerpt,
    fields,
    value_of,
)

_LONGEST_LINE = 1 << 22
_MOST_THREADS = 8  # more of them wait for the file, and each holds a block


@dataclass(frozen=True, eq=False)
class Lines:
    """Lines of a block, and what the kernel found in them: `state` says where it failed.

    `starts` has the first byte of each line in `text`, and the byte after the last line.
    """

    text: Bytes
    layout: Layout
    starts: NDArray[np.int64]
    word_ends: NDArray[np.int64]
    state: NDArray[np.uint8]
    vectors: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.state)

    def part(self, first: int, last: int) -> "Lines":
        """Some of these lines."""
        return replace(
            self,
            starts=self.starts[first : last + 1],
            word_ends=self.word_ends[first:last],
            state=self.state[first:last],
            vectors=self.vectors[first:last],
        )

    def add_to(self, rows: Rows, words: Words, repairs: Repairs, path: str, line: int) -> None:
        """Append the rows and the words; `line` is the number of the first line in the file."""
        keep = self._parse_others(repairs, path, line)
        vectors, kept = self.vectors, np.arange(len(self))
        if not keep.all():
            vectors, kept = vectors[keep], np.flatnonzero(keep)
        rows.next_rows(len(kept))[:] = vectors
        rows.filled += len(kept)
        words.gather(self.text, self.starts[kept], self.word_ends[kept], kept + line)

    def _parse_others(self, repairs: Repairs, path: str, line: int) -> NDArray[np.bool_]:
        """Parse the lines that the kernel rejected one by one; return which rows are valid."""
        keep = np.ones(len(self), bool)
        for row in np.flatnonzero(self.state).tolist():
            start, end = int(self.starts[row]), int(self.starts[row + 1]) - 1
            raw = self.text[start:end].tobytes()
            found = _parse_line(raw, self.layout, f"{path}{line + row}", repairs)
            if found is None:
                keep[row] = False
            else:
                self.word_ends[row] = start + len(found.word)
                self.vectors[row] = found.numbers
        return keep


def parsed_lines(source: Source, layout: Layout) -> Iterator[Lines]:
    """All lines in order; each thread parses a block, so that only a few are in memory."""
    workers = min(threads(), _MOST_THREADS)
    coming: deque[Future[Lines]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        for text in _blocks(source, layout.start):
            coming.append(pool.submit(_parse, text, layout, 0))
            if len(coming) > workers:
                yield from _whole_block(coming.popleft().result())
        while coming:
            yield from _whole_block(coming.popleft().result())


def _whole_block(lines: Lines) -> Iterator[Lines]:
    """These lines, and those of the block for which there were too few rows."""
    from lexiscope.kernels.parsing.rows import PADDING

    yield lines
    while (reached := int(lines.starts[-1])) < len(lines.text) - PADDING:
        lines = _parse(lines.text, lines.layout, reached)
        yield lines


def _parse(text: Bytes, layout: Layout, start: int) -> Lines:
    """Parse a block from a byte on, but not more lines than full ones fit into it."""
    from lexiscope.kernels.parsing.rows import PADDING, parse_block

    end = len(text) - PADDING
    # A line has two bytes for each number, so only empty and broken lines need more rows.
    rows = (end - start) // (2 * layout.dimension + 2) + 1
    vectors = np.empty((rows, layout.dimension), np.float32)
    starts, word_ends = np.empty(rows + 1, np.int64), np.empty(rows, np.int64)
    state = np.empty(rows, np.uint8)
    found, _ = parse_block(text, start, end, layout.separator, vectors, starts, word_ends, state)
    lines = Lines(text, layout, starts, word_ends, state, vectors)
    return lines.part(0, found)


def _blocks(source: Source, start: int) -> Iterator[Bytes]:
    """Blocks of whole lines, with bytes after each that the kernel may read."""
    from lexiscope.kernels.parsing.rows import PADDING

    padding = bytes(PADDING)
    rest = b""
    for chunk in source.chunks(start):
        end = chunk.rfind(b"\n") + 1
        if end:
            yield np.frombuffer(b"".join((rest, memoryview(chunk)[:end], padding)), np.uint8)
            rest = chunk[end:]
            continue
        rest += chunk
        if len(rest) > _LONGEST_LINE:
            raise BadData(
                f"{source.path}: no line ends within {_LONGEST_LINE:,} bytes. "
                "The file is damaged or not a vector file."
            )
    if rest.strip(b" \r\n"):
        yield np.frombuffer(b"".join((rest, b"\n", padding)), np.uint8)


class _Line(NamedTuple):
    word: bytes
    numbers: NDArray[np.float32]


def _parse_line(raw: bytes, layout: Layout, where: str, repairs: Repairs) -> _Line | None:
    """Parse a line whose word may contain separators: its last fields are the numbers."""
    found, wanted = fields(raw, layout.separator), layout.dimension
    problem = _line_error(found, wanted)
    if not problem:
        with np.errstate(over="ignore"):
            values = np.array([float(field) for field in found[-wanted:]]).astype(np.float32)
        if np.isfinite(values).all():
            return _Line(bytes([layout.separator]).join(found[:-wanted]), values)
        odd = found[-wanted:][int(np.argmin(np.isfinite(values)))]
        problem = f"'{excerpt(odd)}' is not a finite number of 32 bits"
    repairs.reject(f"{where}: {problem}.")
    return None


def _line_error(fields: list[bytes], wanted: int) -> str:
    found = count_numbers(fields)
    if not any(fields):
        return "the line is empty"
    if found < wanted:
        odd = next((f for f in reversed(fields[1:]) if value_of(f) is None), None)
        also = f" and '{excerpt(odd)}'" if odd is not None else ""
        return f"expected {wanted} numbers after the word, found {found}{also}"
    if not any(fields[:-wanted]):
        return "there is no word before the numbers"
    if len(fields) > wanted + 1 and value_of(fields[-wanted - 1]) is not None:
        return f"expected {wanted} numbers after the word, found {found}"
    return ""
