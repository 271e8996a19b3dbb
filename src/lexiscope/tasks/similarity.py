"""Do near words mean near things?

People rate pairs of words; the embedding ranks the same pairs by cosine. The score is the rank
correlation with average ranks for ties, Pearson's correlation stands beside it.
Schnabel et al. 2015, section 3.1.
"""

from dataclasses import dataclass

from numpy.random import Generator

from lexiscope.core.datasets import WordPairs
from lexiscope.core.embedding import Embedding
from lexiscope.core.task import Answers, Task
from lexiscope.stats.cosine import cosine
from lexiscope.stats.measures import pearson, spearman


@dataclass(frozen=True)
class Similarity(Task[WordPairs]):
    """Rank correlation between cosine and human ratings."""

    reads = WordPairs
    measure = spearman
    beside = (pearson,)
    blank = 0.0
    local = True

    def answer(self, embedding: Embedding, items: WordPairs, rng: Generator) -> Answers:
        given = cosine(embedding[items.left], embedding[items.right])
        return Answers(given=given, gold=items.rating)
