"""Word similarity: rank correlation between cosine similarity and human ratings.

Tied values have average ranks. Pearson's correlation is secondary. Schnabel et al. 2015, section
3.1.
"""

from dataclasses import dataclass

from numpy.random import Generator

from lexiscope.core.contracts.task import Predictions, Task
from lexiscope.core.datasets import WordPairs
from lexiscope.core.embedding import Embedding
from lexiscope.linalg.cosine import cosine
from lexiscope.metrics.correlation import pearson, spearman


@dataclass(frozen=True)
class Similarity(Task[WordPairs]):
    """Spearman correlation between cosine similarity and human ratings."""

    dataset = WordPairs
    metric = spearman
    secondary = (pearson,)
    oov_prediction = 0.0
    local = True

    def predict(self, embedding: Embedding, items: WordPairs, rng: Generator) -> Predictions:
        predicted = cosine(embedding[items.left], embedding[items.right])
        return Predictions(predicted, items.rating)
