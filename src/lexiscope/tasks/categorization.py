"""Do words of a category lie together?

k-means puts the unit-length vectors into as many clusters as there are categories, several times
from seeded starts. It is told the number of categories and nothing else of the gold.
Schnabel et al. 2015, section 3.1; Baroni et al. 2014, section 3.
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from lexiscope.core.dataset import word_array
from lexiscope.core.datasets import Categories
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.task import Answers, Task
from lexiscope.stats.clusters import (
    adjusted_rand,
    clustered,
    purity,
    purity_by_chance,
    purity_spread,
)


@dataclass(frozen=True)
class Categorization(Task[Categories]):
    """Share of words that are of the commonest category of their cluster."""

    repeats: int = 10  # clusterings, each from its own start

    reads = Categories
    measure = purity
    beside = (purity_by_chance, adjusted_rand, purity_spread)
    local = True
    joint = True

    def __post_init__(self) -> None:
        if self.repeats < 1:
            raise BadUsage(f"categorization.repeats must be 1 or more, found {self.repeats}.")

    def answer(self, embedding: Embedding, items: Categories, rng: Generator) -> Answers:
        seeds = rng.integers(1 << 31, size=self.repeats)
        clusters = clustered(embedding[items.word], len(np.unique(items.category)), seeds)
        given = word_array(" ".join(map(str, row)) for row in clusters.tolist())
        return Answers(given=given, gold=items.category)
