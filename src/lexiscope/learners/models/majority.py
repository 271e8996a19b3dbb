"""The most frequent class of the training set: a control without vectors."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.learner import Indices, Learner, Outcome, TrainingSet
from lexiscope.learners.models._probabilities import class_counts
from lexiscope.learners.models._selection import mean_over_folds
from lexiscope.learners.problems import Classification


@dataclass(frozen=True)
class Majority(Learner):
    """Predict the most frequent class; of ties, the first one.

    Labels are encoded with the class frequencies, each increased by one item.
    """

    families = ("words", "texts")
    complexity = "constant"

    def fit_predict(
        self, problem: Classification, sets: TrainingSet, rng: Generator, fallback: Outcome | None
    ) -> Outcome:
        gold = problem.gold
        validation = mean_over_folds(
            sets, lambda fold: np.mean(gold[fold.validate] == _most_frequent(gold[fold.train]))
        )
        counts = class_counts(gold[sets.train], problem.classes) + 1
        bits = np.log2(counts.sum()) - np.log2(counts[gold[sets.following]])
        predicted = np.full(len(sets.test), _most_frequent(gold[sets.train]))
        return Outcome(predicted, float(validation[0]), {}, float(bits.sum()))


def _most_frequent(labels: Indices) -> int:
    return int(np.argmax(np.bincount(labels)))
