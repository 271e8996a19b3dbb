"""TSCCA: two-step CCA of left contexts, right contexts and words (Dhillon et al. 2012).

Step 1 is the canonical correlation analysis of left and right contexts; step 2 that of words and
the projected contexts.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.cooccurrence.contexts import Contexts, by_position
from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.core.progress import Progress, silent
from lexiscope.core.vectors import Sparse
from lexiscope.linalg.cca import Directions, dense_directions, sparse_directions
from lexiscope.linalg.deterministic_products import single_threaded_blas
from lexiscope.linalg.truncated_svd import check_dimension

Double = NDArray[np.float64]


@dataclass(frozen=True)
class Tscca(Trainer):
    """Two-step canonical correlation analysis of words and their contexts."""

    paper: ClassVar[str] = "Dhillon, Rodu, Foster and Ungar 2012"

    dimension: int = setting(100, "Dimensionality of the word vectors.", minimum=1)
    window: int = setting(2, "Number of context words on each side.", minimum=1)
    first_dimension: int = setting(
        0, "Dimensionality of the first step; 0 means twice the dimension.", minimum=0
    )
    smoothing: float = setting(0.0, "Added to the count of each word and context.", minimum=0)
    sqrt_counts: bool = setting(
        True, "Take the square root of every count, as the authors recommend."
    )

    def train(self, corpus: Corpus, rng: Generator, progress: Progress = silent) -> Embedding:
        check_dimension(self.dimension, len(corpus.vocabulary))
        pairs = by_position(corpus, Contexts(2 * self.window), rng, progress)
        if not pairs[2].nnz:
            raise BadData(
                f"{corpus.name}: no sentence has three words, so no word has both a left and a "
                "right context."
            )
        views = _views(corpus, pairs, self.window, self.smoothing)
        words = np.asarray(corpus.counts + self.smoothing, np.float64)
        if self.sqrt_counts:
            views, words = Views(*map(np.sqrt, views)), np.sqrt(words)
        number = min(self.first_dimension or 2 * self.dimension, views.crossed.shape[0])
        sides = sparse_directions(views.crossed, views.left, views.right, number, rng, progress)
        with single_threaded_blas():
            states = np.hstack([views.before @ sides.left, views.after @ sides.right])
            vectors = dense_directions(states, words, _covariance(views, sides), self.dimension)
        return corpus.embedding("tscca", vectors)


class Views(NamedTuple):
    """Co-occurrence counts of three views of a token.

    L and R, the left and right contexts, have a feature for each word at each position; W, the word
    itself, has one for each word.
    """

    crossed: Sparse  # L'R
    left: Double  # the diagonal of L'L
    right: Double
    left_pairs: Sparse  # L'L without its diagonal
    right_pairs: Sparse
    before: Sparse  # W'L
    after: Sparse  # W'R


def _views(corpus: Corpus, pairs: dict[int, Sparse], window: int, smoothing: float) -> Views:
    from scipy.sparse import block_array, hstack

    distances = range(1, window + 1)
    # A word i positions before and one j positions after a token have distance i + j.
    crossed = block_array([[pairs[i + j] for j in distances] for i in distances], format="csr")
    left = np.concatenate([pairs[i].sum(axis=1) for i in distances]) + smoothing
    right = np.concatenate([pairs[j].sum(axis=0) for j in distances]) + smoothing
    return Views(
        crossed,
        left,
        right,
        _side_pairs(corpus, pairs, window, before=True),
        _side_pairs(corpus, pairs, window, before=False),
        hstack([pairs[-i] for i in distances], format="csr"),
        hstack([pairs[j] for j in distances], format="csr"),
    )


def _side_pairs(corpus: Corpus, pairs: dict[int, Sparse], window: int, before: bool) -> Sparse:
    """Counts of two words at two positions on one side: blocks off the diagonal."""
    from scipy.sparse import block_array, csr_array

    words = len(corpus.vocabulary)
    blocks = [[csr_array((words, words)) for _ in range(window)] for _ in range(window)]
    for near in range(1, window + 1):
        for far in range(near + 1, window + 1):
            counts = pairs[far - near] - _at_the_edge(corpus, near, far - near, before)
            # `counts` is in text order: before a word, the farther one comes first.
            upper = counts.T if before else counts
            blocks[near - 1][far - 1], blocks[far - 1][near - 1] = upper, upper.T
    return block_array(blocks, format="csr")


def _at_the_edge(corpus: Corpus, near: int, distance: int, before: bool) -> Sparse:
    """Pairs at the edge of a sentence: no third word is `near` positions after (or before) them.

    They are in the counts of pairs, but are not the context of any token.
    """
    from scipy.sparse import csr_array

    starts, ends = corpus.starts[:-1], corpus.starts[1:]
    steps = np.arange(near)
    second = (ends[:, None] - 1 - steps) if before else (starts[:, None] + distance + steps)
    inside = (second - distance >= starts[:, None]) & (second < ends[:, None])
    last = second[inside]
    words = len(corpus.vocabulary)
    pair = corpus.tokens[last - distance], corpus.tokens[last]
    return csr_array((np.ones(len(last)), pair), (words, words))


def _covariance(views: Views, sides: Directions) -> Double:
    """The covariance of the states: both contexts of every token, projected by the first step."""
    left, right = sides
    upper = left.T @ (views.crossed @ right)
    own_left = left.T @ (views.left_pairs @ left + views.left[:, None] * left)
    own_right = right.T @ (views.right_pairs @ right + views.right[:, None] * right)
    return np.block([[own_left, upper], [upper.T, own_right]])
