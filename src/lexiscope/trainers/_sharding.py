"""Parallel training on shards of a text, with the same bytes on any number of threads.

Each shard has its own copy of the tables. In a round each shard trains on a short segment of text;
then rows are merged: the updates of all copies are summed, or averaged for rows with very many
updates. Frequently updated rows are merged after every round, others after every second, fourth,
... round. Thus few updates happen between two merges of a row, and few merges change nothing.
After a step, which is many rounds, all copies are equal. Seed and number of shards determine the
result; threads, or the workers of a cluster, only execute the segments.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.random import Generator, default_rng
from numpy.typing import NDArray

from lexiscope.cluster.corpora import ClusterCorpus
from lexiscope.core.contracts.trainer import State
from lexiscope.core.corpus import Corpus
from lexiscope.core.machine import threads
from lexiscope.core.progress import Progress
from lexiscope.kernels.predictive.shard_merge import merge
from lexiscope.kernels.predictive.training_loop import Segment, Text
from lexiscope.trainers._cluster_sharding import cluster_worker
from lexiscope.trainers._tables import check_first_rows, zero_rows

if TYPE_CHECKING:
    from lexiscope.trainers._predictive import Predictive

_TOKENS = 20_000  # of all shards in a round
# Updates of a row in all shards between two merges, times the number of shards, unless a round has
# more. The more shards sum their updates, the fewer there may be, or vectors oscillate.
_UPDATES = 80.0
_LEVELS = 6  # rows are merged after 1, 2, ... 2 ** 6 rounds; a step has 2 ** 6
_LONG = 500_000  # tokens from which a text is trained in shards
_SHARDS = 2


def initial_position(rng: Generator) -> State:
    """The number of finished steps, and the seed of all steps."""
    return {"done": np.zeros(1, np.int64), "seed": rng.integers(1, 1 << 63, 1, np.int64)}


class Round(NamedTuple):
    """The segments of all shards in a round, as sentence indices."""

    boundaries: list[int]
    tokens_before: int  # in all epochs
    last: bool  # of its step: all rows are merged
    number: int  # within its step, from 1


def steps(model: "Predictive", corpus: Corpus, state: State, progress: Progress) -> Iterator[None]:
    """Update the tables in place, step by step."""
    text, shards = model.text(corpus), _shard_count(model, corpus)
    tables = {name: table for name, table in state.items() if name not in ("done", "seed")}
    total = len(corpus) * model.epochs
    progress("Compiling, the first time", 0, 1)
    model.train_segment(text, Segment(0, 0, 0.0, 0.0, 0), tables)
    progress("Compiling, the first time", 1, 1)
    schedule = rounds_by_step(corpus, model.epochs, shards)
    with ThreadPoolExecutor(1) as leader, ThreadPoolExecutor(threads()) as pool:
        work = _worker(model, corpus, text, tables, shards, pool)
        for number in range(int(state["done"][0]), len(schedule)):
            rng = default_rng([int(state["seed"][0]), number])
            seeds = rng.integers(1, 1 << 63, (len(schedule[number]), shards)).tolist()
            wait_for(leader.submit(work, schedule[number], seeds, state))
            check_first_rows(tables, model.learning_rate)
            last = number + 1 == len(schedule)
            done = total if last else schedule[number + 1][0].tokens_before
            progress("Training", done, total)
            yield


def wait_for(step: "Future[None]") -> None:
    """Wait until a step has finished; an interrupt is raised only then."""
    interrupt = None
    while not step.done():
        try:
            step.result()
        except KeyboardInterrupt as caught:
            if interrupt:
                raise
            interrupt = caught
    step.result()
    if interrupt:
        raise interrupt


def _shard_count(model: "Predictive", corpus: Corpus) -> int:
    if model.hogwild:
        return threads()
    return model.shards or (_SHARDS if len(corpus) >= _LONG else 1)


def rounds_by_step(corpus: Corpus, epochs: int, shards: int) -> list[list[Round]]:
    """The rounds of each step. A step lies within an epoch."""
    rounds = max(1, round(len(corpus) / _TOKENS))
    even = np.linspace(0, len(corpus), rounds * shards + 1)
    boundaries = np.searchsorted(corpus.starts, even).tolist()
    boundaries[-1] = corpus.sentences  # includes empty sentences at the end
    schedule = []
    for epoch in range(epochs):
        before = epoch * len(corpus)
        for first in range(0, rounds, 1 << _LEVELS):
            last = min(first + (1 << _LEVELS), rounds)
            schedule.append(
                [
                    Round(
                        boundaries[number * shards : (number + 1) * shards + 1],
                        before + int(corpus.starts[boundaries[number * shards]]),
                        number + 1 == last,
                        number + 1 - first,
                    )
                    for number in range(first, last)
                ]
            )
    return schedule


def segment_boundaries(model: "Predictive", corpus: Corpus) -> NDArray[np.int64]:
    """Where the segments begin and end on which copies of tables are trained, as sentence indices.

    With one shard or hogwild threads there are no copies: the text is one segment.
    """
    if model.hogwild or _shard_count(model, corpus) == 1:
        return np.array([0, corpus.sentences], np.int64)
    rounds = chain.from_iterable(rounds_by_step(corpus, 1, _shard_count(model, corpus)))
    return np.unique([boundary for each in rounds for boundary in each.boundaries])


def _worker(
    model: "Predictive", corpus: Corpus, text: Text, tables: State, shards: int, pool: Executor
) -> Callable[[Sequence[Round], list[list[int]], State], None]:
    """A function that executes the rounds of a step and counts the step as done."""
    if isinstance(corpus, ClusterCorpus) and shards > 1 and not model.hogwild:
        plan = merge_plan(model, corpus, tables, shards)
        return cluster_worker(model, corpus, tables, plan, shards, pool)
    copies = None if shards == 1 or model.hogwild else _ShardCopies(model, corpus, tables, shards)
    decay = (model.learning_rate - model.min_learning_rate) / (len(corpus) * model.epochs)

    def train(begin: int, end: int, learning_rate: float, seed: int, shard: int) -> None:
        own = copies.of(shard) if copies else tables
        model.train_segment(text, Segment(begin, end, learning_rate, decay * shards, seed), own)

    def work(rounds: Sequence[Round], seeds: list[list[int]], state: State) -> None:
        for each, round_seeds in zip(rounds, seeds, strict=True):
            learning_rates = [model.learning_rate - decay * each.tokens_before] * shards
            segments = zip(*pairwise(each.boundaries), strict=True)
            list(pool.map(train, *segments, learning_rates, round_seeds, range(shards)))
            if copies:
                copies.merge(each, pool)
        state["done"] += 1

    return work


class _ShardCopies:
    """Copies of the tables for each shard, and which of their rows are merged after a round."""

    def __init__(self, model: "Predictive", corpus: Corpus, tables: State, shards: int) -> None:
        self._tables, self._plan = tables, merge_plan(model, corpus, tables, shards)
        self._copies = {name: _copies(table, shards) for name, table in tables.items()}

    def of(self, shard: int) -> State:
        return {name: copies[shard] for name, copies in self._copies.items()}

    def merge(self, after: Round, pool: Executor) -> None:
        self._plan.merge(self._tables, self._copies, self._plan.level_after(after), pool)


class MergePlan(NamedTuple):
    """The number of rows of each table that are merged at each level, and the rows' weights."""

    rows: dict[str, list[int]]
    weights: dict[str, NDArray[np.float32]]

    @staticmethod
    def level_after(finished: Round) -> int:
        """The level of the merge after a round."""
        lowest_bit = finished.number & -finished.number
        return _LEVELS if finished.last else lowest_bit.bit_length() - 1

    def merge(self, tables: State, copies: State, level: int, pool: Executor) -> None:
        """Merge the first rows of the copies into the tables; the copies have these at least."""
        pieces = threads()

        def merge_piece(piece: int) -> None:
            for name, table in tables.items():
                rows = self.rows[name][level]
                begin, end = rows * piece // pieces, rows * (piece + 1) // pieces
                merge(table, copies[name], self.weights[name], begin, end)

        # One job per thread: after most rounds few rows are merged, so that the jobs themselves
        # would take most of the time.
        list(pool.map(merge_piece, range(pieces)))


