"""PPMI: sparse vectors of positive pointwise mutual information with each context word.

With the shift and the smoothing of Levy, Goldberg and Dagan 2015; optionally with a block of
contexts for each position as in Yaghoobzadeh and Schütze 2016, section 3.1.
"""

from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from lexiscope.cooccurrence.contexts import by_position
from lexiscope.cooccurrence.pmi import concatenate_normalized, ppmi
from lexiscope.core.contracts.settings import setting
from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.progress import Progress, silent
from lexiscope.core.vectors import MOST_DIMENSIONS, Sparse
from lexiscope.trainers._counts import PmiTrainer, require_associations


@dataclass(frozen=True)
class Ppmi(PmiTrainer):
    """Positive pointwise mutual information (PPMI) with each context word, sparse."""

    sparse: ClassVar[bool] = True

    positional: bool = setting(
        False, "Distinguish contexts by their position before or after the word."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.positional and self.weights != "flat":
            raise BadUsage(
                "With positional, contexts are distinguished by position, not weighted by "
                f"distance: weights must be flat, found {self.weights}."
            )

    def train(self, corpus: Corpus, rng: Generator, progress: Progress = silent) -> Embedding:
        vectors = self._positional_matrix if self.positional else self.ppmi_matrix
        return corpus.embedding("ppmi", vectors(corpus, rng, progress))

    def _positional_matrix(self, corpus: Corpus, rng: Generator, progress: Progress) -> Sparse:
        """A block of contexts for each position from -window to window, each of L2 norm 1."""
        _check_size(2 * self.window, len(corpus.vocabulary))
        by_offset = by_position(corpus, self.contexts, rng, progress)
        blocks = [ppmi(counts, self.cds, self.neg) for counts in by_offset.values()]
        return require_associations(corpus, concatenate_normalized(blocks), self.neg)


def _check_size(positions: int, words: int) -> None:
    if positions * words > MOST_DIMENSIONS:
        raise BadUsage(
            f"{positions} positions with {words:,} contexts each make {positions * words:,} "
            f"dimensions; the maximum is {MOST_DIMENSIONS:,}. Use a smaller window or fewer words."
        )
