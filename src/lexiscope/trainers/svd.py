"""Truncated SVD of the PPMI matrix (Levy, Goldberg and Dagan 2015).

Optionally with a block of contexts for each position as in Yaghoobzadeh and Schütze 2016.
"""

from dataclasses import dataclass

from numpy.random import Generator

from lexiscope.core.contracts.settings import setting
from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.progress import Progress, silent
from lexiscope.linalg.truncated_svd import check_dimension, truncated_svd
from lexiscope.trainers._counts import PmiTrainer


@dataclass(frozen=True)
class Svd(PmiTrainer):
    """Truncated singular value decomposition (SVD) of the PPMI matrix."""

    dimension: int = setting(100, "Dimensionality of the word vectors.", minimum=1)
    eigen: float = setting(
        0.5, "Exponent of the singular values; 0 weights all dimensions equally.", minimum=0
    )
    add_context: bool = setting(False, "Add the context vector of each word to its word vector.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.positional and self.add_context:
            raise BadUsage(
                "With positional, a word has a context vector for each position, so add_context "
                "must be false."
            )

    def train(self, corpus: Corpus, rng: Generator, progress: Progress = silent) -> Embedding:
        check_dimension(self.dimension, len(corpus.vocabulary))
        matrix = self.ppmi_matrix(corpus, rng, progress)
        found = truncated_svd(matrix, self.dimension, rng, progress=progress)
        vectors = found.left + found.right if self.add_context else found.left
        return corpus.embedding("svd", vectors * found.values**self.eigen)
