"""The strongest directions of the PPMI matrix (Levy, Goldberg and Dagan 2015)."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from numpy.random import Generator

from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.progress import Progress, silent
from lexiscope.core.trainer import Trainer, setting
from lexiscope.stats.cooccurrence import Contexts
from lexiscope.stats.factors import must_fit, truncated
from lexiscope.trainers._counts import associated, counted


@dataclass(frozen=True)
class Svd(Trainer):
    """The strongest directions of the PPMI matrix."""

    paper: ClassVar[str] = "Levy, Goldberg and Dagan 2015"
    version: ClassVar[int] = 2

    dimension: int = setting(100, "How many numbers a vector has.", least=1)
    window: int = setting(5, "How far a context word may stand away.", least=1)
    weights: Literal["flat", "linear", "harmonic"] = setting(
        "flat", "How much a context counts by its distance."
    )
    dynamic: bool = setting(False, "Whether each window is drawn between 1 and the window.")
    subsample: float = setting(
        0.0, "Words with a larger share of the text are thinned out; 0 keeps all.", least=0
    )
    delete: bool = setting(False, "Whether the neighbours of a dropped word close ranks.")
    cds: float = setting(
        0.75, "The power of context counts; below 1 rare contexts weigh less.", above=0, most=1
    )
    neg: float = setting(1.0, "The logarithm of this is taken off every PMI.", least=1)
    eigen: float = setting(
        0.5, "The power of the singular values; 0 makes all directions alike.", least=0
    )
    add_context: bool = setting(False, "Whether a word's vector as a context is added to it.")

    def train(self, corpus: Corpus, rng: Generator, tell: Progress = silent) -> Embedding:
        must_fit(self.dimension, len(corpus.vocabulary))
        contexts = Contexts(self.window, self.weights, self.dynamic, self.subsample, self.delete)
        counts = counted(corpus, contexts, rng, tell)
        table = associated(corpus, counts, self.cds, self.neg)
        found = truncated(table, self.dimension, rng, tell=tell)
        vectors = found.left + found.right if self.add_context else found.left
        return corpus.embedding("svd", vectors * found.values**self.eigen)
