"""LSA: left singular vectors of the PMI matrix, without the singular values.

Latent semantic analysis (Landauer and Dumais 1997) of word-word co-occurrences, as defined by
Tsvetkov et al. 2015.
"""

from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from lexiscope.cooccurrence.contexts import Contexts
from lexiscope.cooccurrence.pmi import pmi
from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.progress import Progress, silent
from lexiscope.linalg.truncated_svd import check_dimension, truncated_svd
from lexiscope.trainers._counts import count_cooccurrences, require_associations


@dataclass(frozen=True)
class Lsa(Trainer):
    """Latent semantic analysis: left singular vectors of the PMI matrix."""

    paper: ClassVar[str] = "Landauer and Dumais 1997"

    dimension: int = setting(100, "Dimensionality of the word vectors.", minimum=1)
    window: int = setting(5, "Maximum distance between a word and its context words.", minimum=1)

    def train(self, corpus: Corpus, rng: Generator, progress: Progress = silent) -> Embedding:
        check_dimension(self.dimension, len(corpus.vocabulary))
        # Departs from the paper: the PMI of an unseen pair is minus infinity; it is set to 0, as if
        # the pair co-occurred as often as expected by chance. Negative PMI of seen pairs is kept.
        matrix = pmi(count_cooccurrences(corpus, Contexts(self.window), rng, progress))
        require_associations(corpus, matrix)
        found = truncated_svd(matrix, self.dimension, rng, progress=progress)
        return corpus.embedding("lsa", found.left)
