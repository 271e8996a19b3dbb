"""Integer counts in sparse rows, and their sums.

Sums of integers are exact, whatever their order and grouping.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.kernels.cooccurrence import merge_rows

CAPACITY = 1 << 17  # entries at a time, so that they fit into the caches


class Counts(NamedTuple):
    """Rows of a sparse integer matrix: entries per row, sorted columns, sums."""

    lengths: NDArray[np.int32]
    columns: NDArray[np.int32]
    sums: NDArray[np.int64]


class Tally(NamedTuple):
    """Dense accumulator of a row, and buffers for finished rows."""

    tally: NDArray[np.int64]
    marks: NDArray[np.uint64]
    groups: NDArray[np.uint64]
    columns: NDArray[np.int32]
    sums: NDArray[np.int64]


def new_tally(words: int, capacity: int) -> Tally:
    """A tally of zeros with buffers for `capacity` entries."""
    return Tally(
        np.zeros(words, np.int64),
        np.zeros(words // 64 + 1, np.uint64),
        np.zeros(words // 4096 + 1, np.uint64),
        np.empty(capacity, np.int32),
        np.empty(capacity, np.int64),
    )


def row_blocks(
    entries: NDArray[np.int64], capacity: int, work: NDArray[np.int64], max_work: int
) -> list[tuple[int, int]]:
    """Ranges of rows with at most `capacity` entries and, except single rows, `max_work`."""
    entries_cumulative, work_cumulative = np.cumsum(entries), np.cumsum(work)
    blocks, first, rows = [], 0, len(entries)
    while first < rows:
        done = (entries_cumulative[first - 1], work_cumulative[first - 1]) if first else (0, 0)
        by_entries = int(np.searchsorted(entries_cumulative, done[0] + capacity, "right"))
        by_work = int(np.searchsorted(work_cumulative, done[1] + max_work, "right"))
        last = max(first + 1, min(by_entries, by_work))
        blocks.append((first, last))
        first = last
    return blocks


def concatenate_rows(pieces: Iterable[Counts]) -> Counts:
    """Concatenate blocks of rows of one matrix."""
    lengths, columns, sums = zip(*pieces, strict=True)
    return Counts(np.concatenate(lengths), np.concatenate(columns), np.concatenate(sums))


def merge_counts(parts: Sequence[Counts]) -> Counts:
    """Sum of the counts of several shards; independent of their order and grouping."""
    lengths = np.stack([part.lengths for part in parts])
    entries = lengths.sum(axis=0, dtype=np.int64)
    capacity = max(CAPACITY, lengths.size)
    tally = new_tally(len(entries), capacity)
    ends = [np.concatenate([[0], np.cumsum(part.lengths, dtype=np.int64)]) for part in parts]
    pieces = []
    for first, last in row_blocks(entries, capacity, entries, capacity):
        slices = [slice(end[first], end[last]) for end in ends]
        columns = [part.columns[entry] for part, entry in zip(parts, slices, strict=True)]
        sums = [part.sums[entry] for part, entry in zip(parts, slices, strict=True)]
        block = np.concatenate(columns), np.concatenate(sums)
        pieces.append(merge_block(lengths[:, first:last], *block, tally))
    return concatenate_rows(pieces)


def merge_block(
    lengths: NDArray[np.int32], columns: NDArray[np.int32], sums: NDArray[np.int64], tally: Tally
) -> Counts:
    """Sum of the same rows of several matrices; `lengths` is (matrices, rows)."""
    bounds = np.zeros((len(lengths), lengths.shape[1] + 1), np.int64)
    ends = np.cumsum(lengths, dtype=np.int64).reshape(lengths.shape)
    bounds[:, 1:], bounds[1:, 0] = ends, ends[:-1, -1]
    rows = np.empty(lengths.shape[1], np.int32)
    number = merge_rows(bounds, columns, sums, *tally[:3], rows, tally.columns, tally.sums)
    return Counts(rows, tally.columns[:number].copy(), tally.sums[:number].copy())
