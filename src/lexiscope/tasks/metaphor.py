"""Metaphor detection: whether an adjective-noun phrase is literal or metaphoric.

A random forest is trained on the concatenated vectors of adjective and noun, with five-fold
cross-validation. Tsvetkov et al. 2015, section 4; Tsvetkov et al. 2014.
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.task import Predictions, Task
from lexiscope.core.datasets.texts import Phrases
from lexiscope.core.embedding import Embedding
from lexiscope.learners.splits import cross_validation_inflation, stratified_folds
from lexiscope.learners.text_classifiers import (
    FeatureMatrix,
    cross_validated_predictions,
    random_forest,
)
from lexiscope.metrics.accuracy import accuracy
from lexiscope.metrics.f1 import macro_f1


@dataclass(frozen=True)
class Metaphor(Task[Phrases]):
    """Cross-validated accuracy of classifying phrases as literal or metaphoric."""

    folds: int = setting(5, "Folds of cross-validation.", minimum=2)
    trees: int = setting(100, "Trees of the random forest.", minimum=1)

    dataset = Phrases
    metric = accuracy
    secondary = (macro_f1,)
    local = True
    joint = True
    supervised = True

    def variance_inflation(self, items: Phrases) -> float:
        """Return the factor due to training sets that overlap."""
        return cross_validation_inflation(self.folds)

    def predict(self, embedding: Embedding, items: Phrases, rng: Generator) -> Predictions:
        embedding.dense_vectors("A random forest")
        features = np.hstack([embedding[words] for words in items.words])
        return self._cross_validate(features, items, rng)

    def without_vectors(self, items: Phrases, rng: Generator) -> Predictions:
        """Predict from the identity of the words (one-hot features)."""
        from sklearn.preprocessing import OneHotEncoder

        features = OneHotEncoder().fit_transform(np.stack(items.words, axis=1))
        return self._cross_validate(features, items, rng)

    def _cross_validate(
        self, features: FeatureMatrix, items: Phrases, rng: Generator
    ) -> Predictions:
        fold = stratified_folds(items.label, self.folds, rng)
        classifier = random_forest(self.trees, int(rng.integers(1 << 31)))
        predicted = cross_validated_predictions(classifier, features, items.label, fold)
        return Predictions(predicted, items.label)
