"""Text classification from the mean of word vectors.

Logistic regression is trained on the mean of the vectors of all tokens of a text. The strength of
its regularisation is selected on a development set. Tsvetkov et al. 2015, section 4; the pairs of
newsgroups are those of Yogatama and Smith 2014.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.task import Predictions, Task
from lexiscope.core.datasets.texts import Texts
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import Undefined
from lexiscope.learners.splits import held_out_mask
from lexiscope.learners.text_classifiers import (
    FeatureMatrix,
    bag_of_words,
    fit_predict,
    logistic_regression,
    means_of_vectors,
    select_c,
)
from lexiscope.metrics.accuracy import accuracy
from lexiscope.metrics.f1 import macro_f1

_GRID = tuple(10.0**power for power in range(-2, 5))


@dataclass(frozen=True)
class Classification(Task[Texts]):
    """Accuracy of classifying texts by the mean of their word vectors."""

    dev_fraction: float = setting(
        0.2,
        "Proportion of the training set used for development, if the dataset has no such part.",
        exclusive_minimum=0,
        exclusive_maximum=1,
    )

    dataset = Texts
    metric = accuracy
    secondary = (macro_f1,)
    local = True
    supervised = True

    def applies_to(self, items: Texts) -> bool:
        """Return whether the dataset has a training set; otherwise see `sentiment`."""
        return items.train is not None

    @classmethod
    def example(cls) -> Texts:
        whole = Texts.example()
        train, dev = whole.take(np.arange(20)), whole.take(np.arange(20, 28))
        return replace(whole.take(np.arange(28, 40)), train=train, dev=dev)

    def predict(self, embedding: Embedding, items: Texts, rng: Generator) -> Predictions:
        return self._classify(items, lambda part: means_of_vectors(part.encoded, embedding), rng)

    def without_vectors(self, items: Texts, rng: Generator) -> Predictions:
        """Predict from bags of words."""
        words = _training_set(items).encoded.words
        return self._classify(items, lambda part: bag_of_words(part.encoded, words), rng)

    def _classify(
        self, items: Texts, features: Callable[[Texts], FeatureMatrix], rng: Generator
    ) -> Predictions:
        train_texts, dev_texts = self._train_and_dev(items, rng)
        train = features(train_texts), train_texts.label
        best = select_c(_GRID, train, (features(dev_texts), dev_texts.label))
        predicted = fit_predict(logistic_regression(best.c), *train, features(items))
        return Predictions(predicted, items.label)

    def _train_and_dev(self, items: Texts, rng: Generator) -> tuple[Texts, Texts]:
        """The training and development sets; the latter is sampled if the dataset has none."""
        train = _training_set(items)
        if items.dev is not None:
            return train, items.dev
        held_out = held_out_mask(train.label, self.dev_fraction, rng)
        return train.take(~held_out), train.take(held_out)


def _training_set(items: Texts) -> Texts:
    if items.train is None:
        raise Undefined("there is no training set")
    return items.train
