"""The strongest directions of the PMI matrix, all of them alike.

Latent semantic analysis (Landauer and Dumais 1997) as Tsvetkov et al. 2015 define it, of words with
words.
"""

from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.progress import Progress, silent
from lexiscope.core.trainer import Trainer, setting
from lexiscope.stats.association import pmi
from lexiscope.stats.cooccurrence import Contexts
from lexiscope.stats.factors import must_fit, truncated
from lexiscope.trainers._counts import counted, telling


@dataclass(frozen=True)
class Lsa(Trainer):
    """The left singular vectors of the PMI matrix, without the singular values."""

    paper: ClassVar[str] = "Landauer and Dumais 1997"

    dimension: int = setting(100, "How many numbers a vector has.", least=1)
    window: int = setting(5, "How far a context word may stand away.", least=1)

    def train(self, corpus: Corpus, rng: Generator, tell: Progress = silent) -> Embedding:
        must_fit(self.dimension, len(corpus.vocabulary))
        # Departs from the paper: the PMI of a pair that was never seen is minus infinity; it is
        # taken as 0, as if the pair met as often as by chance. What was seen keeps its sign.
        table = pmi(counted(corpus, Contexts(self.window), rng, tell))
        found = truncated(telling(corpus, table), self.dimension, rng, tell=tell)
        return corpus.embedding("lsa", found.left)
