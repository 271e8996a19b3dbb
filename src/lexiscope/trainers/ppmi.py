"""PPMI: sparse vectors of positive pointwise mutual information with each context word.

With the shift and the smoothing of Levy, Goldberg and Dagan 2015; optionally with a block of
contexts for each position as in Yaghoobzadeh and Schütze 2016, section 4.
"""

from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.progress import Progress, silent
from lexiscope.core.vectors import MOST_DIMENSIONS
from lexiscope.trainers._counts import PmiTrainer


@dataclass(frozen=True)
class Ppmi(PmiTrainer):
    """Positive pointwise mutual information (PPMI) with each context word, sparse."""

    sparse: ClassVar[bool] = True

    def train(self, corpus: Corpus, rng: Generator, progress: Progress = silent) -> Embedding:
        if self.positional:
            _check_size(2 * self.window, len(corpus.vocabulary))
        return corpus.embedding("ppmi", self.ppmi_matrix(corpus, rng, progress))


def _check_size(positions: int, words: int) -> None:
    if positions * words > MOST_DIMENSIONS:
        raise BadUsage(
            f"{positions} positions with {words:,} contexts each make {positions * words:,} "
            f"dimensions; the maximum is {MOST_DIMENSIONS:,}. Use a smaller window or fewer words."
        )
