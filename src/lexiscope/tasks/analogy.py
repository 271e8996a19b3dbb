"""Word analogies: a is to b as c is to which word?

The prediction is the word with the highest score among all words but a, b and c. 3CosAdd: the
cosine to b - a + c. 3CosMul: the product of cosines (Levy and Goldberg 2014). Two solvers learn
from the other pairs of the section: their mean offset (3CosAvg), or a classifier of their second
words (LRCos; Drozd et al. 2016). Schnabel et al. 2015, section 3.1; Jastrzebski et al. 2017,
section 3.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.task import Predictions, Task
from lexiscope.core.datasets import Analogies
from lexiscope.core.datasets.base import word_array
from lexiscope.core.embedding import Embedding
from lexiscope.learners.analogy_relations import classifiers, mean_offsets, training_pairs
from lexiscope.linalg.analogy_search import lr_cos, three_cos_add, three_cos_avg, three_cos_mul
from lexiscope.metrics.accuracy import accuracy, accuracy_all_items


@dataclass(frozen=True)
class Analogy(Task[Analogies]):
    """Accuracy of analogy questions: the predicted word is exactly the expected one."""

    solver: Literal["3CosAdd", "3CosMul", "3CosAvg", "LRCos"] = setting(
        "3CosAdd", "How the fourth word is predicted."
    )
    epsilon: float = setting(  # other implementations use 1e-6 to 1e-2
        1e-6, "Added to the denominator of 3CosMul.", minimum=1e-12, maximum=1
    )

    dataset = Analogies
    metric = accuracy
    secondary = (accuracy_all_items,)

    def applies_to(self, items: Analogies) -> bool:
        """Return whether sections are known, for the solvers that learn from a section."""
        return self.solver in ("3CosAdd", "3CosMul") or any(items.section)

    def predict(self, embedding: Embedding, items: Analogies, rng: Generator) -> Predictions:
        words = embedding.words
        indices = self._solve(embedding, items, rng).tolist()
        predicted = word_array(words[index] if index >= 0 else "" for index in indices)
        return Predictions(predicted, items.answer)

    def _solve(self, embedding: Embedding, items: Analogies, rng: Generator) -> NDArray[np.int64]:
        """The vocabulary index of each prediction, -1 for none."""
        vectors = embedding.vectors
        a, b, c, answer = (embedding.vocabulary.find(words) for words in items.words)
        if self.solver == "3CosAdd":
            return three_cos_add(vectors, a, b, c)
        if self.solver == "3CosMul":
            return three_cos_mul(vectors, a, b, c, self.epsilon)
        section = np.unique(items.section, return_inverse=True)[1].ravel()
        training = training_pairs(section, np.stack([a, b], axis=1), np.stack([c, answer], axis=1))
        if self.solver == "3CosAvg":
            return three_cos_avg(vectors, a, b, c, mean_offsets(vectors, training))
        return lr_cos(vectors, a, b, c, classifiers(vectors, training, rng))
