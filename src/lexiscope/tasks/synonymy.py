"""Synonym questions: the option with the highest cosine to the query word.

Landauer and Dumais 1997 (TOEFL); Schnabel et al. 2015, section 3.1.
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.task import Predictions, Task
from lexiscope.core.datasets import SynonymQuestions
from lexiscope.core.embedding import Embedding
from lexiscope.linalg.cosine import cosine
from lexiscope.metrics.accuracy import accuracy, accuracy_all_items


@dataclass(frozen=True)
class Synonymy(Task[SynonymQuestions]):
    """Accuracy of choosing the option with the highest cosine to the query word."""

    dataset = SynonymQuestions
    metric = accuracy
    secondary = (accuracy_all_items,)
    local = True

    def predict(self, embedding: Embedding, items: SynonymQuestions, rng: Generator) -> Predictions:
        # In alphabetical order, so that a tie does not depend on the order in the file.
        options = np.sort(np.stack(items.options, axis=1), axis=1)
        query = embedding[items.query]
        cosines = np.stack([cosine(query, embedding[column]) for column in options.T], axis=1)
        chosen = np.argmax(cosines, axis=1)
        return Predictions(predicted=options[np.arange(len(items)), chosen], gold=items.answer)
