"""Shards can be counted in any process and merge_counts in any order."""

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from lexiscope.cooccurrence.rows import concatenate_rows, merge_counts, row_blocks
from lexiscope.cooccurrence.shards import CountSettings, count_blocks, count_shard, shard_of
from tests.cooccurrence.reference_counts import zipf

CORPUS = zipf(200, 12_000)


def settings(**changes):
    defaults = {
        "words": 200,
        "window": 3,
        "lowest": -3,
        "highest": 3,
        "weights": np.array([0, 3, 2, 1]),
        "keep": np.linspace(0.3, 1, 200),
        "delete": True,
        "dynamic_window": True,
        "seeds": (11, 12),
    }
    return CountSettings(**{**defaults, **changes})


def shards(*bounds):
    ends = [0, *bounds, CORPUS.sentences]
    return [shard_of(CORPUS, first, last) for first, last in pairwise(ends)]


def equal(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_order_and_grouping_of_shards_change_nothing():
    a, b, c, d = (count_shard(shard, settings()) for shard in shards(100, 101, 700))
    whole = count_shard(shard_of(CORPUS, 0, CORPUS.sentences), settings())

    assert equal(merge_counts([a, b, c, d]), whole)
    assert equal(merge_counts([d, b, a, c]), whole)
    assert equal(merge_counts([merge_counts([c, a]), merge_counts([d, b])]), whole)
    assert equal(merge_counts([whole]), whole)


def test_counts_from_another_process_are_the_same():
    parts = shards(300, 800)
    count = partial(count_shard, settings=settings())

    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        counts = list(pool.map(count, parts))

    assert equal(merge_counts(counts), merge_counts([count(part) for part in parts]))


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
def test_shards_can_be_counted_by_dask():
    import dask

    tasks = [dask.delayed(count_shard)(part, settings()) for part in shards(300, 800)]
    found = dask.compute(dask.delayed(merge_counts)(tasks), scheduler="threads", num_workers=2)[0]

    assert equal(found, count_shard(shard_of(CORPUS, 0, CORPUS.sentences), settings()))


def test_settings_shards_and_counts_can_be_pickled():
    shard = shards()[0]

    again = count_shard(*pickle.loads(pickle.dumps((shard, settings()))))

    assert equal(pickle.loads(pickle.dumps(again)), count_shard(shard, settings()))


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_blocks_are_in_order_for_any_number_of_threads(threads):
    corpus = zipf(1_000, 100_000)
    changed = settings(words=1_000, keep=None)
    shard = shard_of(corpus, 0, corpus.sentences)

    pieces = list(count_blocks(shard, changed, threads, 1_000))

    assert len(pieces) > 20
    assert max(len(piece.sums) for piece in pieces) <= 1_000
    assert equal(concatenate_rows(pieces), count_shard(shard, changed))


def test_blocks_contain_as_many_rows_as_fit():
    entries, work = np.array([5, 1, 1, 1, 4, 9]), np.array([90, 1, 1, 8, 1, 1])

    assert row_blocks(entries, 9, work, 10) == [(0, 1), (1, 4), (4, 5), (5, 6)]
    assert row_blocks(entries, 9, work, 1_000) == [(0, 4), (4, 5), (5, 6)]


def test_the_corpus_does_not_change():
    before = CORPUS.tokens.copy()

    count_shard(shard_of(CORPUS, 0, CORPUS.sentences), settings())

    assert_array_equal(CORPUS.tokens, before)
