"""Counts as whole numbers, row after row, and their sums.

Whole numbers may be added up in any order and grouping: the sum is the same to the last bit.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.kernels.cooccurrence import merge_rows

CAPACITY = 1 << 17  # entries at a time: what fits into the caches


class Counts(NamedTuple):
    """Rows of a matrix of whole numbers: entries of each row, sorted columns, sums."""

    lengths: NDArray[np.int32]
    columns: NDArray[np.int32]
    sums: NDArray[np.int64]

    @property
    def nbytes(self) -> int:
        """How much memory the arrays take."""
        return self.lengths.nbytes + self.columns.nbytes + self.sums.nbytes


class Tally(NamedTuple):
    """Where a row is added up, and room for the rows that are done."""

    tally: NDArray[np.int64]
    marks: NDArray[np.uint64]
    groups: NDArray[np.uint64]
    columns: NDArray[np.int32]
    sums: NDArray[np.int64]


def new_tally(words: int, capacity: int) -> Tally:
    """A tally of zeros with room for `capacity` entries."""
    return Tally(
        np.zeros(words, np.int64),
        np.zeros(words // 64 + 1, np.uint64),
        np.zeros(words // 4096 + 1, np.uint64),
        np.empty(capacity, np.int32),
        np.empty(capacity, np.int64),
    )


def row_blocks(
    entries: NDArray[np.int64], capacity: int, work: NDArray[np.int64], share: int
) -> list[tuple[int, int]]:
    """Rows in ranges of at most `capacity` entries and, but for single rows, `share` work."""
    entries_until, work_until = np.cumsum(entries), np.cumsum(work)
    blocks, first, rows = [], 0, len(entries)
    while first < rows:
        done = (entries_until[first - 1], work_until[first - 1]) if first else (0, 0)
        full = int(np.searchsorted(entries_until, done[0] + capacity, "right"))
        tired = int(np.searchsorted(work_until, done[1] + share, "right"))
        last = max(first + 1, min(full, tired))
        blocks.append((first, last))
        first = last
    return blocks


def joined(pieces: Iterable[Counts]) -> Counts:
    """Rows of one matrix, one piece after the other."""
    lengths, columns, sums = zip(*pieces, strict=True)
    return Counts(np.concatenate(lengths), np.concatenate(columns), np.concatenate(sums))


def merged(parts: Sequence[Counts]) -> Counts:
    """The sum of the counts of several shards; their order and grouping change nothing."""
    lengths = np.stack([part.lengths for part in parts])
    entries = lengths.sum(axis=0, dtype=np.int64)
    capacity = max(CAPACITY, lengths.size)
    room = new_tally(len(entries), capacity)
    ends = [np.concatenate([[0], np.cumsum(part.lengths, dtype=np.int64)]) for part in parts]
    pieces = []
    for first, last in row_blocks(entries, capacity, entries, capacity):
        cuts = [slice(end[first], end[last]) for end in ends]
        columns = [part.columns[cut] for part, cut in zip(parts, cuts, strict=True)]
        sums = [part.sums[cut] for part, cut in zip(parts, cuts, strict=True)]
        whole = np.concatenate(columns), np.concatenate(sums)
        pieces.append(merged_rows(lengths[:, first:last], *whole, room))
    return joined(pieces)


def merged_rows(
    lengths: NDArray[np.int32], columns: NDArray[np.int32], sums: NDArray[np.int64], room: Tally
) -> Counts:
    """The sum of the same rows of several matrices; `lengths` is (matrices, rows)."""
    bounds = np.zeros((len(lengths), lengths.shape[1] + 1), np.int64)
    ends = np.cumsum(lengths, dtype=np.int64).reshape(lengths.shape)
    bounds[:, 1:], bounds[1:, 0] = ends, ends[:-1, -1]
    rows = np.empty(lengths.shape[1], np.int32)
    number = merge_rows(bounds, columns, sums, *room[:3], rows, room.columns, room.sums)
    return Counts(rows, room.columns[:number].copy(), room.sums[:number].copy())
