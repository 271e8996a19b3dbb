"""Shared base of the trainers that use positive pointwise mutual information (PPMI)."""

from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from lexiscope.cooccurrence.contexts import Contexts, Weights
from lexiscope.cooccurrence.pmi import ppmi
from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import Corpus
from lexiscope.core.progress import Progress, silent
from lexiscope.core.vectors import Sparse
from lexiscope.trainers._counts import count_cooccurrences, require_associations


@dataclass(frozen=True)
class PmiTrainer(Trainer):
    """Hyperparameters of Levy, Goldberg and Dagan 2015: contexts, smoothing and shift."""

    paper: ClassVar[str] = "Levy, Goldberg and Dagan 2015"

    window: int = setting(5, "Maximum distance between a word and its context words.", minimum=1)
    weights: Weights = setting("flat", "Weight of a context word by its distance.")
    dynamic_window: bool = setting(
        False, "Sample the window size of each word uniformly from 1 to the window."
    )
    subsample: float = setting(
        0.0,
        "Threshold of relative frequency above which words are randomly discarded; 0 disables it.",
        minimum=0,
    )
    dirty_subsampling: bool = setting(
        False, "Discard words before windows are formed, so that windows reach further."
    )
    cds: float = setting(
        0.75,
        "Exponent of the context counts (context distribution smoothing).",
        exclusive_minimum=0,
        maximum=1,
    )
    neg: float = setting(1.0, "Shift: its logarithm is subtracted from the PMI.", minimum=1)

    @property
    def contexts(self) -> Contexts:
        """The contexts to count."""
        return Contexts(
            self.window, self.weights, self.dynamic_window, self.subsample, self.dirty_subsampling
        )

    def ppmi_matrix(self, corpus: Corpus, rng: Generator, progress: Progress = silent) -> Sparse:
        """The PPMI of all words with all contexts; an error if it is zero everywhere."""
        counts = count_cooccurrences(corpus, self.contexts, rng, progress)
        return require_associations(corpus, ppmi(counts, self.cds, self.neg), self.neg)
