"""Counts for the trainers that decompose them, or one sentence why there is nothing to count."""

from numpy.random import Generator

from lexiscope.core.corpus import Corpus
from lexiscope.core.errors import BadData
from lexiscope.core.progress import Progress, silent
from lexiscope.stats.association import ppmi
from lexiscope.stats.cooccurrence import Contexts, Matrix, cooccurrences


def counted(corpus: Corpus, contexts: Contexts, rng: Generator, tell: Progress = silent) -> Matrix:
    """The co-occurrence counts of a corpus, of which there is at least one."""
    counts = cooccurrences(corpus, contexts, rng, tell)
    if not counts.nnz:
        raise BadData(f"{corpus.name}: no two words stand together, so there are no contexts.")
    return counts


def associated(corpus: Corpus, counts: Matrix, cds: float, neg: float) -> Matrix:
    """The positive PMI of the counts, of which there is at least one."""
    table = ppmi(counts, cds, neg)
    if not table.nnz:
        raise BadData(
            f"{corpus.name}: no two words stand together more often than {neg:g} times what "
            "chance would give, so that every vector would be zero."
        )
    return table
