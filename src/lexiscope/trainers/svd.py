"""The strongest directions of the PPMI matrix (Levy et al. 2015)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.progress import Progress, silent
from lexiscope.core.trainer import Trainer, setting
from lexiscope.stats.cooccurrence import Contexts, cooccurrences


@dataclass(frozen=True)
class Svd(Trainer):
    """The strongest directions of the PPMI matrix."""

    paper: ClassVar[str] = "Levy, Goldberg and Dagan 2015"

    dimension: int = setting(100, "How many numbers a vector has.", least=1)
    window: int = setting(5, "How far a context word may stand away.", least=1)

    def train(self, corpus: Corpus, rng: Generator, tell: Progress = silent) -> Embedding:
        from scipy.sparse.linalg import svds

        counts = cooccurrences(corpus, Contexts(self.window), rng, tell)
        left, values, _ = svds(counts, k=self.dimension, rng=rng)
        return corpus.embedding("svd", (left[:, ::-1] * np.sqrt(values[::-1])).astype(np.float32))
