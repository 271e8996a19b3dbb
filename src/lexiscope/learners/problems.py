"""Supervised problems: the items of a dataset as arrays, in the vectors of one embedding.

What depends on the items only, such as squared distances, is computed once and indexed for every
training set, fold and hyperparameter.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.learner import Indices
from lexiscope.core.contracts.metric import Floats

PairFeatures = Literal["product-difference", "product", "difference", "sum-product"]


@dataclass(frozen=True, eq=False)
class Classification:
    """Words or texts with classes.

    Parameters
    ----------
    features : ndarray of shape (items, dimension)
        The unit vector of a word, or the mean vector of a text.
    gold : ndarray of shape (items,)
        Class codes from 0.
    classes : int
        The number of classes.
    tokens, ends, vectors : optional
        For texts, the sequence of the rows of `vectors` of all known tokens, and where each text
        ends in it.
    """

    features: Floats
    gold: Indices
    classes: int
    tokens: Indices | None = None
    ends: Indices | None = None
    vectors: NDArray[np.float32] | None = None

    @cached_property
    def squared_distances(self) -> Floats:
        """Squared Euclidean distances between all items (items, items)."""
        return squared_distances(self.features)


@dataclass(frozen=True, eq=False)
class PairRegression:
    """Pairs of words with ratings.

    `left` and `right` (items, dimension) are unit vectors. The representation of a pair is
    symmetric: it does not depend on the order of the two words.
    """

    left: Floats
    right: Floats
    gold: Floats
    representation: PairFeatures = "product-difference"

    @cached_property
    def cosines(self) -> Floats:
        """The cosine of each pair."""
        return np.asarray(np.einsum("ij,ij->i", self.left, self.right))

    @cached_property
    def features(self) -> Floats:
        """The representation of each pair (items, features)."""
        parts = {
            "product": self.left * self.right,
            "difference": np.abs(self.left - self.right),
            "sum": self.left + self.right,
        }
        return np.hstack([parts[name] for name in self.representation.split("-")])

    @cached_property
    def squared_distances(self) -> Floats:
        """Squared Euclidean distances between the representations (items, items)."""
        return squared_distances(self.features)


@dataclass(frozen=True, eq=False)
class AnalogyPairs:
    """Pairs of words in a relation, from which analogy questions are formed.

    Question `i` is "a is to b as source[i] is to ?", where (a, b) is the pair `partner[i]` of the
    same relation, on the same side of the split. The gold answer is target[i].

    Parameters
    ----------
    vectors : ndarray of shape (candidates, dimension)
        Unit vectors of all words that can be predicted.
    source, target : ndarray of shape (items,)
        Rows of `vectors`.
    relation : ndarray of shape (items,)
        Codes of relations.
    partner : ndarray of shape (items,)
        For test items, the pair that is given in the question; -1 for training items.
    """

    vectors: NDArray[np.float32]
    source: Indices
    target: Indices
    relation: Indices
    partner: Indices

    @cached_property
    def untrained_predictions(self) -> dict[str, Indices]:
        """Predictions of all items (items,) by models that need no training, filled by them."""
        return {}

    @property
    def gold(self) -> Indices:
        """The row of the correct answer of each item."""
        return self.target


def squared_distances(features: Floats) -> Floats:
    """Compute the squared Euclidean distances between all rows."""
    lengths = np.einsum("ij,ij->i", features, features)
    found = lengths[:, None] + lengths[None, :] - 2 * (features @ features.T)
    np.maximum(found, 0, out=found)
    np.fill_diagonal(found, 0)
    return np.asarray(found)
