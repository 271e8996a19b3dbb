"""Reader of fastText models (.bin): words and character n-grams.

The file: a magic number, a version, 12 settings, the dictionary (word, count and type of each
entry), then the input vectors of words and n-gram buckets. The output vectors are not read.
"""

import struct
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data.vectors.formats.stream import (
    LONGEST_WORD,
    MOST_DIMENSIONS,
    MOST_ROWS,
    Repairs,
    Settings,
    Source,
    Words,
    clean,
    finite_rows,
)
from lexiscope.data.vectors.subwords.ngrams import FastTextNGrams, check_lengths, joined

MAGIC = struct.pack("<i", 793_712_314)
_VERSIONS = (11, 12)
_SETTINGS = struct.Struct("<12id")
_SIZES = struct.Struct("<3i2q")
_ENTRY = struct.Struct("<qb")
_MATRIX = struct.Struct("<2q")
_END_OF_SENTENCE = b"</s>"
_SUPERVISED = 3
_QUANTISED = (
    "is quantised (.ftz), which changes the vectors. Give the .bin file that it was made from."
)

Buffer = NDArray[np.uint8]


class _Header(NamedTuple):
    """The settings of a model, and the sizes of its dictionary."""

    version: int
    dimension: int
    kind: int
    buckets: int
    shortest: int
    longest: int
    words: int
    start: int

    @property
    def has_ngrams(self) -> bool:
        """Whether words have n-grams; old classifiers have none, whatever their settings."""
        return self.longest > 0 and not (self.version == 11 and self.kind == _SUPERVISED)


class _Dictionary(NamedTuple):
    """The words as bytes, the byte where each begins, their counts, and the byte after them."""

    words: list[bytes]
    positions: list[int]
    counts: list[int]
    end: int


def read(source: Source, settings: Settings) -> Embedding:
    """Read the words of a fastText model, with n-grams for out-of-vocabulary words."""
    path, content = source.path, _content(source)
    header = _header(path, content)
    found = _dictionary(path, content, header)
    table = _table(path, content, header, found.end)
    number = header.words if settings.limit is None else min(header.words, settings.limit)
    last = header.words + (max(0, header.buckets) if header.has_ngrams else 0)
    buckets = table[header.words : last]
    ngrams = FastTextNGrams(buckets, header.shortest, header.longest)
    words = found.words[:number]
    whole = [word != _END_OF_SENTENCE for word in words]
    vectors = ngrams.vectors_with(table[:number], words, whole)
    embedding = _embedding(path, found, vectors, Repairs(settings))
    notes = _notes(path, header)
    subwords = ngrams if len(buckets) else None
    return replace(embedding, subwords=subwords, repairs=(*notes, *embedding.repairs))


def _content(source: Source) -> Buffer:
    if source.size is None:
        return np.frombuffer(source.everything(), np.uint8)
    return np.memmap(source.path, np.uint8, "r")


def _unpacked(
    path: str, content: Buffer, layout: struct.Struct, start: int, what: str
) -> tuple[int, ...]:
    if start + layout.size > len(content):
        raise BadData(
            f"{path}: ends at byte {len(content):,}, within {what}. Download the file again."
        )
    return layout.unpack(content[start : start + layout.size].tobytes())


def _header(path: str, content: Buffer) -> _Header:
    (version,) = _unpacked(path, content, struct.Struct("<4xi"), 0, "its header")
    if version not in _VERSIONS:
        raise BadData(
            f"{path}: is a fastText model of version {version}; versions 11 and 12 are read. "
            "Write a .vec file with 'fasttext print-word-vectors'."
        )
    fields = _unpacked(path, content, _SETTINGS, 8, "its settings")
    dimension, (kind, buckets, shortest, longest) = fields[0], fields[7:11]
    start = 8 + _SETTINGS.size
    size, words, labels, _tokens, pruned = _unpacked(path, content, _SIZES, start, "its dictionary")
    _check_number(path, "dimensions", dimension, MOST_DIMENSIONS)
    _check_number(path, "words", words, MOST_ROWS)
    check_lengths(path, shortest, longest)
    if size != words + labels or labels < 0:
        raise BadData(
            f"{path}: announces {size:,} entries, but {words:,} words and {labels:,} labels. The "
            "file is damaged."
        )
    if pruned > 0:
        raise BadData(f"{path}: {_QUANTISED}")
    start += _SIZES.size
    return _Header(version, dimension, kind, buckets, shortest, longest, words, start)


