"""Shards may be counted anywhere and added up in any order."""

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from lexiscope.stats.counting import (
    Recipe,
    count_shard,
    counted_rows,
    shard_of,
)
from lexiscope.stats.counts import joined, merged, row_blocks
from tests.stats.counted import zipf

GIVEN = zipf(200, 12_000)


def recipe(**changes):
    settings = {
        "words": 200,
        "window": 3,
        "lowest": -3,
        "highest": 3,
        "weights": np.array([0, 3, 2, 1]),
        "keep": np.linspace(0.3, 1, 200),
        "delete": True,
        "dynamic": True,
        "seeds": (11, 12),
    }
    return Recipe(**{**settings, **changes})


def shards(*cuts):
    ends = [0, *cuts, GIVEN.sentences]
    return [shard_of(GIVEN, first, last) for first, last in pairwise(ends)]


def equal(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_order_and_grouping_of_shards_change_nothing():
    a, b, c, d = (count_shard(shard, recipe()) for shard in shards(100, 101, 700))
    whole = count_shard(shard_of(GIVEN, 0, GIVEN.sentences), recipe())

    assert equal(merged([a, b, c, d]), whole)
    assert equal(merged([d, b, a, c]), whole)
    assert equal(merged([merged([c, a]), merged([d, b])]), whole)
    assert equal(merged([whole]), whole)


def test_shards_counted_in_another_process_give_the_same():
    parts = shards(300, 800)
    count = partial(count_shard, recipe=recipe())

    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        elsewhere = list(pool.map(count, parts))

    assert equal(merged(elsewhere), merged([count(part) for part in parts]))


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
def test_shards_are_tasks_for_dask():
    import dask

    tasks = [dask.delayed(count_shard)(part, recipe()) for part in shards(300, 800)]
    found = dask.compute(dask.delayed(merged)(tasks), scheduler="threads", num_workers=2)[0]

    assert equal(found, count_shard(shard_of(GIVEN, 0, GIVEN.sentences), recipe()))


def test_recipes_shards_and_counts_travel():
    shard = shards()[0]

    again = count_shard(*pickle.loads(pickle.dumps((shard, recipe()))))

    assert equal(pickle.loads(pickle.dumps(again)), count_shard(shard, recipe()))


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_rows_come_in_order_whatever_the_threads(threads):
    given = zipf(1_000, 100_000)
    asked = recipe(words=1_000, keep=None)
    shard = shard_of(given, 0, given.sentences)

    pieces = list(counted_rows(shard, asked, threads, 1_000))

    assert len(pieces) > 20
    assert max(len(piece.sums) for piece in pieces) <= 1_000
    assert equal(joined(pieces), count_shard(shard, asked))


def test_blocks_hold_as_many_rows_as_fit():
    entries, work = np.array([5, 1, 1, 1, 4, 9]), np.array([90, 1, 1, 8, 1, 1])

    assert row_blocks(entries, 9, work, 10) == [(0, 1), (1, 4), (4, 5), (5, 6)]
    assert row_blocks(entries, 9, work, 1_000) == [(0, 4), (4, 5), (5, 6)]


def test_the_text_is_not_changed():
    before = GIVEN.tokens.copy()

    count_shard(shard_of(GIVEN, 0, GIVEN.sentences), recipe())

    assert_array_equal(GIVEN.tokens, before)
