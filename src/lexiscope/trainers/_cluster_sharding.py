"""Training on shards of a text whose copies of the tables are on the workers of a cluster.

The copies stay on the workers. After a round the rows that are due travel here, are merged as on
one machine, and travel back with the next round: the vectors are the same to the byte. After a step
all copies are equal to the tables, so a step in which a worker ends is repeated from its start.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from itertools import cycle, islice, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.cluster.connection import SAFE, NoScheduler, patience
from lexiscope.cluster.corpora import ArrayContents, ClusterCorpus, SharedCorpus, share
from lexiscope.cluster.shipping import deliver
from lexiscope.core.contracts.trainer import State
from lexiscope.core.errors import LexiscopeError
from lexiscope.kernels.predictive.training_loop import Segment
from lexiscope.trainers._tables import zero_rows

if TYPE_CHECKING:
    from lexiscope.trainers._predictive import Predictive
    from lexiscope.trainers._sharding import MergePlan, Round

_ATTEMPTS = 10  # for one step
_LOOK = 0.5  # seconds between looks for a worker
# What the calls of an actor raise if its worker or the connection has ended.
_LOST = (OSError, TimeoutError, ValueError, RuntimeError)

Rows = dict[str, NDArray[np.float32]]  # the first rows of each table


class ShardCopy:
    """The tables of one shard, on a worker. Dask calls the methods one after the other."""

    def __init__(self, model: "Predictive", corpus: SharedCorpus, tables: Rows) -> None:
        self._model = model
        self._text = model.text(corpus.mapped())
        self._tables = {name: _aligned(table) for name, table in tables.items()}
        model.train_segment(self._text, Segment(0, 0, 0.0, 0.0, 0), self._tables)  # compiles

    def train(self, merged: Rows, segment: Segment, due: dict[str, int]) -> Rows:
        """Take merged rows, train on a segment, and return the rows that are due."""
        for name, rows in merged.items():
            self._tables[name][: len(rows)] = rows
        self._model.train_segment(self._text, segment, self._tables)
        return {name: self._tables[name][:number].copy() for name, number in due.items()}


def cluster_worker(
    model: "Predictive",
    corpus: ClusterCorpus,
    tables: State,
    plan: "MergePlan",
    shards: int,
    pool: Executor,
) -> Callable[[Sequence["Round"], list[list[int]], State], None]:
    """A function that executes the rounds of a step on a cluster and counts the step as done."""
    copies = _ClusterCopies(model, corpus, tables, plan, shards, pool)

    def work(rounds: Sequence["Round"], seeds: list[list[int]], state: State) -> None:
        before = {name: table.copy() for name, table in tables.items()}
        for _ in range(_ATTEMPTS):
            try:
                with corpus.client.as_current():  # actors look for their client
                    copies.train(rounds, seeds)
            except _LOST as problem:
                copies.restart(before)
                last = problem
            else:
                state["done"] += 1
                return
        raise LexiscopeError(f"Workers end again and again during a step of training ({last}).")

    return work


class _ClusterCopies:
    """A copy of the tables for each shard, on workers, and the merges of their rows here."""

    def __init__(
        self,
        model: "Predictive",
        corpus: ClusterCorpus,
        tables: State,
        plan: "MergePlan",
        shards: int,
        pool: Executor,
    ) -> None:
        self._model, self._corpus, self._tables = model, corpus, tables
        self._plan, self._shards, self._pool = plan, shards, pool
        self._decay = (model.learning_rate - model.min_learning_rate) / (len(corpus) * model.epochs)
        self._patience = patience()
        self._actors: list[Any] = []
        self._merged: Rows = {}
        self._received = {
            name: zero_rows(shards * len(table), table.shape[1]).reshape(-1)
            for name, table in tables.items()
        }

    def restart(self, tables: State) -> None:
        """Go back to these tables; the copies are made again before the next round."""
        for name, table in tables.items():
            self._tables[name][:] = table
        self._actors, self._merged = [], {}

    def train(self, rounds: Sequence["Round"], seeds: list[list[int]]) -> None:
        """Execute the rounds of a step."""
        if not self._actors:
            self._actors = self._start()
        for each, round_seeds in zip(rounds, seeds, strict=True):
            level = self._plan.level_after(each)
            due = {name: rows[level] for name, rows in self._plan.rows.items()}
            self._merge(self._train_round(each, round_seeds, due), due, level)

    def _train_round(self, each: "Round", seeds: list[int], due: dict[str, int]) -> list[Rows]:
        learning_rate = self._model.learning_rate - self._decay * each.tokens_before
        about = learning_rate, self._decay * self._shards
        segments = [
            Segment(*span, *about, seed)
            for span, seed in zip(pairwise(each.boundaries), seeds, strict=True)
        ]
        running = [
            actor.train(self._merged, segment, due)
            for actor, segment in zip(self._actors, segments, strict=True)
        ]
        return [one.result(timeout=self._patience) for one in running]

    def _merge(self, received: list[Rows], due: dict[str, int], level: int) -> None:
        copies = {}
        for name, number in due.items():
            width = self._tables[name].shape[1]
            copies[name] = self._received[name][: self._shards * number * width].reshape(
                self._shards, number, width
            )
            for copy, rows in zip(copies[name], received, strict=True):
                copy[:] = rows[name]
        self._plan.merge(self._tables, copies, level, self._pool)
        self._merged = {name: self._tables[name][:number] for name, number in due.items()}

    def _start(self) -> list[Any]:
        """Send the corpus and the tables to as many workers as there are shards, if possible."""
        client, contents = self._corpus.client, ArrayContents()
        chosen = list(islice(cycle(_addresses(client, self._patience)), self._shards))
        shared = share(self._corpus, contents)
        files = [array.file for array in shared.arrays.values()]
        with deliver(client, files, dict.fromkeys(chosen), contents.content):
            futures = [
                client.submit(
                    ShardCopy, self._model, shared, self._tables,
                    actor=True, workers=[address], pure=False,
                )
                for address in chosen
            ]  # fmt: skip
            return [future.result() for future in futures]


def _addresses(client: Any, seconds: float) -> list[str]:
    """The addresses of the workers; an error if there is none for some time."""
    deadline = time.monotonic() + seconds
    while True:
        found = sorted(client.nthreads())
        if found:
            return found
        if time.monotonic() > deadline:
            raise NoScheduler(
                f"The dask scheduler has had no worker for {seconds:g} seconds. {SAFE}"
            )
        time.sleep(_LOOK)


def _aligned(table: NDArray[np.float32]) -> NDArray[np.float32]:
    found = zero_rows(*table.shape)
    found[:] = table
    return found
