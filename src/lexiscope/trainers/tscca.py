"""What left and right contexts agree on, and what the word between shares with both.

Two-step canonical correlation analysis (Dhillon, Rodu, Foster and Ungar 2012).
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.core.progress import Progress, silent
from lexiscope.core.trainer import Trainer, setting
from lexiscope.core.vectors import Sparse
from lexiscope.stats.canonical import Directions, dense_directions, sparse_directions
from lexiscope.stats.cooccurrence import Contexts, by_position
from lexiscope.stats.factors import must_fit
from lexiscope.stats.threaded import one_core_each

Double = NDArray[np.float64]


@dataclass(frozen=True)
class Tscca(Trainer):
    """Two-step canonical correlation analysis of words and their contexts."""

    paper: ClassVar[str] = "Dhillon, Rodu, Foster and Ungar 2012"

    dimension: int = setting(100, "How many numbers a vector has.", least=1)
    window: int = setting(2, "How many words on each side are the contexts.", least=1)
    first: int = setting(
        0, "How many directions the first step keeps; 0: twice the dimension.", least=0
    )
    smoothing: float = setting(
        0.0, "What is added to the count of every word and context.", least=0
    )

    def train(self, corpus: Corpus, rng: Generator, tell: Progress = silent) -> Embedding:
        must_fit(self.dimension, len(corpus.vocabulary))
        pairs = by_position(corpus, Contexts(2 * self.window), rng, tell)
        if not pairs[2].nnz:
            raise BadData(f"{corpus.name}: no sentence has three words, so no word has two sides.")
        views = _views(corpus, pairs, self.window, self.smoothing)
        number = min(self.first or 2 * self.dimension, views.crossed.shape[0])
        sides = sparse_directions(views.crossed, views.left, views.right, number, rng, tell)
        words = np.asarray(corpus.counts + self.smoothing, np.float64)
        with one_core_each():
            states = np.hstack([views.before @ sides.left, views.after @ sides.right])
            vectors = dense_directions(states, words, _covariance(views, sides), self.dimension)
        return corpus.embedding("tscca", vectors)


class Views(NamedTuple):
    """Counts of pairs: L and R have a feature for each word at each place, W one for each word."""

    crossed: Sparse  # L'R
    left: Double  # the diagonal of L'L
    right: Double
    left_pairs: Sparse  # L'L without its diagonal
    right_pairs: Sparse
    before: Sparse  # W'L
    after: Sparse  # W'R


def _views(corpus: Corpus, pairs: dict[int, Sparse], window: int, smoothing: float) -> Views:
    from scipy.sparse import block_array, hstack

    places = range(1, window + 1)
    # A word i places before and one j places after a third are i + j apart.
    crossed = block_array([[pairs[i + j] for j in places] for i in places], format="csr")
    left = np.concatenate([pairs[i].sum(axis=1) for i in places]) + smoothing
    right = np.concatenate([pairs[j].sum(axis=0) for j in places]) + smoothing
    return Views(
        crossed,
        left,
        right,
        _side_pairs(corpus, pairs, window, before=True),
        _side_pairs(corpus, pairs, window, before=False),
        hstack([pairs[-i] for i in places], format="csr"),
        hstack([pairs[j] for j in places], format="csr"),
    )


def _side_pairs(corpus: Corpus, pairs: dict[int, Sparse], window: int, before: bool) -> Sparse:
    """How often two words stand at two places of one side: blocks above the diagonal, and below."""
    from scipy.sparse import block_array, csr_array

    words = len(corpus.vocabulary)
    blocks = [[csr_array((words, words)) for _ in range(window)] for _ in range(window)]
    for near in range(1, window + 1):
        for far in range(near + 1, window + 1):
            met = pairs[far - near] - _at_the_edge(corpus, near, far - near, before)
            # `met` runs in the order of the text: before a word, the farther one comes first.
            upper = met.T if before else met
            blocks[near - 1][far - 1], blocks[far - 1][near - 1] = upper, upper.T
    return block_array(blocks, format="csr")


def _at_the_edge(corpus: Corpus, near: int, apart: int, before: bool) -> Sparse:
    """Pairs of words with no third word `near` places behind them (or before), in their sentence.

    They stand in the counts of pairs, but on neither side of anything.
    """
    from scipy.sparse import csr_array

    starts, ends = corpus.starts[:-1], corpus.starts[1:]
    steps = np.arange(near)
    second = (ends[:, None] - 1 - steps) if before else (starts[:, None] + apart + steps)
    inside = (second - apart >= starts[:, None]) & (second < ends[:, None])
    last = second[inside]
    words = len(corpus.vocabulary)
    pair = corpus.tokens[last - apart], corpus.tokens[last]
    return csr_array((np.ones(len(last)), pair), (words, words))


def _covariance(views: Views, sides: Directions) -> Double:
    """The covariance of the states: both sides of every token on the first step's directions."""
    left, right = sides
    upper = left.T @ (views.crossed @ right)
    own_left = left.T @ (views.left_pairs @ left + views.left[:, None] * left)
    own_right = right.T @ (views.right_pairs @ right + views.right[:, None] * right)
    return np.block([[own_left, upper], [upper.T, own_right]])
