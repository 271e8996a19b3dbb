"""Co-occurrence counts on a few random directions (Li, Hastie and Church 2006).

Very sparse random projections keep the distances between rows, nearly; nothing is learned.
"""

from dataclasses import dataclass
from typing import ClassVar
from warnings import catch_warnings, simplefilter

import numpy as np
from numpy.random import Generator

from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.progress import Progress, silent
from lexiscope.core.trainer import Trainer, setting
from lexiscope.core.vectors import Sparse
from lexiscope.stats.association import unit_rows
from lexiscope.stats.cooccurrence import Contexts
from lexiscope.trainers._counts import counted


@dataclass(frozen=True)
class Projection(Trainer):
    """Rows of co-occurrence counts on very sparse random directions."""

    paper: ClassVar[str] = "Li, Hastie and Church 2006"

    dimension: int = setting(100, "How many numbers a vector has.", least=1)
    window: int = setting(5, "How far a context word may stand away.", least=1)

    def train(self, corpus: Corpus, rng: Generator, tell: Progress = silent) -> Embedding:
        rows = unit_rows(counted(corpus, Contexts(self.window), rng, tell))
        directions = random_directions(rows.shape[1], self.dimension, rng)
        vectors = (rows @ directions.T).toarray()
        if not vectors.any():
            raise BadUsage(
                f"{corpus.name}: none of the random directions meets a context, so that every "
                f"vector would be zero. Use a dimension higher than {self.dimension}, or another "
                "seed."
            )
        return corpus.embedding("projection", vectors)


def random_directions(columns: int, dimension: int, rng: Generator) -> Sparse:
    """Directions (dimension, columns) of which one number in sqrt(columns) is not zero.

    Those are plus or minus sqrt(sqrt(columns) / dimension), so that lengths are kept on average.
    """
    from scipy.sparse import csr_array
    from sklearn.exceptions import DataDimensionalityWarning
    from sklearn.random_projection import SparseRandomProjection

    drawn = SparseRandomProjection(dimension, random_state=int(rng.integers(1 << 31)))
    with catch_warnings():
        # Nothing becomes smaller by more directions than columns, but distances are kept better.
        simplefilter("ignore", DataDimensionalityWarning)
        # Only the shape of what it is fitted to counts.
        return csr_array(drawn.fit(csr_array((1, columns), dtype=np.float64)).components_)
