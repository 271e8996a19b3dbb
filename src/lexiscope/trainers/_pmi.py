"""What trainers share that begin with how much more often than by chance two words meet."""

from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from lexiscope.core.corpus import Corpus
from lexiscope.core.progress import Progress, silent
from lexiscope.core.trainer import Trainer, setting
from lexiscope.core.vectors import Sparse
from lexiscope.stats.association import ppmi
from lexiscope.stats.cooccurrence import Contexts, Weights
from lexiscope.trainers._counts import counted, telling


@dataclass(frozen=True)
class OfPmi(Trainer):
    """Which contexts are counted, and how their PMI is smoothed and shifted."""

    paper: ClassVar[str] = "Levy, Goldberg and Dagan 2015"

    window: int = setting(5, "How far a context word may stand away.", least=1)
    weights: Weights = setting("flat", "How much a context counts by its distance.")
    dynamic: bool = setting(False, "Whether each window is drawn between 1 and the window.")
    subsample: float = setting(
        0.0, "Words with a larger share of the text are thinned out; 0 keeps all.", least=0
    )
    delete: bool = setting(False, "Whether the neighbours of a dropped word close ranks.")
    cds: float = setting(
        0.75, "The power of context counts; below 1 rare contexts weigh less.", above=0, most=1
    )
    neg: float = setting(1.0, "The logarithm of this is taken off every PMI.", least=1)

    @property
    def contexts(self) -> Contexts:
        """The contexts that the settings ask for."""
        return Contexts(self.window, self.weights, self.dynamic, self.subsample, self.delete)

    def table(self, corpus: Corpus, rng: Generator, tell: Progress = silent) -> Sparse:
        """The positive PMI of all words with all contexts, of which there is at least one."""
        counts = counted(corpus, self.contexts, rng, tell)
        return telling(corpus, ppmi(counts, self.cds, self.neg), self.neg)
