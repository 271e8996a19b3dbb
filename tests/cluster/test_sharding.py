"""Predictive models trained on workers without a common folder: the vectors of this process."""

import pytest
from numpy.random import default_rng

import lexiscope
from lexiscope.cluster.connection import NoScheduler, connection
from lexiscope.cluster.corpora import on_cluster
from lexiscope.trainers import _sharding
from lexiscope.trainers.skipgram import Skipgram
from tests.cooccurrence.reference_counts import zipf

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")

CORPUS = zipf(200, 6_000)
SMALL = {"dimension": 6, "epochs": 2, "negative": 3}


@pytest.fixture
def short_rounds(monkeypatch):
    """Rounds of 500 tokens, and steps of four of them."""
    monkeypatch.setattr(_sharding, "_TOKENS", 500)
    monkeypatch.setattr(_sharding, "_LEVELS", 2)


@pytest.mark.parametrize("name", ["skipgram", "cbow", "structured"])
@pytest.mark.usefixtures("short_rounds")
def test_vectors_are_the_same_to_the_byte(cluster, name):
    settings = {**SMALL, "shards": 2, "space": "both"}

    alone = lexiscope.train(name, CORPUS, **settings)
    spread = lexiscope.train(name, CORPUS, scheduler=cluster.address, **settings)

    assert spread.fingerprint == alone.fingerprint
    assert cluster.received() == []


def test_each_document_vector_is_that_of_its_shard(cluster):
    corpus, settings = zipf(200, 70_000), {**SMALL, "shards": 2}  # several rounds of usual length

    alone = lexiscope.train("pdc", corpus, **settings)
    spread = lexiscope.train("pdc", corpus, scheduler=cluster.address, **settings)

    assert spread.fingerprint == alone.fingerprint


@pytest.mark.usefixtures("short_rounds")
def test_there_may_be_more_shards_than_workers(cluster):
    alone = lexiscope.train("skipgram", CORPUS, **SMALL, shards=3)

    spread = lexiscope.train("skipgram", CORPUS, scheduler=cluster.address, **SMALL, shards=3)

    assert spread.fingerprint == alone.fingerprint


def trained(model, corpus, at_step):
    """Train step by step; `at_step` is called with the number of each finished step."""
    state = model.begin(corpus, default_rng(0))
    for number, _ in enumerate(model.steps(corpus, state)):
        at_step(number)
    return model.finish(corpus, state)


@pytest.mark.usefixtures("short_rounds")
def test_a_step_during_which_a_worker_is_killed_is_repeated(fragile_cluster):
    model = Skipgram(**SMALL, shards=2)

    def kill(number):
        if number == 1:
            fragile_cluster.workers[0].kill()

    with connection(fragile_cluster.address, 1) as client:
        spread = trained(model, on_cluster(CORPUS, client), kill)

    assert fragile_cluster.workers[0].wait() < 0
    assert spread.fingerprint == trained(model, CORPUS, lambda number: None).fingerprint


@pytest.mark.usefixtures("short_rounds")
def test_without_workers_the_training_ends_with_a_sentence(fragile_cluster, monkeypatch):
    monkeypatch.setenv("LEXISCOPE_DASK_TIMEOUT", "3")

    def kill_all(number):
        for worker in fragile_cluster.workers:
            worker.kill()

    with (
        connection(fragile_cluster.address, 1) as client,
        pytest.raises(NoScheduler, match="has had no worker for 3 seconds"),
    ):
        trained(Skipgram(**SMALL, shards=2), on_cluster(CORPUS, client), kill_all)
