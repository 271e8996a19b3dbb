"""What trainers share that learn from documents: a row for each, which only one shard moves."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.corpus import Corpus
from lexiscope.kernels.walking import Text
from lexiscope.trainers import _rounds
from lexiscope.trainers._predictive import Predictive


class Documented(NamedTuple):
    """A text, and for each sentence the row of its document."""

    text: Text
    rows: NDArray[np.int32]


def documented(text: Text, parts: NDArray[np.int64]) -> Documented:
    """A text in parts, each of which has a row."""
    return Documented(text, np.repeat(np.arange(len(parts) - 1, dtype=np.int32), np.diff(parts)))


def parts(model: Predictive, corpus: Corpus) -> NDArray[np.int64]:
    """Where documents begin and end, in sentences.

    Departs from the paper: a document across the border of two shards' pieces counts as two.
    Otherwise two copies of its vector would each learn the whole of it, and their sum too much.
    """
    return np.union1d(corpus.documents, _rounds.borders(model, corpus))
