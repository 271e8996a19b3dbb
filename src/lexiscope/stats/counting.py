"""Counting a shard of a text: a range of its sentences.

Shards may be counted anywhere, by any backend; `counts.merged` adds up what they gave.
"""

from collections import deque
from collections.abc import Callable, Iterator
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
)
from lexiscope.stats.counts import CAPACITY, Counts, Tally, joined, new_tally, row_blocks

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
