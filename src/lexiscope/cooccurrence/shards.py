"""Co-occurrence counts of a shard, a range of the sentences of a text.

Shards can be counted on any backend; `rows.merge_counts` adds their counts.
"""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.cooccurrence.rows import (
    CAPACITY,
    Counts,
    Tally,
    concatenate_rows,
    new_tally,
    row_blocks,
)
from lexiscope.core.corpus import Corpus
from lexiscope.kernels.cooccurrence import (
    count_rows,
    count_words,
    list_occurrences,
    remove_dropped,
    sample_windows,
    subsample,
)

_MIN_WORK = 1 << 16  # pairs of a block, unless it has fewer

Report = Callable[[float], None]  # receives the fraction of the work that is done


def _ignore(done: float) -> None:
    """Ignore progress."""


@dataclass(frozen=True, eq=False)
class CountSettings:
    """Settings of counting, the same for all shards of a text.

    Contexts are at relative positions `lowest` to `highest` and count weights[distance]
    (window + 1,). `keep` is the probability of each word to survive subsampling, None without
    subsampling. `seeds` are those of subsampling and of window sizes.
    """

    words: int
    window: int
    lowest: int
    highest: int
    weights: NDArray[np.int64]
    keep: NDArray[np.float64] | None
    delete: bool
    dynamic_window: bool
    seeds: tuple[int, int]

    @property
    def contexts(self) -> int:
        """Largest number of contexts of an occurrence."""
        return self.highest - self.lowest + (0 if self.lowest <= 0 <= self.highest else 1)


class Shard(NamedTuple):
    """Sentences of a text: tokens, sentence starts, and the number of tokens before."""

    tokens: NDArray[np.int32]
    starts: NDArray[np.int64]
    before: int


class Occurrences(NamedTuple):
    """A subsampled text and the positions of each word, which begin at positions[heads[word]]."""

    tokens: NDArray[np.int32]
    positions: NDArray[np.int64]
    heads: NDArray[np.int64]


def shard_of(corpus: Corpus, first: int, last: int) -> Shard:
    """The shard of the sentences `first` to `last`."""
    starts = corpus.starts[first : last + 1]
    before, end = int(starts[0]), int(starts[-1])
    return Shard(np.asarray(corpus.tokens[before:end]), starts - before, before)


def count_shard(shard: Shard, settings: CountSettings) -> Counts:
    """All counts of a shard, on one thread.

    For counting one corpus on several machines: `rows.merge_counts` adds the counts.
    """
    return concatenate_rows(count_blocks(shard, settings, 1, max(settings.words, CAPACITY)))


def count_blocks(
    shard: Shard, settings: CountSettings, threads: int, capacity: int, progress: Report = _ignore
) -> Iterator[Counts]:
    """Count a shard in blocks of rows with at most `capacity` entries each.

    `capacity` is at least the number of words. At most twice as many blocks as threads are
    computed ahead of the caller. `progress` receives the fraction of tokens that is done.
    """
    found = occurrences(shard, settings)
    pairs = np.diff(found.heads) * settings.contexts
    max_work = max(_MIN_WORK, int(pairs.sum()) // (8 * threads))
    blocks = row_blocks(np.minimum(pairs, settings.words), capacity, pairs, max_work)
    workers = min(threads, len(blocks))
    tallies: SimpleQueue[Tally] = SimpleQueue()
    for _ in range(workers):
        tallies.put(new_tally(settings.words, capacity))

    def count(block: tuple[int, int]) -> Counts:
        tally = tallies.get()
        try:
            return _count_block(found, settings, *block, tally)
        finally:
            tallies.put(tally)

    for (_, last), piece in zip(blocks, _map_in_order(count, blocks, workers), strict=True):
        progress(found.heads[last] / max(found.heads[-1], 1))
        yield piece


def occurrences(shard: Shard, settings: CountSettings) -> Occurrences:
    """Subsample a shard, sample its windows and list the occurrences of each word."""
    tokens, starts, windows = _sample(shard, settings)
    tokens.flags.writeable = False  # one array type, so one compiled kernel
    heads = np.zeros(settings.words + 1, np.int64)
    count_words(tokens, heads[1:])
    np.cumsum(heads, out=heads)
    positions = np.empty(heads[-1], np.int64)
    list_occurrences(tokens, starts, windows, heads[:-1].copy(), positions)
    return Occurrences(tokens, positions, heads)


def _sample(
    shard: Shard, settings: CountSettings
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.uint16]]:
    tokens, starts, before = shard
    drop_seed, window_seed = map(np.uint64, settings.seeds)
    windows = np.full(len(tokens), settings.window, np.uint16)
    if settings.dynamic_window:
        sample_windows(before, settings.window, window_seed, windows)
    if settings.keep is None:
        return tokens.view(), starts, windows
    subsampled = np.empty(len(tokens), np.int32)
    subsample(tokens, before, settings.keep, drop_seed, subsampled)
    if settings.delete:
        new_starts = np.empty_like(starts)
        left = remove_dropped(subsampled, windows, starts, new_starts)
        return subsampled[:left], new_starts, windows[:left]
    return subsampled, starts, windows


def _count_block(
    found: Occurrences, settings: CountSettings, first: int, last: int, tally: Tally
) -> Counts:
    lengths = np.empty(last - first, np.int32)
    number = count_rows(
        *found, first, last, settings.lowest, settings.highest, settings.weights,
        *tally[:3], lengths, tally.columns, tally.sums,
    )  # fmt: skip
    return Counts(lengths, tally.columns[:number].copy(), tally.sums[:number].copy())


def _map_in_order(
    function: Callable[[tuple[int, int]], Counts], blocks: list[tuple[int, int]], workers: int
) -> Iterator[Counts]:
    """Map over blocks in threads, in order, with at most two pending results per thread."""
    if workers < 2:
        yield from map(function, blocks)
        return
    pending: deque[Future[Counts]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        for block in blocks:
            pending.append(pool.submit(function, block))
            if len(pending) == 2 * workers:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
