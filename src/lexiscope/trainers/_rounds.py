"""Learning from several parts of a text at once, with the same bytes on any number of threads.

Each shard has its own copy of the tables. After every round, in which each shard walks a short
piece, rows are merged: what all copies moved is added up, or averaged for rows that moved very
often. Rows that move often are merged after every round, others every second, fourth, ... round,
so that few moves fall between two merges of a row, and few rows are merged in vain. After a step
of many rounds all copies are equal. Seed and number of shards decide the outcome; threads only
carry pieces.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.random import Generator, default_rng
from numpy.typing import NDArray

from lexiscope.core.corpus import Corpus
from lexiscope.core.machine import threads
from lexiscope.core.progress import Progress
from lexiscope.core.trainer import State
from lexiscope.kernels.merging import merge
from lexiscope.kernels.walking import Piece, Text
from lexiscope.trainers._finite import check_first
from lexiscope.trainers._tables import rows

if TYPE_CHECKING:
    from lexiscope.trainers._predictive import Predictive

_TOKENS = 20_000  # of all shards in a round
# Of a row in all shards between two merges, times the number of shards, unless a round has more:
# the more shards add up what they moved, the less it may be, or rows swing to and fro.
_MOVES = 80.0
_LEVELS = 6  # rows are merged after 1, 2, ... 2 ** 6 rounds; a step has as many
_LONG = 500_000  # tokens: a text from here on is learned from in shards
_SHARDS = 2
_PIECES = 8  # of a table, to merge at once


def beginning(rng: Generator) -> State:
    """How many steps are done, and the seed of all of them."""
    return {"done": np.zeros(1, np.int64), "seed": rng.integers(1, 1 << 63, 1, np.int64)}


class Round(NamedTuple):
    """Where in the text the shards begin and end, in sentences, and what went before."""

    cuts: list[int]
    walked: int  # tokens of all epochs so far
    last: bool  # of its step: all rows are merged
    number: int  # within its step, from 1


def steps(model: "Predictive", corpus: Corpus, state: State, tell: Progress) -> Iterator[None]:
    """Change the tables in place, step by step."""
    text, shards = model.text(corpus), _parts(model, corpus)
    tables = {name: table for name, table in state.items() if name not in ("done", "seed")}
    total = len(corpus) * model.epochs
    tell("Compiling, the first time", 0, 1)
    model.walk(text, Piece(0, 0, 0.0, 0.0, 0), tables)
    tell("Compiling, the first time", 1, 1)
    planned = _planned(corpus, model.epochs, shards)
    with ThreadPoolExecutor(1) as leader, ThreadPoolExecutor(threads()) as pool:
        work = _worker(model, corpus, text, tables, shards, pool)
        for number in range(int(state["done"][0]), len(planned)):
            rng = default_rng([int(state["seed"][0]), number])
            seeds = rng.integers(1, 1 << 63, (len(planned[number]), shards)).tolist()
            whole(leader.submit(work, planned[number], seeds, state))
            check_first(tables, model.rate)
            following = planned[number + 1][0].walked if number + 1 < len(planned) else total
            tell("Training", following, total)
            yield


def whole(step: "Future[None]") -> None:
    """Wait for a step to end; an interrupt meanwhile comes out when it has."""
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


def _parts(model: "Predictive", corpus: Corpus) -> int:
    if model.racing:
        return threads()
    return model.shards or (_SHARDS if len(corpus) >= _LONG else 1)


def _planned(corpus: Corpus, epochs: int, shards: int) -> list[list[Round]]:
    """The rounds of each step. A step lies within an epoch."""
    rounds = max(1, round(len(corpus) / _TOKENS))
    even = np.linspace(0, len(corpus), rounds * shards + 1)
    cuts = np.searchsorted(corpus.starts, even).tolist()
    cuts[-1] = corpus.sentences  # sentences without words at the end
    planned = []
    for epoch in range(epochs):
        before = epoch * len(corpus)
        for first in range(0, rounds, 1 << _LEVELS):
            last = min(first + (1 << _LEVELS), rounds)
            planned.append(
                [
                    Round(
                        cuts[number * shards : (number + 1) * shards + 1],
                        before + int(corpus.starts[cuts[number * shards]]),
                        number + 1 == last,
                        number + 1 - first,
                    )
                    for number in range(first, last)
                ]
            )
    return planned


def borders(model: "Predictive", corpus: Corpus) -> NDArray[np.int64]:
    """Where in the text, in sentences, the pieces begin and end that copies of tables learn from.

    One shard has no copies, nor have racing threads: their text is one piece.
    """
    if model.racing or _parts(model, corpus) == 1:
        return np.array([0, corpus.sentences], np.int64)
    planned = _planned(corpus, 1, _parts(model, corpus))
    return np.unique([cut for rounds in planned for each in rounds for cut in each.cuts])


def _worker(
    model: "Predictive", corpus: Corpus, text: Text, tables: State, shards: int, pool: Executor
) -> Callable[[Sequence[Round], list[list[int]], State], None]:
    """What carries out the rounds of a step and counts it as done."""
    merging = None if shards == 1 or model.racing else _Merging(model, corpus, tables, shards)
    fall = (model.rate - model.last_rate) / (len(corpus) * model.epochs)

    def walk(begin: int, end: int, rate: float, seed: int, shard: int) -> None:
        own = merging.copies_of(shard) if merging else tables
        model.walk(text, Piece(begin, end, rate, fall * shards, seed), own)

    def work(rounds: Sequence[Round], seeds: list[list[int]], state: State) -> None:
        for each, drawn in zip(rounds, seeds, strict=True):
            rates = [model.rate - fall * each.walked] * shards
            spans = zip(*pairwise(each.cuts), strict=True)
            list(pool.map(walk, *spans, rates, drawn, range(shards)))
            if merging:
                merging.merge(each, pool)
        state["done"] += 1

    return work


class _Merging:
    """Copies of the tables, and which of their rows are merged after a round."""

    def __init__(self, model: "Predictive", corpus: Corpus, tables: State, shards: int) -> None:
        self._tables = tables
        self._copies = {name: _copies(table, shards) for name, table in tables.items()}
        often = model.often(corpus)
        moves = {name: often.get(name, np.ones(len(t))) * _TOKENS for name, t in tables.items()}
        levels = {name: _levels(found, _MOVES / shards) for name, found in moves.items()}
        self._bounds = {name: _bounds(found) for name, found in levels.items()}
        self._shares = {
            name: _shares(moves[name] * 2.0 ** levels[name], _MOVES / shards, shards)
            for name in moves
        }

    def copies_of(self, shard: int) -> State:
        return {name: copies[shard] for name, copies in self._copies.items()}

    def merge(self, after: Round, pool: Executor) -> None:
        level = _LEVELS if after.last else (after.number & -after.number).bit_length() - 1
        jobs: list[tuple[Any, ...]] = []
        for name, table in self._tables.items():
            cuts = np.linspace(0, self._bounds[name][level], _PIECES + 1).astype(int).tolist()
            held = table, self._copies[name], self._shares[name]
            jobs += [(*held, *span) for span in pairwise(cuts)]
        list(pool.map(lambda job: merge(*job), jobs))


def _copies(table: NDArray[Any], shards: int) -> NDArray[Any]:
    copies = rows(shards * len(table), table.shape[1]).reshape(shards, *table.shape)
    copies[:] = table
    return copies


def _levels(moves: NDArray[np.float64], few: float) -> NDArray[np.float64]:
    """Rows with so many moves a round are merged after 2 ** level rounds."""
    rounds = few / np.maximum(moves, 1e-300)  # that a row can go without a merge
    levels = np.floor(np.log2(np.maximum(rounds, 1.0)))
    levels = np.minimum.accumulate(levels[::-1])[::-1]  # no row waits longer than one behind it
    return np.minimum(levels, _LEVELS)


def _bounds(levels: NDArray[np.float64]) -> list[int]:
    """How many rows, from the first on, are merged after a round of each level."""
    return [int((levels <= level).sum()) for level in range(_LEVELS + 1)]


def _shares(moves: NDArray[np.float64], few: float, shards: int) -> NDArray[np.float32]:
    """What counts of the moves of all copies together: all of few, the mean of many.

    Few moves go on from each other as if one shard had made them. Many in each copy lead to the
    same end, and added up they would lead beyond it.
    """
    return np.clip(few / np.maximum(moves, 1e-300), 1 / shards, 1.0).astype(np.float32)
