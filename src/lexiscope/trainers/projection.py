"""Random projection of co-occurrence counts (Li, Hastie and Church 2006).

Very sparse random projections approximately preserve distances between rows; nothing is learned.
"""

from dataclasses import dataclass
from typing import ClassVar
from warnings import catch_warnings, simplefilter

import numpy as np
from numpy.random import Generator

from lexiscope.cooccurrence.contexts import Contexts
from lexiscope.cooccurrence.pmi import normalized_rows
from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.progress import Progress, silent
from lexiscope.core.vectors import Sparse
from lexiscope.trainers._counts import count_cooccurrences


@dataclass(frozen=True)
class Projection(Trainer):
    """Very sparse random projection of co-occurrence counts."""

    paper: ClassVar[str] = "Li, Hastie and Church 2006"

    dimension: int = setting(100, "Dimensionality of the word vectors.", minimum=1)
    window: int = setting(5, "Maximum distance between a word and its context words.", minimum=1)

    def train(self, corpus: Corpus, rng: Generator, progress: Progress = silent) -> Embedding:
        rows = normalized_rows(count_cooccurrences(corpus, Contexts(self.window), rng, progress))
        directions = random_directions(rows.shape[1], self.dimension, rng)
        vectors = (rows @ directions.T).toarray()
        if not vectors.any():
            raise BadUsage(
                f"{corpus.name}: all random projections are zero for all contexts, so every vector "
                f"would be zero. Use a dimension higher than {self.dimension}, or another seed."
            )
        return corpus.embedding("projection", vectors)


def random_directions(columns: int, dimension: int, rng: Generator) -> Sparse:
    """A random matrix (dimension, columns) in which one entry in sqrt(columns) is not zero.

    Non-zero entries are plus or minus sqrt(sqrt(columns) / dimension), so that the expected length
    of a projected row is its length.
    """
    from scipy.sparse import csr_array
    from sklearn.exceptions import DataDimensionalityWarning
    from sklearn.random_projection import SparseRandomProjection

    projection = SparseRandomProjection(dimension, random_state=int(rng.integers(1 << 31)))
    with catch_warnings():
        # More dimensions than columns do not compress, but preserve distances better.
        simplefilter("ignore", DataDimensionalityWarning)
        # Fitting uses only the shape of the data.
        return csr_array(projection.fit(csr_array((1, columns), dtype=np.float64)).components_)
