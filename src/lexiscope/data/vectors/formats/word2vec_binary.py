"""Reader of the binary word2vec format: a header line, then word, space and float32 numbers."""

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data.vectors.formats.stream import (
    LONGEST_WORD,
    Repairs,
    Rows,
    Settings,
    Source,
    Words,
    check_shape,
    clean,
    finite_rows,
)
from lexiscope.data.vectors.formats.text_layout import header_of, numbers_at_the_end

_LONGEST_HEADER = 4096
_SAMPLE = 20  # lines
_RAW = bytes(
    byte for byte in range(32) if byte not in b"\t\n\v\f\r"
)  # occur in binary numbers, not in text


def looks_binary(source: Source) -> bool:
    """Whether a header line is followed by binary records, or at least not by text."""
    first, newline, _ = source.head[:_LONGEST_HEADER].partition(b"\n")
    header = header_of(first) if newline else None
    if header is None or min(header) < 1:
        return False
    body = source.head[len(first) + 1 :]
    if _mostly_rows(body, header[1]):
        # Binary numbers can look like digits: if both formats fit, the file name decides.
        return ".bin" in source.path.lower() and _all_records(body, *header)
    # Broken text is still text: binary numbers contain bytes that no text has.
    return _all_records(body, *header) or _holds_raw_bytes(body[:_LONGEST_HEADER])


def _mostly_rows(body: bytes, dimension: int) -> bool:
    lines = [line for line in body.split(b"\n", _SAMPLE)[:_SAMPLE] if line]
    return 2 * sum(_is_row(line, dimension) for line in lines) > len(lines)


def _is_row(line: bytes, dimension: int) -> bool:
    found = max(numbers_at_the_end(line, 32), numbers_at_the_end(line, 9))
    return found == dimension or found == len(line.split()) - 1 > 0


def _all_records(body: bytes, number: int, dimension: int) -> bool:
    """Whether exactly the announced records fill these bytes."""
    position = 0
    for _ in range(number):
        space = body.find(b" ", position, position + LONGEST_WORD + 2)
        if space < 0:
            return False
        position = space + 1 + 4 * dimension
        if position > len(body):
            return False
    return not body[position:].strip(b"\n")


def _holds_raw_bytes(sample: bytes) -> bool:
    if len(sample.translate(None, _RAW)) < len(sample):
        return True
    try:
        sample.decode("utf-8")
    except UnicodeDecodeError as problem:
        return problem.start < len(sample) - 3  # the sample may end within a character
    return False


def read(source: Source, settings: Settings) -> Embedding:
    """Read the embedding in a binary file."""
    first = source.head.partition(b"\n")[0]
    shape = header_of(first)
    assert shape is not None
    number, dimension = shape
    start = len(first) + 1
    capacity = None if source.size is None else source.size - start
    check_shape(source.path, number, dimension, capacity, 4 * dimension + 2)
    wanted = number if settings.limit is None else min(number, settings.limit)
    repairs = Repairs(settings)
    records = _Records(source.path, number, wanted, _new_rows(source, wanted, dimension), Words())
    chunks = source.chunks(start)
    rest = records.fill(chunks, start)
    records.check_end(rest, chunks, repairs)
    return _embedding(source.path, records.rows, records.words, repairs)


def _new_rows(source: Source, wanted: int, dimension: int) -> Rows:
    # The header of a compressed file cannot be checked against its size: start small, then grow.
    known = source.size is not None
    return Rows(wanted if known else min(wanted, (1 << 26) // dimension + 1), dimension)


class _Records(NamedTuple):
    """The records read so far; `wanted` of the `number` that the header announces."""

    path: str
    number: int
    wanted: int
    rows: Rows
    words: Words

    def fill(self, chunks: Iterator[bytes], position: int) -> bytes:
        """Read all wanted records; return the bytes that were not used."""
        rest = b""
        for chunk in chunks:
            rest += chunk
            used = self._add(np.frombuffer(rest, np.uint8), position)
            position += used
            rest = rest[used:]
            if self.rows.filled == self.wanted:
                break
        return rest

    def _add(self, raw: NDArray[np.uint8], position: int) -> int:
        """Add the complete records in `raw`, which begins at byte `position`; return bytes used."""
        from lexiscope.kernels.parsing import decimals
        from lexiscope.kernels.parsing import word2vec_binary as records

        width = 4 * self.rows.table.shape[1]
        most = min(self.wanted - self.rows.filled, len(raw) // (width + 1) + 1)
        starts, ends = np.empty(most, np.int64), np.empty(most, np.int64)
        found, reached, state = records.find_records(
            raw, 0, most, width, LONGEST_WORD, starts, ends
        )
        if state == records.NO_SPACE:
            raise BadData(
                f"{self.path}: byte {position + reached}: word {self.rows.filled + found + 1:,} of "
                f"{self.number:,} has no space within {LONGEST_WORD:,} bytes. The header's "
                "dimension is wrong, or the file is damaged."
            )
        starts, ends = starts[:found], ends[:found]
        records.copy_vectors(raw, ends, self.rows.next_rows(found).view(np.uint8))
        self.rows.filled += found
        block = np.empty(int((ends - starts).sum()), np.uint8)
        block_ends = np.empty(found, np.int64)
        decimals.gather(raw, starts, ends, block, block_ends, 0)
        self.words.add(block, block_ends, starts + position)
        return int(reached)

    def check_end(self, rest: bytes, chunks: Iterator[bytes], repairs: Repairs) -> None:
        """Report missing records and surplus bytes."""
        filled = self.rows.filled
        if filled == 0:
            raise BadData(f"{self.path}: ends within the first word. Download the file again.")
        if filled < self.wanted:
            repairs.reject(
                f"{self.path}: the header announces {self.number:,} words, but the file ends "
                f"within word {filled + 1:,}. It is truncated or its header is wrong.",
                "--on-error skip reads what is there",
            )
        elif filled == self.number and any(part.strip(b"\n") for part in chain((rest,), chunks)):
            repairs.reject(
                f"{self.path}: there are bytes after the last of the {self.number:,} words that "
                "the header announces. The header is wrong.",
                "--on-error skip leaves them out",
            )


def _embedding(path: str, rows: Rows, words: Words, repairs: Repairs) -> Embedding:
    cleaned = clean(path, "byte", words, repairs)
    vectors = rows.finished()
    finite = finite_rows(vectors)
    keep = np.arange(len(vectors)) if cleaned.keep is None else cleaned.keep
    if not finite.all():
        positions = np.concatenate(words.positions)
        for row in keep[~finite[keep]].tolist():
            repairs.reject(f"{path}: byte {positions[row]}: the vector of this word is not finite.")
    kept = finite[keep]
    names = cleaned.words
    if cleaned.keep is not None or not kept.all():
        names = tuple(word for word, good in zip(names, kept.tolist(), strict=True) if good)
        vectors = vectors[keep[kept]]
    if not names:
        raise BadData(f"{path}: contains no usable vectors.")
    return Embedding("", Vocabulary(names), vectors, repairs=repairs.finished())
