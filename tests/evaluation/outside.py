"""Tasks from outside the package, as a user writes them."""

from dataclasses import dataclass

import numpy as np

from lexiscope import Predictions, Task, WordPairs
from lexiscope.linalg.cosine import cosine
from lexiscope.metrics.correlation import spearman


@dataclass(frozen=True)
class Outside(Task[WordPairs]):
    """Distance to a power."""

    power: float = 2.0
    dataset = WordPairs
    metric = spearman

    def predict(self, embedding, items, rng):
        difference = np.abs(embedding[items.left] - embedding[items.right])
        return Predictions(-(difference**self.power).sum(axis=1), items.rating)


@dataclass(frozen=True)
class CosineOfWords(Task[WordPairs]):
    """The cosine."""

    dataset = WordPairs
    metric = spearman

    def predict(self, embedding, items, rng):
        return Predictions(cosine(embedding[items.left], embedding[items.right]), items.rating)
