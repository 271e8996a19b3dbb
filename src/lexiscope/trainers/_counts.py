"""Co-occurrence counts for matrix-factorisation trainers, with errors for corpora without any."""

import numpy as np
from numpy.random import Generator

from lexiscope.cooccurrence.contexts import Contexts, cooccurrences
from lexiscope.cooccurrence.hellinger import hellinger_rows
from lexiscope.core.corpus import Corpus
from lexiscope.core.errors import BadData
from lexiscope.core.progress import Progress, silent
from lexiscope.core.vectors import Sparse


def count_cooccurrences(
    corpus: Corpus, contexts: Contexts, rng: Generator, progress: Progress = silent
) -> Sparse:
    """Count the co-occurrences of a corpus; an error if there are none."""
    counts = cooccurrences(corpus, contexts, rng, progress)
    if not counts.nnz:
        raise BadData(f"{corpus.name}: no two words co-occur, so there are no contexts.")
    return counts


def require_associations(corpus: Corpus, matrix: Sparse, neg: float = 1.0) -> Sparse:
    """Return the association matrix; an error if all its entries are zero."""
    if not matrix.nnz:
        raise BadData(
            f"{corpus.name}: no two words co-occur more than {neg:g} times as often as expected by "
            "chance, so every vector would be zero."
        )
    return matrix


def hellinger_matrix(
    corpus: Corpus, window: int, contexts: int, rng: Generator, progress: Progress = silent
) -> Sparse:
    """Square roots of context probabilities, one row per word; an error if all rows are equal."""
    counts = count_cooccurrences(corpus, Contexts(window), rng, progress)
    rows = hellinger_rows(counts, contexts)
    if _all_rows_equal(rows):
        raise BadData(
            f"{corpus.name}: all words have the same context distribution, so every vector would "
            "be zero."
        )
    return rows


def _all_rows_equal(rows: Sparse) -> bool:
    number, width = rows.shape[0], int(rows.indptr[1])
    if not np.array_equal(rows.indptr, np.arange(number + 1) * width):
        return False
    parts = (part.reshape(number, width) for part in (rows.indices, rows.data))
    return all((part == part[0]).all() for part in parts)
