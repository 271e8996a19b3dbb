"""GloVe: dot products of vectors fit log co-occurrence counts (Pennington et al. 2014)."""

from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import isfinite
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.cooccurrence.contexts import Contexts
from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.machine import threads
from lexiscope.core.progress import Progress, silent
from lexiscope.core.vectors import Sparse
from lexiscope.kernels import glove as kernels
from lexiscope.trainers._counts import count_cooccurrences

# The number of blocks depends on the vocabulary, not on the number of threads: same bytes.
_BLOCKS = 16
_BLOCK_BYTES = 1 << 22  # of vectors; two blocks per thread should fit into the cache
_LANES = 8


@dataclass(frozen=True)
class Glove(Trainer):
    """GloVe: weighted least-squares regression of log co-occurrence counts."""

    paper: ClassVar[str] = "Pennington, Socher and Manning 2014"

    dimension: int = setting(100, "Dimensionality of the word vectors.", minimum=1)
    window: int = setting(10, "Maximum distance between a word and its context words.", minimum=1)
    epochs: int = setting(25, "Number of passes over the co-occurrence counts.", minimum=1)
    learning_rate: float = setting(0.05, "Initial learning rate.", exclusive_minimum=0)
    x_max: float = setting(
        100.0,
        "Count from which the weight is constant; 10 suits corpora of a few million tokens.",
        exclusive_minimum=0,
    )
    alpha: float = setting(0.75, "Exponent of the weighting function.", minimum=0)

    def train(self, corpus: Corpus, rng: Generator, progress: Progress = silent) -> Embedding:
        counts = count_cooccurrences(corpus, Contexts(self.window, "harmonic"), rng, progress)
        found = fit(counts, self, rng, progress)
        return corpus.embedding("glove", found.words[:, :-1] + found.contexts[:, :-1])


class Fit(NamedTuple):
    """Vectors of words and contexts, with the bias as last column, and the mean cost per epoch."""

    words: NDArray[np.float32]
    contexts: NDArray[np.float32]
    costs: list[float]


class Entries(NamedTuple):
    """The non-zero counts, grouped by block.

    Block (r, c) is the entries from bounds[k] to bounds[k + 1], k = r * blocks + c.
    """

    blocks: int
    bounds: NDArray[np.int64]
    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    logs: NDArray[np.float32]
    weights: NDArray[np.float32]


def fit(counts: Sparse, settings: Glove, rng: Generator, progress: Progress = silent) -> Fit:
    """Fit the logarithms of the counts (float64 CSR) by weighted least squares with AdaGrad."""
    dimension = settings.dimension
    words = initial_table(counts.shape[0], dimension, dimension, rng)
    contexts = initial_table(counts.shape[0], dimension, dimension + 1, rng)
    entries = group_entries(counts, settings, max(_BLOCKS, -(-words.nbytes // _BLOCK_BYTES)))
    step = partial(train_block, entries, words, contexts, settings)
    costs = []
    with ThreadPoolExecutor(threads()) as pool:
        for epoch in range(1, settings.epochs + 1):
            costs.append(_train_epoch(entries.blocks, step, pool, rng) / counts.nnz)
            if not isfinite(costs[-1]):
                raise BadUsage(
                    f"GloVe diverged in epoch {epoch}: its cost is no longer finite. Use a "
                    f"learning_rate lower than {settings.learning_rate:g}."
                )
            progress("Training", epoch, settings.epochs)
    columns = np.arange(dimension + 1)
    return Fit(words[:, 0, columns], contexts[:, 0, columns + (columns == dimension)], costs)


def initial_table(words: int, dimension: int, bias: int, rng: Generator) -> NDArray[np.float32]:
    """The initial parameters (words, 2, width): small random vectors, and AdaGrad squares of 1.

    Of the two columns after the vector, `bias` is random as well; the other is 1.
    """
    width = -(-(dimension + 2) // _LANES) * _LANES
    rows = np.zeros((words, 2, width), np.float32)
    numbers = (rng.random((words, dimension + 1), np.float32) - np.float32(0.5)) / (dimension + 1)
    rows[:, 0, dimension : dimension + 2] = 1.0
    rows[:, 0, :dimension], rows[:, 0, bias] = numbers[:, :-1], numbers[:, -1]
    rows[:, 1] = 1.0
    return rows


def group_entries(counts: Sparse, settings: Glove, blocks: int) -> Entries:
    """The non-zero counts with their logarithms and weights, in blocks * blocks groups."""
    bounds = np.zeros(blocks * blocks + 1, np.int64)
    kernels.block_sizes(counts.indptr, counts.indices, blocks, bounds[1:])
    np.cumsum(bounds, out=bounds)
    positions = [np.empty(counts.nnz, np.int32) for _ in range(2)]
    numbers = [np.empty(counts.nnz, np.float32) for _ in range(2)]
    shape = blocks, bounds[:-1].copy(), float(settings.x_max), float(settings.alpha)
    kernels.group_entries(counts.indptr, counts.indices, counts.data, *shape, *positions, *numbers)
    return Entries(blocks, bounds, *positions, *numbers)


def _train_epoch(
    blocks: int, step: Callable[[int, int, int], float], pool: Executor, rng: Generator
) -> float:
    # Blocks (r, r + shift) of one shift share no vector, so threads can take them in any order.
    seeds = rng.integers(1, 1 << 63, (blocks, blocks))
    cost = 0.0
    for shift in rng.permutation(blocks).tolist():
        columns = [(row + shift) % blocks for row in range(blocks)]
        cost += sum(pool.map(step, range(blocks), columns, seeds[shift].tolist()))
    return cost


def train_block(
    entries: Entries,
    words: NDArray[np.float32],
    contexts: NDArray[np.float32],
    settings: Glove,
    row: int,
    column: int,
    seed: int,
) -> float:
    """Train on one block, in an order that depends on the seed; returns the summed cost."""
    block = row * entries.blocks + column
    arrays = (*entries[2:], *entries.bounds[block : block + 2].tolist())
    kernels.shuffle(*arrays, seed)
    learning_rate = np.float32(settings.learning_rate)
    return float(kernels.adagrad_steps(*arrays, words, contexts, settings.dimension, learning_rate))
