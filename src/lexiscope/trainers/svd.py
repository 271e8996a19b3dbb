"""The strongest directions of the PPMI matrix (Levy, Goldberg and Dagan 2015)."""

from dataclasses import dataclass

from numpy.random import Generator

from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.progress import Progress, silent
from lexiscope.core.trainer import setting
from lexiscope.stats.factors import must_fit, truncated
from lexiscope.trainers._pmi import OfPmi


@dataclass(frozen=True)
class Svd(OfPmi):
    """The strongest directions of the PPMI matrix."""

    dimension: int = setting(100, "How many numbers a vector has.", least=1)
    eigen: float = setting(
        0.5, "The power of the singular values; 0 makes all directions alike.", least=0
    )
    add_context: bool = setting(False, "Whether a word's vector as a context is added to it.")

    def train(self, corpus: Corpus, rng: Generator, tell: Progress = silent) -> Embedding:
        must_fit(self.dimension, len(corpus.vocabulary))
        found = truncated(self.table(corpus, rng, tell), self.dimension, rng, tell=tell)
        vectors = found.left + found.right if self.add_context else found.left
        return corpus.embedding("svd", vectors * found.values**self.eigen)
