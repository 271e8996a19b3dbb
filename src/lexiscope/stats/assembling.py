"""Counting a whole corpus into one matrix, within a limit of memory.

A text that fits is one shard, and its rows are the rows of the matrix. Otherwise the counts of
each shard wait in temporary files and are added up row by row.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from math import ceil
from typing import NamedTuple

import numpy as np

from lexiscope.core.corpus import Corpus
from lexiscope.core.errors import BadUsage
from lexiscope.core.machine import threads
from lexiscope.core.progress import Progress
from lexiscope.core.vectors import Sparse
from lexiscope.stats.counting import Recipe, counted_rows, shard_of
from lexiscope.stats.counts import CAPACITY, Counts
from lexiscope.stats.runs import Run, matrix, merged_runs, stored

_SPARE = 1 << 20  # bytes for all that is small
_PER_WORD = 100  # bytes: counts, chances, heads, lengths and their sums
_PER_TALLY = 9  # bytes for a word
_PER_TOKEN = 22  # bytes: occurrence 8, window 2, copy of the token 4, start of a sentence 8
_PER_ENTRY = 36  # bytes: column 4 and sum 8, where counted, where read, and handed over
_MOST_TOKENS = (1 << 31) - 1  # of a shard: places have 31 bits
_MOST_RUNS = 64  # files that are open at a time


class Room(NamedTuple):
    """What fits: threads, entries at a time, tokens of a shard, runs to merge at a time, and
    bytes of finished rows."""

    threads: int
    capacity: int
    tokens: int
    runs: int
    held: int


def assembled(
    corpus: Corpus, recipe: Recipe, scale: int, limit: int, tell: Progress, matrices: int = 1
) -> Sparse:
    """The counts of a corpus, divided by `scale`, as float64 CSR with sorted columns.

    It is one of so many `matrices` that share what the limit leaves for finished rows.
    """
    if not recipe.words:
        return _of_no_words()
    room = room_in(limit, recipe.words, len(corpus), threads())
    cuts = _cuts(corpus, room.tokens, limit)
    held = room.held // matrices
    with ExitStack() as files:
        runs: list[Run] = []
        for first, last in pairwise(cuts):
            rows = _counted(corpus, recipe, room, first, last, tell)
            if len(cuts) == 2:
                return matrix(rows, recipe.words, scale, held)
            runs.append(stored(rows, files))
            if len(runs) == room.runs:
                runs = [stored(merged_runs(runs), files)]
        return matrix(merged_runs(runs), recipe.words, scale, held)


def _of_no_words() -> Sparse:
    from scipy.sparse import csr_array

    return csr_array((0, 0))


def _counted(
    corpus: Corpus, recipe: Recipe, room: Room, first: int, last: int, tell: Progress
) -> Iterator[Counts]:
    shard = shard_of(corpus, first, last)

    def told(share: float) -> None:
        done = shard.before + round(share * len(shard.tokens))
        tell("Counting contexts", done, len(corpus))

    return counted_rows(shard, recipe, room.threads, room.capacity, told)


def room_in(limit: int, words: int, tokens: int, most: int) -> Room:
    """How to divide `limit` bytes: half for working, a quarter for the text, the rest to hold rows.

    Fewer threads are used rather than too much memory.
    """
    fixed = _SPARE + _PER_WORD * words
    for number in range(most, 0, -1):
        share = (limit // 2 - fixed) // number - _PER_TALLY * words
        capacity = min(share // _PER_ENTRY, max(words, CAPACITY))
        if capacity >= words:
            break
    runs = limit // (4 * (_PER_ENTRY + 4) * words)
    if capacity < words or runs < 2:
        least = max(2 * (fixed + (_PER_TALLY + _PER_ENTRY) * words), 8 * (_PER_ENTRY + 4) * words)
        raise _too_small(limit, least, f"{words:,} words")
    working = fixed + number * (_PER_TALLY * words + _PER_ENTRY * capacity)
    text = min(limit // 4, _PER_TOKEN * tokens)
    held = (limit - working - text) // 2  # once as counted, once as the matrix
    shard = min(limit // 4 // _PER_TOKEN, _MOST_TOKENS)
    return Room(number, capacity, shard, min(runs, _MOST_RUNS), held)


def _cuts(corpus: Corpus, tokens: int, limit: int) -> list[int]:
    """Where shards of at most so many tokens begin, and the number of sentences."""
    cuts = [0]
    while cuts[-1] < corpus.sentences or len(cuts) == 1:
        end = corpus.starts[cuts[-1]] + tokens
        last = int(np.searchsorted(corpus.starts, end, "right")) - 1
        if last == cuts[-1] and last < corpus.sentences:
            longest = int(corpus.starts[last + 1] - corpus.starts[last])
            raise _too_small(limit, 4 * _PER_TOKEN * longest, f"a sentence of {longest:,} words")
        cuts.append(last)
    return cuts


def _too_small(limit: int, least: int, what: str) -> BadUsage:
    needed = ceil(least / (1 << 20)) + 1
    return BadUsage(
        f"Counting contexts with {what} takes {needed:,}M of memory, and the limit is"
        f" {limit / (1 << 20):,.1f}M: set --memory or LEXISCOPE_MEMORY to {needed}M or more."
    )