def merge_plan(model: "Predictive", corpus: Corpus, tables: State, shards: int) -> MergePlan:
    """Plan which rows are merged after how many rounds, from how often they are updated."""
    rates, limit = model.update_rates(corpus), _UPDATES / shards
    updates = {name: rates.get(name, np.ones(len(t))) * _TOKENS for name, t in tables.items()}
    levels = {name: _levels(found, limit) for name, found in updates.items()}
    weights = {
        name: _merge_weights(updates[name] * 2.0 ** levels[name], limit, shards) for name in updates
    }
    return MergePlan({name: _rows_by_level(found) for name, found in levels.items()}, weights)


def _copies(table: NDArray[Any], shards: int) -> NDArray[Any]:
    copies = zero_rows(shards * len(table), table.shape[1]).reshape(shards, *table.shape)
    copies[:] = table
    return copies


def _levels(updates: NDArray[np.float64], limit: float) -> NDArray[np.float64]:
    """The level of each row, from its updates per round: it is merged after 2 ** level rounds."""
    rounds = limit / np.maximum(updates, 1e-300)  # that a row can go without a merge
    levels = np.floor(np.log2(np.maximum(rounds, 1.0)))
    levels = np.minimum.accumulate(levels[::-1])[::-1]  # no row waits longer than a later one
    return np.minimum(levels, _LEVELS)


def _rows_by_level(levels: NDArray[np.float64]) -> list[int]:
    """The number of rows, from the first on, that are merged after a round of each level."""
    return [int((levels <= level).sum()) for level in range(_LEVELS + 1)]


def _merge_weights(updates: NDArray[np.float64], limit: float, shards: int) -> NDArray[np.float32]:
    """The weight of the summed updates of all copies: 1 for few, 1 / shards for many.

    Few updates add up as if one shard had made them. Many updates in each copy converge to the
    same point, and their sum would overshoot it.
    """
    return np.clip(limit / np.maximum(updates, 1e-300), 1 / shards, 1.0).astype(np.float32)
