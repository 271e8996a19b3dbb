"""Co-occurrence counts on a few random directions (Li, Hastie and Church 2006).

Very sparse random projections keep the distances between rows, nearly; nothing is learned.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.progress import Progress, silent
from lexiscope.core.trainer import Trainer, setting
from lexiscope.stats.association import unit_rows
from lexiscope.stats.cooccurrence import Contexts, Matrix
from lexiscope.stats.factors import must_fit
from lexiscope.trainers._counts import counted


@dataclass(frozen=True)
class Projection(Trainer):
    """Rows of co-occurrence counts on very sparse random directions."""

    paper: ClassVar[str] = "Li, Hastie and Church 2006"

    dimension: int = setting(100, "How many numbers a vector has.", least=1)
    window: int = setting(5, "How far a context word may stand away.", least=1)

    def train(self, corpus: Corpus, rng: Generator, tell: Progress = silent) -> Embedding:
        must_fit(self.dimension, len(corpus.vocabulary))
        rows = unit_rows(counted(corpus, Contexts(self.window), rng, tell))
        directions = random_directions(rows.shape[1], self.dimension, rng)
        return corpus.embedding("projection", (rows @ directions.T).toarray())


def random_directions(columns: int, dimension: int, rng: Generator) -> Matrix:
    """Directions (dimension, columns) of which one number in sqrt(columns) is not zero.

    Those are plus or minus sqrt(sqrt(columns) / dimension), so that lengths are kept on average.
    """
    from scipy.sparse import csr_array
    from sklearn.random_projection import SparseRandomProjection

    drawn = SparseRandomProjection(dimension, random_state=int(rng.integers(1 << 31)))
    # Only the shape of what it is fitted to counts.
    return csr_array(drawn.fit(csr_array((1, columns), dtype=np.float64)).components_)
