"""Hellinger PCA: principal components of the square roots of context probabilities.

The Euclidean distance between the square roots of two distributions is proportional to their
Hellinger distance (Lebret and Collobert 2014).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.progress import Progress, silent
from lexiscope.linalg.truncated_svd import check_dimension, truncated_svd
from lexiscope.trainers._counts import hellinger_matrix

_MIN_FREQUENCY = 1e-5  # of a context word, in the program of the authors


@dataclass(frozen=True)
class Hpca(Trainer):
    """Hellinger PCA of co-occurrence probabilities."""

    paper: ClassVar[str] = "Lebret and Collobert 2014"

    dimension: int = setting(100, "Dimensionality of the word vectors.", minimum=1)
    window: int = setting(5, "Maximum distance between a word and its context words.", minimum=1)
    contexts: int = setting(
        0,
        "Number of most frequent words used as contexts; 0 means all words with a relative "
        "frequency of at least 0.00001.",
        minimum=0,
    )
    eigen: float = setting(
        0.0, "Exponent of the singular values; 0 weights all dimensions equally.", minimum=0
    )
    center: bool = setting(False, "Subtract the mean of all words before the decomposition.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if 0 < self.contexts < self.dimension:
            raise BadUsage(
                f"contexts must be {self.dimension} or more for a dimension of {self.dimension}, "
                f"found {self.contexts}."
            )

    def train(self, corpus: Corpus, rng: Generator, progress: Progress = silent) -> Embedding:
        check_dimension(self.dimension, len(corpus.vocabulary))
        contexts = self.contexts or _frequent_words(corpus)
        rows = hellinger_matrix(corpus, self.window, contexts, rng, progress)
        # The mean is subtracted inside the products: centred rows would be dense.
        means = np.asarray(rows.sum(axis=0, dtype=np.float64)) / rows.shape[0]
        found = truncated_svd(rows, self.dimension, rng, means if self.center else None, progress)
        return corpus.embedding("hpca", found.left * found.values**self.eigen)


def _frequent_words(corpus: Corpus) -> int:
    """The number of words with a relative frequency of at least 1e-5; they come first."""
    return int(np.count_nonzero(corpus.counts >= _MIN_FREQUENCY * corpus.counts.sum()))
