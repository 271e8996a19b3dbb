"""Document vectors: one row per document, updated by one shard only."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.corpus import Corpus
from lexiscope.kernels.predictive.training_loop import Text
from lexiscope.trainers import _sharding
from lexiscope.trainers._predictive import Predictive


class DocumentText(NamedTuple):
    """A text, and for each sentence the row of its document."""

    text: Text
    document_of: NDArray[np.int32]


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
