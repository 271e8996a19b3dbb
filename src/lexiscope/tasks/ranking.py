"""Word similarity by query word: mean rank correlation within the pairs of each word.

Ratings of different query words need not be comparable, so the pairs of each word are ranked on
their own. Schnabel et al. 2015, section 3.1 (the critique of pooled correlations).
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.task import Predictions, Task
from lexiscope.core.datasets import WordPairs
from lexiscope.core.embedding import Embedding
from lexiscope.linalg.cosine import cosine
from lexiscope.metrics.ranking import MIN_PAIRS, spearman_by_query


@dataclass(frozen=True)
class Ranking(Task[WordPairs]):
    """Mean over words of the Spearman correlation between cosine and human ratings."""

    dataset = WordPairs
    metric = spearman_by_query
    oov_prediction = 0.0
    local = True

    def applies_to(self, items: WordPairs) -> bool:
        """Return whether any word occurs in enough pairs."""
        units = items.units
        return units is not None and int(np.bincount(units.ravel()).max()) >= MIN_PAIRS

    def predict(self, embedding: Embedding, items: WordPairs, rng: Generator) -> Predictions:
        predicted = cosine(embedding[items.left], embedding[items.right])
        return Predictions(predicted, items.rating, units=items.units)