def _check_number(path: str, what: str, found: int, most: int) -> None:
    if not 0 < found <= most:
        raise BadData(f"{path}: announces {found:,} {what}; must be 1 to {most:,}.")


def _dictionary(path: str, content: Buffer, header: _Header) -> _Dictionary:
    """The words, which come before the labels; the labels are skipped."""
    sizes = _SIZES.unpack(content[header.start - _SIZES.size : header.start].tobytes())
    entries = sizes[0]
    if entries * (_ENTRY.size + 1) > len(content) - header.start:
        raise BadData(
            f"{path}: announces {entries:,} words and labels, more than the file can contain. It "
            "is truncated or damaged."
        )
    raw = content.data
    words, positions, counts = [], [], []
    start = header.start
    for number in range(entries):
        window = raw[start : start + LONGEST_WORD + 1].tobytes()
        length = window.find(b"\0")
        if length < 0 or start + length + 1 + _ENTRY.size > len(content):
            raise BadData(
                f"{path}: byte {start}: entry {number + 1:,} of {entries:,} has no end within "
                f"{LONGEST_WORD:,} bytes. The file is truncated or damaged."
            )
        count, kind = _ENTRY.unpack_from(raw, start + length + 1)
        if kind != (number >= header.words) or count < 0:
            raise BadData(
                f"{path}: byte {start}: entry {number + 1:,} has type {kind} and count {count:,}. "
                "The file is damaged."
            )
        if number < header.words:
            words.append(window[:length])
            positions.append(start)
            counts.append(count)
        start += length + 1 + _ENTRY.size
    return _Dictionary(words, positions, counts, start)


def _table(path: str, content: Buffer, header: _Header, start: int) -> NDArray[np.float32]:
    """The input vectors of words and buckets, without a copy."""
    (quantised,) = _unpacked(path, content, struct.Struct("<b"), start, "its vectors")
    if quantised == 1:
        raise BadData(f"{path}: {_QUANTISED}")
    if quantised:
        raise BadData(f"{path}: byte {start}: the byte before its vectors is damaged.")
    rows, dimension = _unpacked(path, content, _MATRIX, start + 1, "its vectors")
    buckets = max(0, header.buckets) if header.has_ngrams else 0
    if dimension != header.dimension or rows < header.words + buckets:
        raise BadData(
            f"{path}: byte {start + 1}: {rows:,} vectors of {dimension:,} dimensions for "
            f"{header.words:,} words and {buckets:,} buckets of {header.dimension:,}. The file is "
            "damaged."
        )
    begin = start + 1 + _MATRIX.size
    if rows > (len(content) - begin) // (4 * dimension):
        raise BadData(
            f"{path}: byte {start + 1}: {rows:,} vectors of {dimension:,} dimensions need "
            f"{4 * rows * dimension:,} bytes, but only {len(content) - begin:,} follow. The file "
            "is truncated."
        )
    return np.ndarray((rows, dimension), "<f4", content[begin:].data)


def _embedding(
    path: str, found: _Dictionary, vectors: NDArray[np.float32], repairs: Repairs
) -> Embedding:
    number = len(vectors)
    listed = Words()
    listed.add(*joined(found.words[:number]), np.array(found.positions[:number], np.int64))
    cleaned = clean(path, "byte", listed, repairs)
    keep = np.arange(number) if cleaned.keep is None else cleaned.keep
    finite = finite_rows(vectors)[keep]
    for row in keep[~finite].tolist():
        repairs.reject(
            f"{path}: byte {found.positions[row]}: the vector of this word is not finite."
        )
    names = tuple(word for word, good in zip(cleaned.words, finite.tolist(), strict=True) if good)
    if not names:
        raise BadData(f"{path}: contains no usable vectors.")
    rows = keep[finite]
    counts = np.array(found.counts[:number], np.int64)[rows]
    kept = vectors if len(rows) == number else vectors[rows]
    return Embedding("", Vocabulary(names), kept, counts, repairs=repairs.finished())


def _notes(path: str, header: _Header) -> tuple[str, ...]:
    if header.kind != _SUPERVISED:
        return ()
    return (
        f"{path}: is a fastText classifier: its vectors were trained to predict labels, not "
        "context words.",
    )
