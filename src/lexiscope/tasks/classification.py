"""Does the mean of a text's vectors say what it is about?

Logistic regression learns classes of texts from the mean of the vectors of their words; how much
it may follow the lessons is chosen on a development part. Tsvetkov et al. 2015, section 4; the
pairs of newsgroups are those of Yogatama and Smith 2014.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.core.task import Answers, Task
from lexiscope.core.texts import Texts
from lexiscope.stats.classes import (
    Table,
    bag,
    chosen,
    held_out,
    logistic,
    mean_f1,
    means_of_vectors,
    predicted,
)
from lexiscope.stats.measures import accuracy

_GRID = tuple(10.0**power for power in range(-2, 5))


@dataclass(frozen=True)
class Classification(Task[Texts]):
    """Share of texts put into the right class by the mean of their vectors."""

    share: float = 0.2  # of the lessons to choose on, where the data set has no part for that

    reads = Texts
    measure = accuracy
    beside = (mean_f1,)
    local = True
    learns = True

    def __post_init__(self) -> None:
        if not 0 < self.share < 1:
            raise BadUsage(f"classification.share must be between 0 and 1, found {self.share}.")

    def suits(self, items: Texts) -> bool:
        """Whether the texts have a part to learn from; else see sentiment."""
        return items.train is not None

    @classmethod
    def example(cls) -> Texts:
        whole = Texts.example()
        train, dev = whole.take(np.arange(20)), whole.take(np.arange(20, 28))
        return replace(whole.take(np.arange(28, 40)), train=train, dev=dev)

    def answer(self, embedding: Embedding, items: Texts, rng: Generator) -> Answers:
        return self._learned(items, lambda part: means_of_vectors(part.counted, embedding), rng)

    def without_vectors(self, items: Texts, rng: Generator) -> Answers:
        words = _lessons(items).counted.words
        return self._learned(items, lambda part: bag(part.counted, words), rng)

    def _learned(self, items: Texts, numbers: Callable[[Texts], Table], rng: Generator) -> Answers:
        train, dev = self._parts(items, rng)
        lessons = numbers(train), train.label
        best = chosen(_GRID, lessons, (numbers(dev), dev.label))
        given = predicted(logistic(best.c), *lessons, numbers(items))
        return Answers(given=given, gold=items.label)

    def _parts(self, items: Texts, rng: Generator) -> tuple[Texts, Texts]:
        """What to learn from and what to choose on, which is drawn where the data have none."""
        train = _lessons(items)
        if items.dev is not None:
            return train, items.dev
        apart = held_out(train.label, self.share, rng)
        return train.take(~apart), train.take(apart)


def _lessons(items: Texts) -> Texts:
    if items.train is None:
        raise Undefined("there are no texts to learn from")
    return items.train
