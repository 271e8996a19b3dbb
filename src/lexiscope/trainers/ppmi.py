"""How much more often than by chance a word stands near each other word: sparse vectors.

Positive pointwise mutual information with the shift and the smoothing of Levy, Goldberg and Dagan
2015; with a block for each position as in Yaghoobzadeh and Schütze 2016, section 3.1.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from numpy.random import Generator

from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.core.progress import Progress, silent
from lexiscope.core.trainer import Trainer, setting
from lexiscope.stats.association import blocks_of_length_one, ppmi
from lexiscope.stats.cooccurrence import Contexts, Matrix, by_position
from lexiscope.trainers._counts import associated, counted


@dataclass(frozen=True)
class Ppmi(Trainer):
    """Positive pointwise mutual information with every context, sparse."""

    paper: ClassVar[str] = "Levy, Goldberg and Dagan 2015"

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
    positional: bool = setting(
        False, "Whether each place before and after the word has contexts of its own."
    )

    def train(self, corpus: Corpus, rng: Generator, tell: Progress = silent) -> Embedding:
        contexts = Contexts(self.window, self.weights, self.dynamic, self.subsample, self.delete)
        if self.positional:
            return corpus.embedding("ppmi", self._blocks(corpus, contexts, rng, tell))
        counts = counted(corpus, contexts, rng, tell)
        return corpus.embedding("ppmi", associated(corpus, counts, self.cds, self.neg))

    def _blocks(self, corpus: Corpus, contexts: Contexts, rng: Generator, tell: Progress) -> Matrix:
        """A block of contexts for each place from -window to window, each of length 1."""
        places = sorted(by_position(corpus, contexts, rng, tell).items())
        table = blocks_of_length_one([ppmi(counts, self.cds, self.neg) for _, counts in places])
        if not table.nnz:
            raise BadData(f"{corpus.name}: no two words stand together more than by chance.")
        return table
