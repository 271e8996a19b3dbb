"""Counts of shards on a cluster: the tokens of a shard travel to a worker, its counts come back.

Sums of integers are exact, so neither the shards nor the order of their results change a count.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lexiscope.cluster.corpora import ArrayContents, ClusterCorpus, SharedArray
from lexiscope.cluster.files import path_of
from lexiscope.cluster.work import distributed_map
from lexiscope.cooccurrence.rows import Counts
from lexiscope.cooccurrence.shards import CountSettings, Shard, count_shard, shard_of

# Bytes of memory for each pair of a shard: its counts take at most 12, up to four shards wait on a
# worker, and one is being counted.
_PER_PAIR = 64
_SHARDS_PER_THREAD = 4  # so that no worker waits long for the last one


class _Work(NamedTuple):
    """A shard to count; `keep` is that of the settings, which is large and the same for all."""

    tokens: SharedArray
    starts: SharedArray
    before: int
    settings: CountSettings
    keep: SharedArray | None


def count_on_cluster(
    corpus: ClusterCorpus, settings: CountSettings, limit: int, report: Callable[[int], None]
) -> Iterator[Counts]:
    """Count the shards of a corpus; yields their counts in the order of completion.

    A worker needs about `limit` bytes, and this process a fifth of it at a time.
    """
    contents, done = ArrayContents(), 0
    threads = sum(corpus.client.nthreads().values())
    bounds = shard_bounds(corpus, settings, limit, threads)
    sent: dict[int, _Work] = {}

    def works() -> Iterator[_Work]:
        keep = None if settings.keep is None else contents.share(settings.keep)
        for number, span in enumerate(pairwise(bounds)):
            sent[number] = _work(shard_of(corpus, *span), settings, keep, contents)
            yield sent[number]

    results = distributed_map(corpus.client, _count, works(), contents.content)
    with closing(results):
        for number, counts in results:
            work = sent.pop(number)
            contents.forget(work.tokens)
            contents.forget(work.starts)
            done += work.tokens.file.size // 4
            report(done)
            yield counts


def shard_bounds(
    corpus: ClusterCorpus, settings: CountSettings, limit: int, threads: int
) -> list[int]:
    """First sentences of shards that fit into `limit` bytes, then the number of sentences.

    A shard has one sentence at least.
    """
    fitting = max(1, limit // (_PER_PAIR * max(1, settings.contexts)))
    even = -(-len(corpus) // (_SHARDS_PER_THREAD * max(1, threads)))
    tokens = max(1, min(fitting, even))
    firsts = np.searchsorted(corpus.starts, np.arange(0, len(corpus), tokens), "left")
    return sorted({0, *firsts.tolist(), corpus.sentences})


def _work(
    shard: Shard, settings: CountSettings, keep: SharedArray | None, contents: ArrayContents
) -> _Work:
    tokens, starts = contents.share(shard.tokens), contents.share(shard.starts)
    return _Work(tokens, starts, shard.before, replace(settings, keep=None), keep)


def _count(work: _Work) -> Counts:
    """Count a shard in a worker, which then removes it."""
    keep = None if work.keep is None else work.keep.mapped()
    shard = Shard(work.tokens.mapped(), work.starts.mapped(), work.before)
    counts = count_shard(shard, replace(work.settings, keep=keep))
    for part in (work.tokens, work.starts):
        Path(path_of(part.file)).unlink(missing_ok=True)
    return counts
