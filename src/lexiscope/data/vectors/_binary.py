"""word2vec's binary format: a header line, then a word, a space and raw float32 for each."""

from collections.abc import Iterator

import numpy as np

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data.vectors._reading import (
    LONGEST_WORD,
    Repairs,
    Rows,
    Settings,
    Source,
    Words,
    check_shape,
    clean,
)
from lexiscope.data.vectors._text import _header, _numbers_at_the_end

_LONGEST_HEADER = 4096


def looks_binary(source: Source) -> bool:
    """A header line of two whole numbers, then something that is no line of numbers."""
    first, newline, rest = source.head[:_LONGEST_HEADER].partition(b"\n")
    header = _header(first, 32) if newline else None
    if header is None or not rest:
        return False
    line = source.head[len(first) + 1 :].partition(b"\n")[0]
    number = _numbers_at_the_end(line.rstrip(b"\r"), 32)
    if number == header[1] or number == len(line.split(b" ")) - 1 > 0:
        return False
    # Text that is merely broken stays text: raw numbers hold bytes that no text has.
    return b"\0" in line or any(byte < 9 or 13 < byte < 32 for byte in line) or not _utf8(line)


def read(source: Source, settings: Settings) -> Embedding:
    """The embedding in a binary file."""
    header = source.head.partition(b"\n")[0]
    shape = _header(header, 32)
    assert shape is not None
    number, dimension = shape
    start = len(header) + 1
    capacity = None if source.size is None else source.size - start
    check_shape(source.path, number, dimension, capacity, 4 * dimension + 2)
    wanted = number if settings.limit is None else min(number, settings.limit)
    repairs, words = Repairs(settings), Words()
    room = wanted if source.size is not None else min(wanted, (1 << 26) // dimension + 1)
    rows = Rows(room, dimension)
    for data, offset, done in _chunks(source, start):
        _records(source.path, data, offset, wanted, number, done, rows, words)
        if rows.filled == wanted:
            break
    if rows.filled < wanted:
        raise BadData(_cut_off(source.path, rows.filled, number, start))
    if settings.limit is None or settings.limit >= number:
        _nothing_behind(source, start, rows, words)
    return _embedding(source.path, rows, words, repairs)


def _chunks(source: Source, start: int) -> Iterator[tuple[bytearray, int, list[int]]]:
    """Bytes still to be read, their place in the file, and a cell for how many were used."""
    rest, place = bytearray(), start
    for chunk in source.chunks(start):
        rest += chunk
        used = [0]
        yield rest, place, used
        place += used[0]
        rest = rest[used[0] :]


def _records(
    path: str,
    data: bytearray,
    place: int,
    wanted: int,
    number: int,
    used: list[int],
    rows: Rows,
    words: Words,
) -> None:
    from lexiscope.kernels import decimals, records

    raw = np.frombuffer(bytes(data), np.uint8)
    width = 4 * rows.table.shape[1]
    most = min(wanted - rows.filled, len(raw) // (width + 1) + 1)
    starts, ends = np.empty(most, np.int64), np.empty(most, np.int64)
    found, reached, state = records.scan(raw, 0, most, width, LONGEST_WORD, starts, ends)
    if state == records.NO_SPACE:
        raise BadData(
            f"{path}: byte {place + reached}: word {rows.filled + found + 1} of {number} runs past "
            f"{LONGEST_WORD:,} bytes without a space. The header's dimension is wrong, "
            "or the file is damaged."
        )
    starts, ends = starts[:found], ends[:found]
    table = rows.room(found)
    records.copy(raw, ends, table.view(np.uint8))
    rows.filled += found
    block, block_ends = np.empty(int((ends - starts).sum()), np.uint8), np.empty(found, np.int64)
    decimals.gather(raw, starts, ends, block, block_ends, 0)
    words.add(block, block_ends, starts + place)
    used[0] = int(reached)


def _cut_off(path: str, found: int, number: int, start: int) -> str:
    return (
        f"{path}: the header announces {number:,} words, but the file ends inside word "
        f"{found + 1:,}. It is cut off or its header is wrong."
    )


def _nothing_behind(source: Source, start: int, rows: Rows, words: Words) -> None:
    if source.size is None:
        return
    lengths = int(sum(len(block) for block in words.blocks))
    spent = start + lengths + rows.filled * (1 + 4 * rows.table.shape[1])
    # At most one newline before each word and one at the end.
    if source.size - spent > rows.filled + 1:
        raise BadData(
            f"{source.path}: {source.size - spent:,} bytes stand behind the last word that the "
            "header announces. The header is wrong."
        )


def _embedding(path: str, rows: Rows, words: Words, repairs: Repairs) -> Embedding:
    cleaned = clean(path, "byte", words, repairs)
    vectors = rows.finished()
    finite = np.isfinite(vectors).all(axis=1)
    keep = np.arange(len(vectors)) if cleaned.keep is None else cleaned.keep
    if not finite.all():
        places = np.concatenate(words.places)
        for row in keep[~finite[keep]].tolist():
            sentence = f"{path}: byte {places[row]}: the vector of this word is not finite."
            repairs.need(sentence)
    kept = finite[keep]
    names = cleaned.words
    if cleaned.keep is not None or not kept.all():
        names = tuple(word for word, good in zip(names, kept.tolist(), strict=True) if good)
        vectors = vectors[keep[kept]]
    if not names:
        raise BadData(f"{path}: holds no vectors.")
    return Embedding("", Vocabulary(names), vectors, repairs=repairs.finished())


def _utf8(raw: bytes) -> bool:
    try:
        raw[:200].decode("utf-8")
    except UnicodeDecodeError as problem:
        return problem.start > 190  # only the cut may have split a character
    return True
