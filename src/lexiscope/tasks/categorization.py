"""Categorization: purity of k-means clusters of words with respect to gold categories.

k-means clusters the L2-normalised vectors into as many clusters as there are categories, several
times from seeded initialisations. It uses the number of categories and nothing else of the gold
annotation. Schnabel et al. 2015, section 3.1; Baroni et al. 2014, section 3.
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.task import Predictions, Task
from lexiscope.core.datasets import Categories
from lexiscope.core.datasets.base import word_array
from lexiscope.core.embedding import Embedding
from lexiscope.metrics.purity import (
    adjusted_rand,
    kmeans_clusters,
    purity,
    purity_chance_level,
    purity_std,
)


@dataclass(frozen=True)
class Categorization(Task[Categories]):
    """Proportion of words that are of the majority category of their cluster."""

    repeats: int = setting(10, "Clusterings, each from its own initialisation.", minimum=1)

    dataset = Categories
    metric = purity
    secondary = (purity_chance_level, adjusted_rand, purity_std)
    local = True
    joint = True

    def predict(self, embedding: Embedding, items: Categories, rng: Generator) -> Predictions:
        seeds = rng.integers(1 << 31, size=self.repeats)
        clusters = kmeans_clusters(embedding[items.word], len(np.unique(items.category)), seeds)
        predicted = word_array(" ".join(map(str, row)) for row in clusters.tolist())
        return Predictions(predicted, items.category)
