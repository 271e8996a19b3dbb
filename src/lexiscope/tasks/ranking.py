"""Does each word order its own partners as people do?

Ratings of different words need not be comparable, so each word's pairs are ranked by themselves:
the score is the mean over words of the rank correlation between cosine and rating.
Schnabel et al. 2015, section 3.1 (the critique of pooled correlations).
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from lexiscope.core.datasets import WordPairs
from lexiscope.core.embedding import Embedding
from lexiscope.core.task import Answers, Task
from lexiscope.stats.cosine import cosine
from lexiscope.stats.queries import FEWEST_PAIRS, spearman_by_query


@dataclass(frozen=True)
class Ranking(Task[WordPairs]):
    """Rank correlation between cosine and human ratings within each word's pairs, on average."""

    reads = WordPairs
    measure = spearman_by_query
    blank = 0.0
    local = True

    def suits(self, items: WordPairs) -> bool:
        """Whether any word stands in enough pairs to have a ranking of its own."""
        units = items.units
        return units is not None and int(np.bincount(units.ravel()).max()) >= FEWEST_PAIRS

    def answer(self, embedding: Embedding, items: WordPairs, rng: Generator) -> Answers:
        given = cosine(embedding[items.left], embedding[items.right])
        return Answers(given=given, gold=items.rating, units=items.units)
