"""Counts, and vectors computed from them, are the same on workers without a common folder."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numpy.random import default_rng

import lexiscope
from lexiscope.cluster.connection import connection
from lexiscope.cluster.corpora import on_cluster
from lexiscope.cooccurrence import cluster_shards
from lexiscope.cooccurrence.contexts import Contexts, by_position, cooccurrences
from lexiscope.core.corpus import Corpus
from lexiscope.core.vocabulary import Vocabulary
from tests.cluster.test_commands import here, printed  # noqa: F401
from tests.cooccurrence.reference_counts import zipf

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")

CORPUS = zipf(300, 20_000)
SUBSAMPLED = Contexts(3, "harmonic", dynamic_window=True, subsample=1e-3, delete=True)


def equal(one, other):
    parts = ("data", "indices", "indptr")
    return all(getattr(one, p).tobytes() == getattr(other, p).tobytes() for p in parts)


@pytest.fixture
def client(cluster):
    with connection(cluster.address, 1) as found:
        yield found


@pytest.mark.parametrize("contexts", [Contexts(5), SUBSAMPLED], ids=["all", "subsampled"])
def test_counts_of_shards_are_those_of_the_whole_text(client, cluster, contexts, monkeypatch):
    monkeypatch.setattr(cluster_shards, "_SHARDS_PER_THREAD", 8)
    spread = cooccurrences(on_cluster(CORPUS, client), contexts, default_rng(1))

    assert equal(spread, cooccurrences(CORPUS, contexts, default_rng(1)))
    assert cluster.received() == []


def test_counts_of_positions_are_those_of_the_whole_text(client):
    spread = by_position(on_cluster(CORPUS, client), Contexts(2), default_rng(1))
    alone = by_position(CORPUS, Contexts(2), default_rng(1))

    assert spread.keys() == alone.keys()
    assert all(equal(spread[position].tocsr(), alone[position].tocsr()) for position in alone)


@pytest.mark.parametrize("name", ["ppmi", "svd", "glove", "lsa", "hpca"])
def test_vectors_are_the_same_to_the_byte(cluster, name):
    settings = {} if name == "ppmi" else {"dimension": 8}

    alone = lexiscope.train(name, CORPUS, **settings)
    spread = lexiscope.train(name, CORPUS, scheduler=cluster.address, **settings)

    assert spread.fingerprint == alone.fingerprint


def test_counts_beyond_the_memory_limit_go_to_files(client, monkeypatch):
    alone = cooccurrences(CORPUS, Contexts(5), default_rng(1))
    monkeypatch.setenv("LEXISCOPE_MEMORY", "3M")

    spread = cooccurrences(on_cluster(CORPUS, client), Contexts(5), default_rng(1))

    assert equal(spread, alone)


def test_shards_are_small_enough_for_the_memory_and_for_the_number_of_workers():
    settings = replace_window(5)
    corpus = on_cluster(CORPUS, None)

    few = cluster_shards.shard_bounds(corpus, settings, 1 << 40, 2)
    many = cluster_shards.shard_bounds(corpus, settings, 64 * 10 * 1_000, 2)

    assert len(few) - 1 == 2 * cluster_shards._SHARDS_PER_THREAD
    longest = np.diff(CORPUS.starts).max()
    assert max(np.diff(CORPUS.starts[many])) <= 1_000 + longest
    assert (few[0], few[-1]) == (many[0], many[-1]) == (0, CORPUS.sentences)
    assert all(first < last for first, last in pairwise(many))


def replace_window(window):
    from lexiscope.cooccurrence.contexts import _count_settings

    return _count_settings(CORPUS, Contexts(window), default_rng(0), np.ones(window + 1, np.int64))


def test_a_sentence_is_never_divided():
    words = Vocabulary(("a", "b"))
    corpus = Corpus("long", words, np.zeros(50, np.int32), np.array([0, 1, 49, 49, 50]))
    settings = replace(replace_window(5), words=2)

    assert cluster_shards.shard_bounds(on_cluster(corpus, None), settings, 640, 8) == [0, 1, 2, 4]


def test_counts_of_a_killed_worker_are_counted_again(fragile_cluster, monkeypatch):
    monkeypatch.setattr(cluster_shards, "_SHARDS_PER_THREAD", 20)
    alone = cooccurrences(CORPUS, SUBSAMPLED, default_rng(1))
    victims = fragile_cluster.workers[:1]

    def kill_once(what, done, total):
        if victims:
            victims.pop().kill()

    with connection(fragile_cluster.address, 1) as client:
        corpus = on_cluster(CORPUS, client)
        spread = cooccurrences(corpus, SUBSAMPLED, default_rng(1), kill_once)

    assert equal(spread, alone)


def test_train_writes_the_same_file(cluster, here):  # noqa: F811
    rng = default_rng(0)
    text = "\n".join(" ".join(f"w{k}" for k in rng.integers(0, 60, 12)) for _ in range(300))
    (here / "text.txt").write_text(text)
    arguments = ("train", "svd", "text.txt", "--dimension", "5", "--min-count", "1", "-o")

    printed(here, *arguments, "svd.safetensors")
    (here / "svd.safetensors").rename(here / "alone.bin")
    (here / "svd.safetensors.json").unlink()
    printed(here, *arguments, "svd.safetensors", "--scheduler", cluster.address)

    assert (here / "svd.safetensors").read_bytes() == (here / "alone.bin").read_bytes()
