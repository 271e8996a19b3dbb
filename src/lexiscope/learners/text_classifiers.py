"""Classifiers of texts and phrases, and the features they learn from."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.datasets.base import Words
from lexiscope.core.datasets.texts import EncodedTexts
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import Undefined
from lexiscope.learners.splits import Indices

Classifier = Any  # a scikit-learn estimator
FeatureMatrix = Any  # (items, features), dense or sparse


def bag_of_words(texts: EncodedTexts, words: Sequence[str] | None = None) -> FeatureMatrix:
    """Count the words of each text (texts, words), sparse; with `words`, of these words only."""
    from scipy.sparse import csr_array

    codes, shape = texts.numbers.astype(np.int32), (len(texts.ends), len(texts.words))
    starts = np.append(0, texts.ends).astype(np.int32)  # LIBLINEAR takes 32-bit indices only
    counts = csr_array((np.ones(len(codes)), codes, starts), shape)
    counts.sum_duplicates()
    if words is None:
        return counts
    indices = {word: index for index, word in enumerate(texts.words)}
    wanted = np.array([indices.get(word, -1) for word in words], np.int32)
    known = np.flatnonzero(wanted >= 0).astype(np.int32)
    selection = csr_array((np.ones(len(known)), (wanted[known], known)), (shape[1], len(words)))
    return counts @ selection


def sums_of_vectors(texts: EncodedTexts, embedding: Embedding) -> Floats:
    """Sum the vectors of the known tokens of each text."""
    indices = embedding.vocabulary.find(texts.words)
    vectors = np.zeros((len(indices), embedding.dimension))
    vectors[indices >= 0] = embedding.dense_vectors("Adding vectors up")[indices[indices >= 0]]
    return np.asarray(bag_of_words(texts) @ vectors)


def means_of_vectors(texts: EncodedTexts, embedding: Embedding) -> Floats:
    """Average the vectors of the known tokens of each text; zero if none is known."""
    sums = sums_of_vectors(texts, embedding)
    known = (embedding.vocabulary.find(texts.words) >= 0).astype(np.float64)
    number = bag_of_words(texts) @ known
    return np.asarray(sums / np.maximum(number, 1)[:, None])


def logistic_regression(c: float = 1.0, tolerance: float = 1e-4) -> Classifier:
    """Return an L2-regularised logistic regression, trained by LIBLINEAR.

    `c` is the inverse regularisation strength. Training stops when the norm of the gradient is
    `tolerance` times its initial norm.
    """
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(solver="liblinear", C=c, tol=tolerance, max_iter=1000, random_state=0)


def random_forest(trees: int, seed: int) -> Classifier:
    """Return a random forest."""
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(n_estimators=trees, random_state=seed, n_jobs=1)


def cross_validated_predictions(
    classifier: Classifier, features: FeatureMatrix, labels: Words, fold: Indices
) -> Words:
    """Predict the class of each item with a classifier trained on the other folds."""
    from sklearn.model_selection import PredefinedSplit, cross_val_predict
    from threadpoolctl import threadpool_limits

    for number in np.unique(fold):
        _check_classes(labels[fold != number])
    estimator = _one_versus_rest(classifier, labels)
    with threadpool_limits(1):
        predicted = cross_val_predict(estimator, features, labels, cv=PredefinedSplit(fold))
    return np.asarray(predicted, object)


def fit_predict(
    classifier: Classifier, train: FeatureMatrix, labels: Words, test: FeatureMatrix
) -> Words:
    """Train a classifier and predict the classes of test items.

    A linear classifier is trained one-versus-rest if there are more than two classes.
    """
    from threadpoolctl import threadpool_limits

    _check_classes(labels)
    estimator = _one_versus_rest(classifier, labels)
    with threadpool_limits(1):
        return np.asarray(estimator.fit(train, labels).predict(test), object)


def _check_classes(labels: Words) -> None:
    if len(np.unique(labels)) < 2:
        raise Undefined("the training set has only one class")


def _one_versus_rest(classifier: Classifier, labels: Words) -> Classifier:
    """The classifier itself for two classes; LIBLINEAR is binary."""
    from sklearn.multiclass import OneVsRestClassifier

    multiclass = len(np.unique(labels)) > 2 and hasattr(classifier, "solver")
    return OneVsRestClassifier(classifier) if multiclass else classifier


class SelectedC(NamedTuple):
    """An inverse regularisation strength, and its accuracy on the development set."""

    c: float
    accuracy: float


def select_c(
    grid: Sequence[float], train: tuple[FeatureMatrix, Words], dev: tuple[FeatureMatrix, Words]
) -> SelectedC:
    """Select the inverse regularisation strength with the highest accuracy on a development set.

    Of ties, the smallest. `train` and `dev` are features and labels.
    """
    accuracies = [
        float(np.mean(fit_predict(logistic_regression(c), *train, dev[0]) == dev[1]))
        for c in sorted(grid)
    ]
    best = int(np.argmax(accuracies))
    return SelectedC(sorted(grid)[best], accuracies[best])
