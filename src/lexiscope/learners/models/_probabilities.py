"""Code lengths of labels under predicted probabilities."""

import numpy as np

from lexiscope.core.contracts.learner import Indices
from lexiscope.core.contracts.metric import Floats


def class_counts(labels: Indices, classes: int) -> Floats:
    """The number of items of each class (classes,)."""
    return np.bincount(labels, minlength=classes).astype(np.float64)


def all_classes(probabilities: Floats, present: Indices, classes: int) -> Floats:
    """Probabilities of all classes (items, classes); 0 for those without training items."""
    spread = np.zeros((len(probabilities), classes))
    spread[:, present] = probabilities
    return spread


def code_length(probabilities: Floats, labels: Indices, trained: int) -> float:
    """The length in bits of labels, encoded with probabilities (items, classes).

    Probabilities are mixed with the uniform distribution, which has the weight of one of the
    `trained` items, so that every code is finite.

    >>> code_length(np.array([[1.0, 0.0]]), np.array([0]), trained=1)
    0.4150374992788438
    """
    chosen = probabilities[np.arange(len(labels)), labels]
    mixed = (trained * chosen + 1 / probabilities.shape[1]) / (trained + 1)
    return float(-np.log2(mixed).sum()) + 0.0
