"""What kinds of thing is an entity?

An entity has several types at once: a city is a place too. They are told from its vector, by a
network with one hidden layer or by copying all types of the nearest known entity. Nobody answers
for an entity that was learnt from. Yaghoobzadeh and Schütze 2016, section 5.2.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.dataset import Words
from lexiscope.core.embedding import Embedding
from lexiscope.core.entities import EntityTypes
from lexiscope.core.errors import BadUsage
from lexiscope.core.task import Answers, Task
from lexiscope.core.vectors import Vectors
from lexiscope.stats.folds import fold_of
from lexiscope.stats.type_classifiers import by_nearest, by_network
from lexiscope.stats.type_sets import (
    exact_match,
    item_f1,
    item_f1_by_chance,
    item_f1_of_one_answer,
    micro_f1,
    one_answer,
)


class _Turn(NamedTuple):
    """What to learn from, the places of the items to answer then, and a seed to learn with."""

    lessons: EntityTypes
    asked: NDArray[np.int64]
    seed: int


@dataclass(frozen=True)
class Typing(Task[EntityTypes]):
    """How well the types given to an entity and its true types agree, F1 on average."""

    classifier: Literal["mlp", "nearest"] = "mlp"
    hidden: int = 300  # units in the mlp's one hidden layer
    threshold: float = 0.5  # the probability from which the mlp gives a type
    epochs: int = 200  # passes over the lessons, at most; the mlp stops by itself before
    folds: int = 5  # parts that take turns at being asked, in sets without a split of their own

    reads = EntityTypes
    measure = item_f1
    beside = (micro_f1, exact_match, item_f1_by_chance, item_f1_of_one_answer)
    local = True
    joint = True
    learns = True

    def __post_init__(self) -> None:
        for name, least in (("hidden", 1), ("epochs", 1), ("folds", 2)):
            found = getattr(self, name)
            if found < least:
                raise BadUsage(f"typing.{name} must be {least} or more, found {found}.")
        if not 0 < self.threshold < 1:
            raise BadUsage(f"typing.threshold must lie between 0 and 1, found {self.threshold}.")

    def answer(self, embedding: Embedding, items: EntityTypes, rng: Generator) -> Answers:
        given = np.empty(len(items), object)
        for lessons, asked, seed in self._turns(items, rng):
            known = lessons.take(lessons.covered_by(embedding.vocabulary))
            rows = embedding[known.word], known.types, embedding[items.word[asked]]
            given[asked] = self._told(*rows, seed)
        return Answers(given=given, gold=items.types)

    def without_vectors(self, items: EntityTypes, rng: Generator) -> Answers:
        """The same types for all: so many of the commonest as suit the lessons best."""
        given = np.empty(len(items), object)
        for lessons, asked, _ in self._turns(items, rng):
            given[asked] = one_answer(lessons.types).types
        return Answers(given=given, gold=items.types)

    def _turns(self, items: EntityTypes, rng: Generator) -> Iterator[_Turn]:
        """The set's own lessons; else all folds but one, in turn."""
        salt, *seeds = rng.integers(1 << 31, size=1 + self.folds).tolist()
        if items.train is not None:
            yield _Turn(items.train, np.arange(len(items)), seeds[0])
            return
        fold = fold_of(items.word, self.folds, salt)
        for number in np.unique(fold).tolist():
            yield _Turn(items.take(fold != number), np.flatnonzero(fold == number), seeds[number])

    def _told(self, known: Vectors, types: Words, asked: Vectors, seed: int) -> Words:
        if self.classifier == "nearest":
            return by_nearest(known, types, asked)
        return by_network(
            known, types, asked, hidden=self.hidden, threshold=self.threshold,
            epochs=self.epochs, seed=seed,
        )  # fmt: skip
