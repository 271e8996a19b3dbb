"""A task: settings and a method that predicts every item of a dataset from an embedding."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Metric
from lexiscope.core.contracts.settings import Configurable
from lexiscope.core.datasets.base import Dataset, Units
from lexiscope.core.embedding import Embedding

D = TypeVar("D", bound=Dataset)


@dataclass(frozen=True, eq=False)
class Predictions:
    """Predictions and gold values, one entry per item.

    Parameters
    ----------
    predicted : ndarray of shape (items,)
        Numbers or strings.
    gold : ndarray of shape (items,)
        The gold annotation of the dataset.
    units : ndarray of shape (items, units per item), optional
        The sampling units of the dataset. Items that share a unit are not independent.
    strata : ndarray of shape (items,), optional
        Codes of fixed groups of items, such as the sections of a dataset. Another sample of items
        would have the same groups.
    variance_inflation : float, default 1
        Factor of the variance of a score, above 1 for predictions of cross-validation.

    Examples
    --------
    >>> import numpy as np
    >>> from lexiscope import Predictions
    >>> predictions = Predictions(np.array([0.9, 0.2, 0.4]), np.array([8.5, 1.0, 3.0]))
    >>> predictions.take(np.array([True, False, True])).gold.tolist()
    [8.5, 3.0]
    """

    predicted: NDArray[Any]
    gold: NDArray[Any]
    units: Units | None = None
    strata: NDArray[np.int64] | None = None
    variance_inflation: float = 1.0

    def __post_init__(self) -> None:
        if len(self.predicted) != len(self.gold):
            raise ValueError(f"{len(self.predicted)} predictions for {len(self.gold)} items")

    def take(self, items: NDArray[np.bool_] | NDArray[np.int64]) -> "Predictions":
        """Return the predictions of these items only."""
        units = None if self.units is None else self.units[items]
        strata = None if self.strata is None else self.strata[items]
        inflation = self.variance_inflation
        return Predictions(self.predicted[items], self.gold[items], units, strata, inflation)


class Label(NamedTuple):
    """The property that a dimension correlates with best, and the words with the highest values.

    Dimensions are counted from 0. `property` is empty for a dimension without a property.
    """

    dimension: int
    property: str
    correlation: float
    words: tuple[str, ...]


class Diagnostics(NamedTuple):
    """What a task reports in addition to its predictions.

    `references` maps the names of diagnostic metrics to values, or to the reason why there is no
    value. `labels` are labels of dimensions.
    """

    references: Mapping[str, float | str] = MappingProxyType({})
    labels: tuple[Label, ...] = ()


@dataclass(frozen=True)
class Task(Configurable, ABC, Generic[D]):
    """Base class of tasks: settings plus `predict`.

    A subclass is a frozen dataclass. Its fields are the settings, declared with `setting`; their
    bounds are checked when an object is created. A task reads no file and never averages: it
    returns one prediction per item, and lexiscope computes scores, confidence intervals and tests.

    Attributes
    ----------
    dataset
        The class of datasets that the task evaluates.
    metric
        The score.
    secondary
        Further metrics that are reported next to the score.
    oov_prediction
        The prediction for an item with an out-of-vocabulary word, under the policy `oov="zero"`.
    local
        Whether predictions depend on the vectors of the dataset's words only, and not on the rest
        of the vocabulary.
    joint
        Whether the prediction of an item depends on which other items are evaluated. Two
        embeddings that cover different items are then evaluated again on the items of both.
    supervised
        Whether a model is trained on the vectors. Such a task takes time, so it runs only if it or
        one of its datasets is named. It is compared with two controls: random vectors, and
        `without_vectors`.
    version
        Raise it when a change of the code changes the predictions. Results of earlier versions are
        then not reused.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> import numpy as np
    >>> from lexiscope import Predictions, Task, WordPairs
    >>> from lexiscope.metrics.correlation import spearman
    >>> @dataclass(frozen=True)
    ... class Distance(Task[WordPairs]):
    ...     '''Rank correlation between Euclidean distance and human ratings.'''
    ...
    ...     dataset = WordPairs
    ...     metric = spearman
    ...
    ...     def predict(self, embedding, pairs, rng):
    ...         difference = embedding[pairs.left] - embedding[pairs.right]
    ...         return Predictions(-np.linalg.norm(difference, axis=1), pairs.rating)
    >>> Distance().metric.name
    'spearman'
    """

    dataset: ClassVar[type[Dataset]]
    metric: ClassVar[Metric]
    secondary: ClassVar[tuple[Metric, ...]] = ()
    oov_prediction: ClassVar[str | float] = ""
    local: ClassVar[bool] = False
    joint: ClassVar[bool] = False
    supervised: ClassVar[bool] = False
    version: ClassVar[int] = 1

    def variance_inflation(self, items: D) -> float:
        """Return the factor of a score's variance that is due to cross-validation, or 1.

        See `cross_validation_inflation`.
        """
        return 1.0

    @abstractmethod
    def predict(self, embedding: Embedding, items: D, rng: Generator) -> Predictions:
        """Predict every item.

        Parameters
        ----------
        embedding
            Has a vector other than zero for every word of every item.
        items
            The items that the embedding covers. Their arrays are read-only.
        rng
            The only source of randomness. It is seeded from the task and the dataset, so that all
            embeddings get the same random numbers.

        Returns
        -------
        Predictions
            One prediction per item, in the order of the items.
        """

    def diagnose(self, embedding: Embedding, items: D, rng: Generator) -> Diagnostics:
        """Compute diagnostic metrics and labels of dimensions. Predictions do not depend on it."""
        return Diagnostics()

    def incomparable(self, first: int, second: int) -> str:
        """Say why embeddings with these numbers of dimensions are not compared.

        An empty string means that they are compared.
        """
        return ""

    def without_vectors(self, items: D, rng: Generator) -> Predictions:
        """Predict every item without vectors: the baseline of a supervised task."""
        raise NotImplementedError

    def applies_to(self, items: D) -> bool:
        """Return whether the dataset has anything that this task can evaluate."""
        return True

    @classmethod
    def example(cls) -> Dataset:
        """Return a tiny dataset that the task applies to."""
        return cls.dataset.example()

    @classmethod
    def metrics(cls) -> tuple[Metric, ...]:
        """Return the score, followed by the secondary metrics."""
        if cls.metric.all_items:
            raise TypeError(f"{cls.__name__}: a metric over all items can only be secondary.")
        return (cls.metric, *cls.secondary)
