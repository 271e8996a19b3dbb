"""Sentiment classification of reviews from the sum of their word vectors.

Logistic regression is trained on the sum of the vectors of all tokens of a text, with ten-fold
cross-validation. Schnabel et al. 2015, section 5; Maas et al. 2011.
"""

from dataclasses import dataclass

from numpy.random import Generator

from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.task import Predictions, Task
from lexiscope.core.datasets.texts import Texts
from lexiscope.core.embedding import Embedding
from lexiscope.learners.splits import cross_validation_inflation, stratified_folds
from lexiscope.learners.text_classifiers import (
    FeatureMatrix,
    bag_of_words,
    cross_validated_predictions,
    logistic_regression,
    sums_of_vectors,
)
from lexiscope.metrics.accuracy import accuracy
from lexiscope.metrics.f1 import macro_f1

_TOLERANCE = 0.01  # the default of LIBLINEAR; that of scikit-learn takes twice the time


@dataclass(frozen=True)
class Sentiment(Task[Texts]):
    """Cross-validated accuracy of classifying texts by the sum of their word vectors."""

    folds: int = setting(10, "Folds of cross-validation.", minimum=2)

    dataset = Texts
    metric = accuracy
    secondary = (macro_f1,)
    local = True
    joint = True
    supervised = True
    version = 2

    def applies_to(self, items: Texts) -> bool:
        """Return whether the dataset has no training set; otherwise see `classification`."""
        return items.train is None

    def variance_inflation(self, items: Texts) -> float:
        """Return the factor due to training sets that overlap."""
        return cross_validation_inflation(self.folds)

    def predict(self, embedding: Embedding, items: Texts, rng: Generator) -> Predictions:
        return self._cross_validate(sums_of_vectors(items.encoded, embedding), items, rng)

    def without_vectors(self, items: Texts, rng: Generator) -> Predictions:
        """Predict from bags of words."""
        return self._cross_validate(bag_of_words(items.encoded), items, rng)

    def _cross_validate(self, features: FeatureMatrix, items: Texts, rng: Generator) -> Predictions:
        fold = stratified_folds(items.label, self.folds, rng, items.units)
        classifier = logistic_regression(tolerance=_TOLERANCE)
        predicted = cross_validated_predictions(classifier, features, items.label, fold)
        return Predictions(predicted, items.label)
