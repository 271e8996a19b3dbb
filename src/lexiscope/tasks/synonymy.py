"""Which of four words means the same?

The answer is the option with the highest cosine to the word asked about.
Landauer and Dumais 1997 (TOEFL); Schnabel et al. 2015, section 3.1.
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from lexiscope.core.datasets import Questions
from lexiscope.core.embedding import Embedding
from lexiscope.core.task import Answers, Task
from lexiscope.stats.cosine import cosine
from lexiscope.stats.measures import accuracy, accuracy_of_all


@dataclass(frozen=True)
class Synonymy(Task[Questions]):
    """Share of questions where the right option is nearest to the word asked about."""

    reads = Questions
    measure = accuracy
    beside = (accuracy_of_all,)
    local = True

    def answer(self, embedding: Embedding, items: Questions, rng: Generator) -> Answers:
        # In alphabetical order: the first of equal cosines wins, wherever the file has it.
        options = np.sort(np.stack(items.options, axis=1), axis=1)
        query = embedding[items.query]
        cosines = np.stack([cosine(query, embedding[column]) for column in options.T], axis=1)
        chosen = np.argmax(cosines, axis=1)
        return Answers(given=options[np.arange(len(items)), chosen], gold=items.answer)
