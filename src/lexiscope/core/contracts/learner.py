"""The contract of a supervised model: select hyperparameters, train, and predict test items."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.settings import Configurable

Indices = NDArray[np.int64]
Family = Literal["words", "pairs", "analogies", "texts"]
FAMILIES: tuple[Family, ...] = ("words", "pairs", "analogies", "texts")
Complexity = Literal["constant", "linear", "non-linear"]
BASELINES = ("majority", "mean_rating")  # use no vectors; a reference, never the best model
COMPLEXITIES: tuple[Complexity, ...] = ("constant", "linear", "non-linear")


class Fold(NamedTuple):
    """An inner split of a training set: items to train on, and items to validate on."""

    train: Indices
    validate: Indices


class TrainingSet(NamedTuple):
    """One training set of a learning curve; all arrays are indices of items.

    `following` are the items that the next larger training set adds (none for the largest): their
    labels are encoded with the model trained on `train`. `folds` are inner splits of `train` for
    the selection of hyperparameters; there are none if `train` is too small to be split.
    """

    train: Indices
    test: Indices
    following: Indices
    folds: tuple[Fold, ...]


class Outcome(NamedTuple):
    """The predictions of a trained model.

    Parameters
    ----------
    predicted : ndarray of shape (test items,)
        Class codes, ratings, or indices of words.
    validation : float
        The mean score over the inner folds with the selected hyperparameters; NaN without folds.
    selected : dict
        The selected hyperparameters. {"fallback": NAME} if the simpler model was selected.
    bits : float, optional
        The length in bits of the labels of the following items, encoded with the predicted
        probabilities; None if the model has no probabilities.
    """

    predicted: NDArray[Any]
    validation: float
    selected: dict[str, Any]
    bits: float | None = None


@dataclass(frozen=True)
class Learner(Configurable, ABC):
    """Settings and `fit_predict`. A learner never reads a file and never sees test labels.

    Increase `version` when predictions change, so that old and new ones are not mixed.

    Attributes
    ----------
    families
        The families of problems that the model solves.
    complexity
        "constant" (learns nothing from the training set, or a constant), "linear" or "non-linear".
    fallback
        The name of the simpler model that the hyperparameter search contains, by family.
    """

    families: ClassVar[tuple[Family, ...]]
    complexity: ClassVar[Complexity]
    fallback: ClassVar[dict[Family, str]] = {}
    version: ClassVar[int] = 1

    @abstractmethod
    def fit_predict(
        self, problem: Any, sets: TrainingSet, rng: Generator, fallback: Outcome | None
    ) -> Outcome:
        """Select hyperparameters on the inner folds, train on all of `sets.train`, and predict.

        Parameters
        ----------
        problem
            A value of `learners.problems`, by family.
        sets : TrainingSet
            Training items, test items and inner folds.
        rng : Generator
            The same for all embeddings.
        fallback : Outcome, optional
            The outcome of the fallback model on the same sets.
        """


def or_fallback(own: Outcome, fallback: Outcome | None, name: str) -> Outcome:
    """Return the outcome with the higher validation score; of ties, that of the simpler model.

    Without inner folds nothing can be compared, and the fallback is returned.

    >>> worse, better = (Outcome(np.zeros(1), v, {}) for v in (0.5, 0.6))
    >>> or_fallback(worse, better, "cosine").selected
    {'fallback': 'cosine'}
    """
    if fallback is None or own.validation > fallback.validation:
        return own
    return fallback._replace(selected={"fallback": name})
