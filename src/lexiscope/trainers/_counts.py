"""Counts for the trainers that decompose them, or one sentence why there is nothing to count."""

import numpy as np
from numpy.random import Generator

from lexiscope.core.corpus import Corpus
from lexiscope.core.errors import BadData
from lexiscope.core.progress import Progress, silent
from lexiscope.core.vectors import Sparse
from lexiscope.stats.cooccurrence import Contexts, cooccurrences
from lexiscope.stats.hellinger import hellinger_rows


def counted(corpus: Corpus, contexts: Contexts, rng: Generator, tell: Progress = silent) -> Sparse:
    """The co-occurrence counts of a corpus, of which there is at least one."""
    counts = cooccurrences(corpus, contexts, rng, tell)
    if not counts.nnz:
        raise BadData(f"{corpus.name}: no two words stand together, so there are no contexts.")
    return counts


def telling(corpus: Corpus, table: Sparse, neg: float = 1.0) -> Sparse:
    """A table of associations, of which there is at least one."""
    if not table.nnz:
        raise BadData(
            f"{corpus.name}: no two words stand together more often than {neg:g} times what "
            "chance would give, so that every vector would be zero."
        )
    return table


def roots(
    corpus: Corpus, window: int, contexts: int, rng: Generator, tell: Progress = silent
) -> Sparse:
    """Rows of roots of context probabilities, of which two are different."""
    rows = hellinger_rows(counted(corpus, Contexts(window), rng, tell), contexts)
    if _alike(rows):
        raise BadData(
            f"{corpus.name}: all words have the same contexts equally often, so that every vector "
            "would be zero."
        )
    return rows


def _alike(rows: Sparse) -> bool:
    number, width = rows.shape[0], int(rows.indptr[1])
    if not np.array_equal(rows.indptr, np.arange(number + 1) * width):
        return False
    parts = (part.reshape(number, width) for part in (rows.indices, rows.data))
    return all((part == part[0]).all() for part in parts)
