"""Co-occurrence matrix of a whole corpus, within a memory limit.

A text that fits is one shard, and its rows are those of the matrix. Otherwise the counts of each
shard are written to temporary files and merged row by row. Shards can be counted on a cluster.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import pairwise
from math import ceil
from typing import NamedTuple

import numpy as np

from lexiscope.cluster.corpora import ClusterCorpus
from lexiscope.cooccurrence.cluster_shards import count_on_cluster
from lexiscope.cooccurrence.rows import CAPACITY, Counts
from lexiscope.cooccurrence.shards import CountSettings, count_blocks, shard_of
from lexiscope.cooccurrence.spill import Run, build_matrix, merge_runs, write_run
from lexiscope.core.corpus import Corpus
from lexiscope.core.errors import BadUsage
from lexiscope.core.machine import memory, threads
from lexiscope.core.progress import Progress
from lexiscope.core.vectors import Sparse

_OVERHEAD = 1 << 20  # bytes for small objects
_PER_WORD = 100  # bytes: counts, probabilities, heads, lengths and their sums
_PER_TALLY = 9  # bytes for a word
_PER_TOKEN = 22  # bytes: occurrence 8, window 2, copy of the token 4, start of a sentence 8
_PER_ENTRY = 36  # bytes: column 4 and sum 8, in the tally, in a block and in a copy of it
_MAX_TOKENS = (1 << 31) - 1  # of a shard: positions have 31 bits
_MAX_RUNS = 64  # open files at a time


class MemoryPlan(NamedTuple):
    """Division of the memory limit.

    `capacity` is the number of entries of a block, `tokens` the size of a shard, `runs` the number
    of runs that are merged at a time, `row_memory` the bytes of finished rows.
    """

    threads: int
    capacity: int
    tokens: int
    runs: int
    row_memory: int


def count_corpus(
    corpus: Corpus,
    settings: CountSettings,
    scale: int,
    progress: Progress,
    number: int = 0,
    matrices: int = 1,
) -> Sparse:
    """Count a corpus: float64 CSR with sorted columns, divided by `scale`.

    It is matrix `number` of `matrices`, which share the progress and the memory for finished rows.
    """
    if not settings.words:
        return _empty_matrix()
    limit = memory()
    plan = plan_memory(limit, settings.words, len(corpus), threads())
    row_memory = plan.row_memory // matrices

    def report(done: int) -> None:
        total = len(corpus)
        progress("Counting contexts", number * total + done, matrices * total)

    if isinstance(corpus, ClusterCorpus) and len(corpus):
        shards = ((each,) for each in count_on_cluster(corpus, settings, limit, report))
        return _merge(shards, settings.words, scale, plan.runs, row_memory)
    bounds = _shard_bounds(corpus, plan.tokens, limit)
    parts = (_count_shard(corpus, settings, plan, *span, report) for span in pairwise(bounds))
    if len(bounds) == 2:
        return build_matrix(next(parts), settings.words, scale, row_memory)
    return _merge(parts, settings.words, scale, plan.runs, row_memory)


def _merge(
    shards: Iterable[Iterable[Counts]], words: int, scale: int, most_runs: int, row_memory: int
) -> Sparse:
    """Write the counts of each shard to temporary files, and merge them row by row."""
    with ExitStack() as files:
        levels: list[list[Run]] = [[]]
        for rows in shards:
            _add(write_run(rows, files), levels, 0, most_runs, files)
        runs = [run for level in levels for run in level]
        while len(runs) > most_runs:
            runs = [*runs[most_runs:], write_run(merge_runs(runs[:most_runs]), files)]
        return build_matrix(merge_runs(runs), words, scale, row_memory)


def _add(run: Run, levels: list[list[Run]], level: int, most_runs: int, files: ExitStack) -> None:
    """Add a run; enough runs of a level become one of the next, so each count is merged rarely."""
    levels[level].append(run)
    if len(levels[level]) < most_runs:
        return
    merged = write_run(merge_runs(levels[level]), files)
    levels[level] = []
    if level + 1 == len(levels):
        levels.append([])
    _add(merged, levels, level + 1, most_runs, files)


def _empty_matrix() -> Sparse:
    from scipy.sparse import csr_array

    return csr_array((0, 0))


def _count_shard(
    corpus: Corpus,
    settings: CountSettings,
    plan: MemoryPlan,
    first: int,
    last: int,
    report: Callable[[int], None],
) -> Iterator[Counts]:
    shard = shard_of(corpus, first, last)

    def report_fraction(fraction: float) -> None:
        report(shard.before + round(fraction * len(shard.tokens)))

    return count_blocks(shard, settings, plan.threads, plan.capacity, report_fraction)


def plan_memory(limit: int, words: int, tokens: int, max_threads: int) -> MemoryPlan:
    """Divide `limit` bytes: half for counting, a quarter for the text, the rest for finished rows.

    Uses fewer than `max_threads` threads if memory is short.
    """
    fixed = _OVERHEAD + _PER_WORD * words
    for number in range(max_threads, 0, -1):
        available = (limit // 2 - fixed) // number - _PER_TALLY * words
        capacity = min(available // _PER_ENTRY, max(words, CAPACITY))
        if capacity >= words:
            break
    runs = limit // (4 * (_PER_ENTRY + 4) * words)
    if capacity < words or runs < 2:
        minimum = max(2 * (fixed + (_PER_TALLY + _PER_ENTRY) * words), 8 * (_PER_ENTRY + 4) * words)
        raise _too_small(limit, minimum, f"{words:,} words")
    working = fixed + number * (_PER_TALLY * words + _PER_ENTRY * capacity)
    text = min(limit // 4, _PER_TOKEN * tokens)
    row_memory = (limit - working - text) // 2  # integer counts and the matrix
    shard = min(limit // 4 // _PER_TOKEN, _MAX_TOKENS)
    return MemoryPlan(number, capacity, shard, min(runs, _MAX_RUNS), row_memory)


def _shard_bounds(corpus: Corpus, tokens: int, limit: int) -> list[int]:
    """First sentences of shards of at most `tokens` tokens, then the number of sentences."""
    bounds = [0]
    while bounds[-1] < corpus.sentences or len(bounds) == 1:
        end = corpus.starts[bounds[-1]] + tokens
        last = int(np.searchsorted(corpus.starts, end, "right")) - 1
        if last == bounds[-1] and last < corpus.sentences:
            longest = int(corpus.starts[last + 1] - corpus.starts[last])
            raise _too_small(limit, 4 * _PER_TOKEN * longest, f"a sentence of {longest:,} words")
        bounds.append(last)
    return bounds


def _too_small(limit: int, minimum: int, what: str) -> BadUsage:
    needed = ceil(minimum / (1 << 20)) + 1
    return BadUsage(
        f"Counting contexts with {what} takes {needed:,}M of memory, and the limit is"
        f" {limit / (1 << 20):,.1f}M: set --memory or LEXISCOPE_MEMORY to {needed}M or more."
    )
