"""Reader of floret files (.floret): rows of hashed n-grams as text, and no words.

The first line: rows, dimensions, shortest and longest n-gram, number and seed of the hashes, and
the marks of the beginning and the end of a word. Each other line: a row number and its vector.
"""

import re

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data.vectors.formats.stream import Settings, Source, check_shape, finite_rows
from lexiscope.data.vectors.subwords.ngrams import FloretNGrams, check_lengths

_HEADER = re.compile(rb"(\d{1,12}) (\d{1,12}) (\d{1,6}) (\d{1,6}) (\d{1,6}) (\d{1,12}) (\S+) (\S+)")
_LONGEST_HEADER = 4096


def looks_floret(head: bytes) -> bool:
    """Whether the first line is that of a floret file: six numbers, then two marks."""
    first, newline, rest = head[:_LONGEST_HEADER].partition(b"\n")
    return bool(newline and _HEADER.fullmatch(first.rstrip())) and rest[:2] == b"0 "


def read(source: Source, settings: Settings) -> Embedding:
    """Read a floret file."""
    path = source.path
    first = source.head[:_LONGEST_HEADER].partition(b"\n")[0]
    match = _HEADER.fullmatch(first.rstrip())
    assert match is not None
    rows, dimension, shortest, longest, hashes, seed = map(int, match.groups()[:6])
    start = len(first) + 1
    capacity = None if source.size is None else source.size - start
    check_shape(path, rows, dimension, capacity, 2 * dimension + 2)
    table = _table(source, start, rows, dimension)
    try:
        marks = match[7].decode(), match[8].decode()
    except UnicodeDecodeError:
        raise BadData(f"{path}:1: the marks of words are not UTF-8.") from None
    return embedding_of(path, FloretNGrams(table, shortest, longest, hashes, seed, *marks))


def embedding_of(path: str, ngrams: FloretNGrams) -> Embedding:
    """Return an embedding without words, whose vectors are computed from n-grams."""
    check_lengths(path, ngrams.shortest, ngrams.longest)
    marks = len(ngrams.begin) + len(ngrams.end)
    if not 1 <= ngrams.hashes <= 4 or not 0 <= ngrams.seed < 1 << 32 or marks > 64:
        raise BadData(
            f"{path}: announces hashes or marks that floret does not have. The file is damaged."
        )
    if not finite_rows(ngrams.table).all():
        raise BadData(f"{path}: a vector is not finite.")
    none = np.empty((0, ngrams.table.shape[1]), np.float32)
    return Embedding("", Vocabulary(()), none, subwords=ngrams)


def _table(source: Source, start: int, rows: int, dimension: int) -> NDArray[np.float32]:
    """The vectors, line by line: the line of a row begins with its number."""
    path, content = source.path, source.everything()
    if rows * (2 * dimension + 2) > len(content):
        raise BadData(f"{path}:1: announces more vectors than the file contains. It is truncated.")
    table = np.empty((rows, dimension), np.float32)
    for row in range(rows):
        end = content.find(b"\n", start)
        line = content[start : end if end >= 0 else len(content)].split()
        if len(line) != dimension + 1 or line[0] != b"%d" % row:
            raise BadData(
                f"{path}:{row + 2}: expected the number {row} and {dimension:,} numbers, found "
                f"{len(line):,} fields. The file is truncated or damaged."
            )
        try:
            with np.errstate(over="ignore"):  # infinity is refused later
                table[row] = np.array(line[1:], "S").astype(np.float64)
        except ValueError:
            raise BadData(f"{path}:{row + 2}: contains text where a number is expected.") from None
        start = end + 1 if end >= 0 else len(content)
    if content[start:].strip():
        raise BadData(f"{path}: has more lines than the {rows:,} vectors that it announces.")
    return table
