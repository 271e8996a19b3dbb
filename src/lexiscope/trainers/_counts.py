"""Shared parts of the trainers that count co-occurrences, with errors for corpora without any."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from lexiscope.cooccurrence.contexts import Contexts, Weights, by_position, cooccurrences
from lexiscope.cooccurrence.hellinger import hellinger_rows
from lexiscope.cooccurrence.pmi import concatenate_normalized, ppmi
from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import Corpus
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.progress import Progress, silent
from lexiscope.core.vectors import Sparse


@dataclass(frozen=True)
class PmiTrainer(Trainer):
    """Hyperparameters of Levy, Goldberg and Dagan 2015: contexts, smoothing, shift, positions."""

    paper: ClassVar[str] = "Levy, Goldberg and Dagan 2015"

    window: int = setting(5, "Maximum distance between a word and its context words.", minimum=1)
    weights: Weights = setting("flat", "Weight of a context word by its distance.")
    dynamic_window: bool = setting(
        False, "Sample the window size of each word uniformly from 1 to the window."
    )
    subsample: float = setting(
        0.0,
        "Threshold of relative frequency above which words are randomly discarded; 0 disables it.",
        minimum=0,
    )
    dirty_subsampling: bool = setting(
        False, "Discard words before windows are formed, so that windows reach further."
    )
    cds: float = setting(
        0.75,
        "Exponent of the context counts (context distribution smoothing).",
        exclusive_minimum=0,
        maximum=1,
    )
    neg: float = setting(1.0, "Shift: its logarithm is subtracted from the PMI.", minimum=1)
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

    @property
    def contexts(self) -> Contexts:
        """The contexts to count."""
        return Contexts(
            self.window, self.weights, self.dynamic_window, self.subsample, self.dirty_subsampling
        )

    def ppmi_matrix(self, corpus: Corpus, rng: Generator, progress: Progress = silent) -> Sparse:
        """The PPMI of all words with all contexts; an error if it is zero everywhere.

        With `positional`, each position from -window to window has a block of contexts, in which
        the rows have an L2 norm of 1 (Yaghoobzadeh and Schütze 2016, section 4).
        """
        if self.positional:
            by_offset = by_position(corpus, self.contexts, rng, progress)
            blocks = [ppmi(counts, self.cds, self.neg) for counts in by_offset.values()]
            matrix = concatenate_normalized(blocks)
        else:
            counts = count_cooccurrences(corpus, self.contexts, rng, progress)
            matrix = ppmi(counts, self.cds, self.neg)
        return require_associations(corpus, matrix, self.neg)


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
