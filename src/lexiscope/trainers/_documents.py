"""Shared base of the models with document vectors: one row per document, of one shard only."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.trainer import State
from lexiscope.core.corpus import Corpus
from lexiscope.kernels.predictive.training_loop import Text
from lexiscope.trainers import _sharding
from lexiscope.trainers._predictive import Floats, Predictive, other_default
from lexiscope.trainers._tables import padded_width, random_rows, zero_rows


class DocumentText(NamedTuple):
    """A text, and for each sentence the row of its document."""

    text: Text
    document_of: NDArray[np.int32]


@dataclass(frozen=True)
class DocumentModel(Predictive):
    """Tables of words and documents, and a text with the document of each sentence."""

    subsample: float = other_default("subsample", 1e-4)

    def initial_tables(self, corpus: Corpus, rng: Generator) -> State:
        words, documents = len(corpus.vocabulary), len(document_boundaries(self, corpus)) - 1
        return {
            "inputs": random_rows(words, self.dimension, rng),
            "outputs": zero_rows(words, padded_width(self.dimension)),
            "documents": random_rows(documents, self.dimension, rng),
        }

    def text(self, corpus: Corpus) -> Any:
        return with_documents(super().text(corpus), document_boundaries(self, corpus))

    def update_rates(self, corpus: Corpus) -> dict[str, Floats]:
        # A document belongs to one shard, so its row is never merged.
        documents = np.zeros(len(document_boundaries(self, corpus)) - 1)
        return {**super().update_rates(corpus), "documents": documents}


def with_documents(text: Text, boundaries: NDArray[np.int64]) -> DocumentText:
    """Attach to a text the document of each sentence."""
    number = len(boundaries) - 1
    return DocumentText(text, np.repeat(np.arange(number, dtype=np.int32), np.diff(boundaries)))


def document_boundaries(model: Predictive, corpus: Corpus) -> NDArray[np.int64]:
    """Where documents begin and end, as sentence indices.

    Departs from the paper: a document that spans the segments of two shards counts as two.
    Otherwise two copies of its vector would each learn the whole document, and their sum would
    overshoot.
    """
    return np.union1d(corpus.documents, _sharding.segment_boundaries(model, corpus))
