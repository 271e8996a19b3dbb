"""Counting a shard of a text, and adding up what the shards gave.

A shard is a range of sentences. Its counts are whole numbers, so that shards may be counted
anywhere, by any backend, and added up in any order and grouping: the sum is the same.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.corpus import Corpus
from lexiscope.kernels.cooccurrence import (
    close_ranks,
    count_rows,
    count_words,
    draw_windows,
    drop,
    list_occurrences,
    merge_rows,
)

CAPACITY = 1 << 17  # entries counted at a time: what fits into the second-level cache
_WORK = 1 << 16  # pairs that are worth a thread

Step = Callable[[float], None]  # how much of the work is done, between 0 and 1


def _unheard(done: float) -> None:
    """No one is watching."""


@dataclass(frozen=True, eq=False)
class Recipe:
    """What counting needs to know besides the text; the same for every shard of it.

    Contexts stand from `lowest` to `highest` places off and count weights[distance] (window + 1,).
    `keep` is the chance of each word to stay in the text, None when all do. `seeds` draw
    what is dropped and the windows.
    """

    words: int
    window: int
    lowest: int
    highest: int
    weights: NDArray[np.int64]
    keep: NDArray[np.float64] | None
    delete: bool
    dynamic: bool
    seeds: tuple[int, int]

    @property
    def contexts(self) -> int:
        """The most contexts that an occurrence can have."""
        return self.highest - self.lowest + (0 if self.lowest <= 0 <= self.highest else 1)


class Shard(NamedTuple):
    """Sentences of a text: tokens, where each sentence starts, how many tokens come before."""

    tokens: NDArray[np.int32]
    starts: NDArray[np.int64]
    before: int


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


class Occurrences(NamedTuple):
    """A prepared text, and where each word stands in it: its places begin at heads[word]."""

    tokens: NDArray[np.int32]
    places: NDArray[np.int64]
    heads: NDArray[np.int64]


def shard_of(corpus: Corpus, first: int, last: int) -> Shard:
    """The sentences from `first` up to `last`."""
    starts = corpus.starts[first : last + 1]
    before, end = int(starts[0]), int(starts[-1])
    return Shard(np.asarray(corpus.tokens[before:end]), starts - before, before)


def count_shard(shard: Shard, recipe: Recipe) -> Counts:
    """All counts of a shard, on one thread."""
    return joined(counted_rows(shard, recipe, 1, max(recipe.words, CAPACITY)))


def counted_rows(
    shard: Shard, recipe: Recipe, threads: int, capacity: int, tell: Step = _unheard
) -> Iterator[Counts]:
    """The counts of a shard, some rows at a time, at most `capacity` entries each.

    `capacity` is at least the number of words. No more than twice as many pieces as threads
    wait for the caller. `tell` hears which share of the tokens is done.
    """
    found = occurrences(shard, recipe)
    pairs = np.diff(found.heads) * recipe.contexts
    share = max(_WORK, int(pairs.sum()) // (8 * threads))
    blocks = row_blocks(np.minimum(pairs, recipe.words), capacity, pairs, share)
    workers = min(threads, len(blocks))
    rooms: SimpleQueue[Tally] = SimpleQueue()
    for _ in range(workers):
        rooms.put(new_tally(recipe.words, capacity))

    def count(block: tuple[int, int]) -> Counts:
        room = rooms.get()
        try:
            return _counted(found, recipe, *block, room)
        finally:
            rooms.put(room)

    for (_, last), piece in zip(blocks, _in_order(count, blocks, workers), strict=True):
        tell(found.heads[last] / max(found.heads[-1], 1))
        yield piece


def occurrences(shard: Shard, recipe: Recipe) -> Occurrences:
    """The text after dropping and drawing windows, and where each word stands in it."""
    tokens, starts, windows = _drawn(shard, recipe)
    tokens.flags.writeable = False  # one kind of array, one compiled kernel
    heads = np.zeros(recipe.words + 1, np.int64)
    count_words(tokens, heads[1:])
    np.cumsum(heads, out=heads)
    places = np.empty(heads[-1], np.int64)
    list_occurrences(tokens, starts, windows, heads[:-1].copy(), places)
    return Occurrences(tokens, places, heads)


def _drawn(
    shard: Shard, recipe: Recipe
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.uint16]]:
    tokens, starts, before = shard
    dropping, drawing = map(np.uint64, recipe.seeds)
    windows = np.full(len(tokens), recipe.window, np.uint16)
    if recipe.dynamic:
        draw_windows(before, recipe.window, drawing, windows)
    if recipe.keep is None:
        return tokens.view(), starts, windows
    thinned = np.empty(len(tokens), np.int32)
    drop(tokens, before, recipe.keep, dropping, thinned)
    if recipe.delete:
        closed = np.empty_like(starts)
        left = close_ranks(thinned, windows, starts, closed)
        return thinned[:left], closed, windows[:left]
    return thinned, starts, windows


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


def _counted(found: Occurrences, recipe: Recipe, first: int, last: int, room: Tally) -> Counts:
    lengths = np.empty(last - first, np.int32)
    number = count_rows(
        *found, first, last, recipe.lowest, recipe.highest, recipe.weights,
        *room[:3], lengths, room.columns, room.sums,
    )  # fmt: skip
    return Counts(lengths, room.columns[:number].copy(), room.sums[:number].copy())


def _in_order(
    function: Callable[[tuple[int, int]], Counts], blocks: list[tuple[int, int]], workers: int
) -> Iterator[Counts]:
    """Map over blocks in threads; never more than twice as many results wait as there are."""
    if workers < 2:
        yield from map(function, blocks)
        return
    waiting: deque[Future[Counts]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        for block in blocks:
            waiting.append(pool.submit(function, block))
            if len(waiting) == 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


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
