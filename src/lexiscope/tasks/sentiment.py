"""Does the sum of a review's vectors say whether it is good or bad?

Logistic regression learns classes of texts from the sum of the vectors of their words, each as
often as it stands there, in ten folds. Schnabel et al. 2015, section 5; Maas et al. 2011.
"""

from dataclasses import dataclass
from functools import partial

from numpy.random import Generator

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.task import Answers, Task
from lexiscope.core.texts import Texts
from lexiscope.stats.classes import (
    Table,
    bag,
    cross_predicted,
    logistic,
    mean_f1,
    sums_of_vectors,
)
from lexiscope.stats.folds import dealt
from lexiscope.stats.measures import accuracy

_TOLERANCE = 0.01  # LIBLINEAR's own; that of scikit-learn takes twice the time


@dataclass(frozen=True)
class Sentiment(Task[Texts]):
    """Share of texts put into the right class by the sum of their vectors, in cross-validation."""

    folds: int = 10

    reads = Texts
    measure = accuracy
    beside = (mean_f1,)
    local = True
    joint = True
    learns = True
    version = 2

    def __post_init__(self) -> None:
        if self.folds < 2:
            raise BadUsage(f"sentiment.folds must be 2 or more, found {self.folds}.")

    def suits(self, items: Texts) -> bool:
        """Whether the texts have no part of their own to learn from; else see classification."""
        return items.train is None

    def answer(self, embedding: Embedding, items: Texts, rng: Generator) -> Answers:
        return self._learned(sums_of_vectors(items.counted, embedding), items, rng)

    def without_vectors(self, items: Texts, rng: Generator) -> Answers:
        return self._learned(bag(items.counted), items, rng)

    def _learned(self, table: Table, items: Texts, rng: Generator) -> Answers:
        fold = dealt(items.label, self.folds, rng, items.units)
        make = partial(logistic, tolerance=_TOLERANCE)
        return Answers(cross_predicted(make, table, items.label, fold), items.label)
