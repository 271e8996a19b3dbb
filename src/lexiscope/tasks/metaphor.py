"""Do the vectors of an adjective and a noun say whether the two are meant literally?

A random forest learns from both vectors side by side, in five folds. Tsvetkov et al. 2015, section
4; Tsvetkov et al. 2014.
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.task import Answers, Task
from lexiscope.core.texts import Phrases
from lexiscope.stats.classes import Table, cross_predicted, forest, mean_f1
from lexiscope.stats.folds import dealt
from lexiscope.stats.measures import accuracy


@dataclass(frozen=True)
class Metaphor(Task[Phrases]):
    """Share of phrases rightly called literal or metaphoric, in cross-validation."""

    folds: int = 5
    trees: int = 100

    reads = Phrases
    measure = accuracy
    beside = (mean_f1,)
    local = True
    joint = True
    learns = True

    def __post_init__(self) -> None:
        if self.folds < 2:
            raise BadUsage(f"metaphor.folds must be 2 or more, found {self.folds}.")
        if self.trees < 1:
            raise BadUsage(f"metaphor.trees must be 1 or more, found {self.trees}.")

    def answer(self, embedding: Embedding, items: Phrases, rng: Generator) -> Answers:
        embedding.dense_vectors("A random forest")
        return self._learned(np.hstack([embedding[words] for words in items.words]), items, rng)

    def without_vectors(self, items: Phrases, rng: Generator) -> Answers:
        """The words themselves: which adjectives and nouns stood in metaphors before."""
        from sklearn.preprocessing import OneHotEncoder

        words = OneHotEncoder().fit_transform(np.stack(items.words, axis=1))
        return self._learned(words, items, rng)

    def _learned(self, table: Table, items: Phrases, rng: Generator) -> Answers:
        fold = dealt(items.label, self.folds, rng)
        make = forest(self.trees, int(rng.integers(1 << 31)))
        return Answers(cross_predicted(make, table, items.label, fold), items.label)
