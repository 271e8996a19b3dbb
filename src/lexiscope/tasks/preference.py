"""Selectional preference: how typical a word is as an argument of a verb.

The prototype of an argument slot is the mean vector of words that typically fill it; the
prediction is the cosine of the candidate with the prototype. Schnabel et al. 2015, section 3.1;
Baroni et al. 2014, section 3.
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.task import Predictions, Task
from lexiscope.core.datasets import Preferences
from lexiscope.core.embedding import Embedding
from lexiscope.core.vectors import Vectors
from lexiscope.linalg.cosine import dots
from lexiscope.linalg.normalization import normalize_rows
from lexiscope.metrics.correlation import pearson, spearman

_BATCH = 256  # prototypes in memory


@dataclass(frozen=True)
class Preference(Task[Preferences]):
    """Spearman correlation between cosine to a slot's prototype and human typicality ratings."""

    fillers: int = setting(
        20, "Known fillers in a prototype, the most strongly associated first.", minimum=1
    )

    dataset = Preferences
    metric = spearman
    secondary = (pearson,)
    oov_prediction = 0.0
    local = True

    def predict(self, embedding: Embedding, items: Preferences, rng: Generator) -> Predictions:
        slots = [embedding.vocabulary.find(dict.fromkeys(words)) for words in items.fillers]
        words = embedding.vocabulary.find(items.word)
        chosen = [
            slot[(slot >= 0) & (slot != word)][: self.fillers]
            for slot, word in zip(slots, words, strict=True)
        ]
        return Predictions(_cosines(embedding.vectors, words, chosen), items.rating)


def _cosines(
    vectors: Vectors, words: NDArray[np.int64], fillers: list[NDArray[np.int64]]
) -> NDArray[np.float64]:
    """The cosine of each word with the sum of its fillers, which has the direction of the mean."""
    from scipy.sparse import csr_array

    indices, columns = np.unique(np.concatenate(fillers), return_inverse=True)
    ends = np.cumsum([0, *map(len, fillers)])
    members = csr_array((np.ones(len(columns)), columns, ends), (len(words), len(indices)))
    filler_rows = normalize_rows(vectors[indices].astype(np.float64))
    cosines = np.zeros(len(words))
    for start in range(0, len(words), _BATCH):  # sums of sparse vectors are not very sparse
        some = slice(start, start + _BATCH)
        prototypes = members[some] @ filler_rows
        candidates = normalize_rows(vectors[words[some]].astype(np.float64))
        lengths, products = np.sqrt(dots(prototypes, prototypes)), dots(prototypes, candidates)
        # Fillers that cancel out have no direction: the cosine is 0.
        np.divide(products, lengths, out=cosines[some], where=lengths > 1e-12)
    return cosines
