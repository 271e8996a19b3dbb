"""a is to b as c is to what?

The answer is the word nearest to b - a + c (3CosAdd), or the one that wins the product of
cosines (3CosMul; Levy and Goldberg 2014), among all words but a, b and c. Two solvers learn from
the other pairs of the section: their mean offset (3CosAvg), or a classifier of their second words
(LRCos; Drozd et al. 2016). Schnabel et al. 2015, section 3.1; Jastrzebski et al. 2017, section 3.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator

from lexiscope.core.dataset import word_array
from lexiscope.core.datasets import Analogies
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.task import Answers, Task
from lexiscope.stats.analogies import by_class, by_offset, by_product, by_sum
from lexiscope.stats.measures import accuracy, accuracy_of_all
from lexiscope.stats.products import Places
from lexiscope.stats.relations import classifiers, lessons, mean_offsets


@dataclass(frozen=True)
class Analogy(Task[Analogies]):
    """Share of analogy questions answered with exactly the expected word."""

    solver: Literal["3CosAdd", "3CosMul", "3CosAvg", "LRCos"] = "3CosAdd"
    epsilon: float = 1e-6  # keeps 3CosMul from dividing by zero; peers differ from 1e-6 to 1e-2

    reads = Analogies
    measure = accuracy
    beside = (accuracy_of_all,)

    def __post_init__(self) -> None:
        if not 1e-12 <= self.epsilon <= 1:
            raise BadUsage(f"analogy.epsilon must be from 1e-12 to 1, found {self.epsilon}.")

    def suits(self, items: Analogies) -> bool:
        """Two solvers learn a relation from a section, so the sections must be known."""
        return self.solver in ("3CosAdd", "3CosMul") or any(items.section)

    def answer(self, embedding: Embedding, items: Analogies, rng: Generator) -> Answers:
        words = embedding.words
        places = self._solved(embedding, items, rng).tolist()
        given = word_array(words[place] if place >= 0 else "" for place in places)
        return Answers(given=given, gold=items.answer)

    def _solved(self, embedding: Embedding, items: Analogies, rng: Generator) -> Places:
        vectors = embedding.vectors
        a, b, c, answer = (embedding.vocabulary.find(words) for words in items.words)
        if self.solver == "3CosAdd":
            return by_sum(vectors, a, b, c)
        if self.solver == "3CosMul":
            return by_product(vectors, a, b, c, self.epsilon)
        section = np.unique(items.section, return_inverse=True)[1].ravel()
        taught = lessons(section, np.stack([a, b], axis=1), np.stack([c, answer], axis=1))
        if self.solver == "3CosAvg":
            return by_offset(vectors, a, b, c, mean_offsets(vectors, taught))
        return by_class(vectors, a, b, c, classifiers(vectors, taught, rng))
