"""Vectors whose products give the logarithms of co-occurrence counts (Pennington et al. 2014)."""

from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import isfinite
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.machine import threads
from lexiscope.core.progress import Progress, silent
from lexiscope.core.trainer import Trainer, setting
from lexiscope.core.vectors import Sparse
from lexiscope.kernels import glove as kernels
from lexiscope.stats.cooccurrence import Contexts
from lexiscope.trainers._counts import counted

# The number of blocks follows from the vocabulary, never from the number of threads: equal bytes.
_BLOCKS = 16
_BLOCK_BYTES = 1 << 22  # of vectors; those of two blocks a thread are to stay in the cache
_LANES = 8


@dataclass(frozen=True)
class Glove(Trainer):
    """A weighted regression of the logarithms of co-occurrence counts."""

    paper: ClassVar[str] = "Pennington, Socher and Manning 2014"

    dimension: int = setting(100, "How many numbers a vector has.", least=1)
    window: int = setting(10, "How far a context word may stand away.", least=1)
    epochs: int = setting(25, "How often all counts are gone through.", least=1)
    rate: float = setting(0.05, "How large the first steps are.", above=0)
    x_max: float = setting(
        100.0, "Counts from here on weigh alike; 10 suits a few million words.", above=0
    )
    alpha: float = setting(0.75, "How fast the weight grows with the count.", least=0)

    def train(self, corpus: Corpus, rng: Generator, tell: Progress = silent) -> Embedding:
        counts = counted(corpus, Contexts(self.window, "harmonic"), rng, tell)
        fit = fitted(counts, self, rng, tell)
        return corpus.embedding("glove", fit.words[:, :-1] + fit.contexts[:, :-1])


class Fit(NamedTuple):
    """Vectors of words and contexts, their bias last, and the mean cost met in each epoch."""

    words: NDArray[np.float32]
    contexts: NDArray[np.float32]
    costs: list[float]


class Entries(NamedTuple):
    """The non-zero counts, block by block: block (r, c) runs from bounds[k] to bounds[k + 1],
    k = r * blocks + c.
    """

    blocks: int
    bounds: NDArray[np.int64]
    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    logs: NDArray[np.float32]
    weights: NDArray[np.float32]


def fitted(counts: Sparse, settings: Glove, rng: Generator, tell: Progress = silent) -> Fit:
    """The fit of least weighted squares to the logarithms of the counts, float64 CSR."""
    dimension = settings.dimension
    words = table(counts.shape[0], dimension, dimension, rng)
    contexts = table(counts.shape[0], dimension, dimension + 1, rng)
    entries = grouped(counts, settings, max(_BLOCKS, -(-words.nbytes // _BLOCK_BYTES)))
    step = partial(descended, entries, words, contexts, settings)
    costs = []
    with ThreadPoolExecutor(threads()) as pool:
        for epoch in range(1, settings.epochs + 1):
            costs.append(_epoch(entries.blocks, step, pool, rng) / counts.nnz)
            if not isfinite(costs[-1]):
                raise BadUsage(
                    f"GloVe's cost grew beyond all numbers in epoch {epoch}; use a rate lower "
                    f"than {settings.rate:g}."
                )
            tell("Training", epoch, settings.epochs)
    places = np.arange(dimension + 1)
    return Fit(words[:, 0, places], contexts[:, 0, places + (places == dimension)], costs)


def table(words: int, dimension: int, bias: int, rng: Generator) -> NDArray[np.float32]:
    """Rows as the kernel wants them (words, 2, width): small random vectors, squares of 1.

    Of the two places behind the vector one, `bias`, is drawn as well; the other is 1.
    """
    width = -(-(dimension + 2) // _LANES) * _LANES
    rows = np.zeros((words, 2, width), np.float32)
    drawn = (rng.random((words, dimension + 1), np.float32) - np.float32(0.5)) / (dimension + 1)
    rows[:, 0, dimension : dimension + 2] = 1.0
    rows[:, 0, :dimension], rows[:, 0, bias] = drawn[:, :-1], drawn[:, -1]
    rows[:, 1] = 1.0
    return rows


def grouped(counts: Sparse, settings: Glove, blocks: int) -> Entries:
    """The non-zero counts with their logarithms and weights, in blocks * blocks blocks."""
    bounds = np.zeros(blocks * blocks + 1, np.int64)
    kernels.sizes(counts.indptr, counts.indices, blocks, bounds[1:])
    np.cumsum(bounds, out=bounds)
    places = [np.empty(counts.nnz, np.int32) for _ in range(2)]
    numbers = [np.empty(counts.nnz, np.float32) for _ in range(2)]
    shape = blocks, bounds[:-1].copy(), float(settings.x_max), float(settings.alpha)
    kernels.group(counts.indptr, counts.indices, counts.data, *shape, *places, *numbers)
    return Entries(blocks, bounds, *places, *numbers)


def _epoch(
    blocks: int, step: Callable[[int, int, int], float], pool: Executor, rng: Generator
) -> float:
    # Blocks (r, r + shift) share no vector for any one shift: threads take them in any order.
    seeds = rng.integers(1, 1 << 63, (blocks, blocks))
    cost = 0.0
    for shift in rng.permutation(blocks).tolist():
        columns = [(row + shift) % blocks for row in range(blocks)]
        cost += sum(pool.map(step, range(blocks), columns, seeds[shift].tolist()))
    return cost


def descended(
    entries: Entries,
    words: NDArray[np.float32],
    contexts: NDArray[np.float32],
    settings: Glove,
    row: int,
    column: int,
    seed: int,
) -> float:
    """The cost met on the way through one block, in an order of its own for each seed."""
    block = row * entries.blocks + column
    held = (*entries[2:], *entries.bounds[block : block + 2].tolist())
    kernels.shuffle(*held, seed)
    rate = np.float32(settings.rate)
    return float(kernels.descend(*held, words, contexts, settings.dimension, rate))
