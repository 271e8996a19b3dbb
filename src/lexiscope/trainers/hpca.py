"""Principal components of the square roots of co-occurrence probabilities.

Euclidean distance between the square roots of two distributions is their Hellinger distance
(Lebret and Collobert 2014).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.progress import Progress, silent
from lexiscope.core.trainer import Trainer, setting
from lexiscope.stats.factors import must_fit, truncated
from lexiscope.trainers._counts import roots


@dataclass(frozen=True)
class Hpca(Trainer):
    """Principal components of the square roots of context probabilities."""

    paper: ClassVar[str] = "Lebret and Collobert 2014"

    dimension: int = setting(100, "How many numbers a vector has.", least=1)
    window: int = setting(5, "How far a context word may stand away.", least=1)
    contexts: int = setting(10_000, "How many of the most frequent words are contexts.", least=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.contexts < self.dimension:
            raise BadUsage(
                f"contexts must be {self.dimension} or more for a dimension of {self.dimension}, "
                f"found {self.contexts}."
            )

    def train(self, corpus: Corpus, rng: Generator, tell: Progress = silent) -> Embedding:
        must_fit(self.dimension, len(corpus.vocabulary))
        rows = roots(corpus, self.window, self.contexts, rng, tell)
        # The mean is taken off inside the products: the rows themselves would become dense.
        means = np.asarray(rows.sum(axis=0, dtype=np.float64)) / rows.shape[0]
        found = truncated(rows, self.dimension, rng, means, tell)
        return corpus.embedding("hpca", found.left * found.values)
