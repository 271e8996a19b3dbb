"""Entity typing: multi-label classification of entities by their vectors.

An entity has several types at once: a city is a place, too. They are predicted by a network with
one hidden layer, or taken from the nearest entities of the training set. Training and test
entities are disjoint. Yaghoobzadeh and Schütze 2016, section 5.2.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.task import Predictions, Task
from lexiscope.core.datasets.base import Words
from lexiscope.core.datasets.entities import EntityTypes
from lexiscope.core.embedding import Embedding
from lexiscope.core.vectors import Vectors
from lexiscope.learners.entity_classifiers import mlp_types, nearest_neighbour_types
from lexiscope.learners.splits import cross_validation_inflation, hashed_folds
from lexiscope.metrics.multilabel import (
    best_constant,
    exact_match,
    item_f1,
    item_f1_chance_level,
    item_f1_constant,
    micro_f1,
)


class _Split(NamedTuple):
    """A training set, the indices of the test items, and the seed of the model."""

    train: EntityTypes
    test: NDArray[np.int64]
    seed: int


@dataclass(frozen=True)
class EntityTyping(Task[EntityTypes]):
    """Mean F1 over entities between the predicted and the gold sets of types."""

    classifier: Literal["mlp", "nearest"] = setting("mlp", "How types are predicted.")
    hidden: int = setting(300, "Units of the hidden layer of the mlp.", minimum=1)
    threshold: float = setting(
        0.5,
        "Probability from which the mlp predicts a type.",
        exclusive_minimum=0,
        exclusive_maximum=1,
    )
    epochs: int = setting(
        1000, "Maximum number of epochs; the mlp usually stops earlier.", minimum=1
    )
    neighbours: int = setting(
        1, "Number of nearest entities; half of them must have a type.", minimum=1
    )
    folds: int = setting(
        5, "Folds of cross-validation, for datasets without a training set.", minimum=2
    )

    dataset = EntityTypes
    metric = item_f1
    secondary = (micro_f1, exact_match, item_f1_chance_level, item_f1_constant)
    local = True
    joint = True
    supervised = True
    version = 2

    def variance_inflation(self, items: EntityTypes) -> float:
        """Return the factor due to training sets that overlap, without a training set."""
        return cross_validation_inflation(self.folds) if items.train is None else 1.0

    def predict(self, embedding: Embedding, items: EntityTypes, rng: Generator) -> Predictions:
        predicted = np.empty(len(items), object)
        for train, test, seed in self._splits(items, rng):
            known = train.take(train.covered_by(embedding.vocabulary))
            rows = embedding[known.word], known.types, embedding[items.word[test]]
            predicted[test] = self._types(*rows, seed)
        return Predictions(predicted, items.types)

    def without_vectors(self, items: EntityTypes, rng: Generator) -> Predictions:
        """Predict the same types for all entities: the best constant on the training set."""
        predicted = np.empty(len(items), object)
        for train, test, _ in self._splits(items, rng):
            predicted[test] = best_constant(train.types).types
        return Predictions(predicted, items.types)

    def _splits(self, items: EntityTypes, rng: Generator) -> Iterator[_Split]:
        """The training set of the dataset; without one, the splits of cross-validation."""
        salt, *seeds = rng.integers(1 << 31, size=1 + self.folds).tolist()
        if items.train is not None:
            yield _Split(items.train, np.arange(len(items)), seeds[0])
            return
        fold = hashed_folds(items.word, self.folds, salt)
        for number in np.unique(fold).tolist():
            yield _Split(items.take(fold != number), np.flatnonzero(fold == number), seeds[number])

    def _types(self, train: Vectors, types: Words, test: Vectors, seed: int) -> Words:
        if self.classifier == "nearest":
            return nearest_neighbour_types(train, types, test, self.neighbours)
        return mlp_types(
            train, types, test, hidden=self.hidden, threshold=self.threshold,
            epochs=self.epochs, seed=seed,
        )  # fmt: skip
