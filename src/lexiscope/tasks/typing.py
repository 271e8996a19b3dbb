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
)


class _Lesson(NamedTuple):
    """What to learn from, and the places of the items to answer then."""

    vectors: Vectors
    types: Words
    asked: NDArray[np.int64]


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

    def __post_init__(self) -> None:
        for name, least in (("hidden", 1), ("epochs", 1), ("folds", 2)):
            found = getattr(self, name)
            if found < least:
                raise BadUsage(f"typing.{name} must be {least} or more, found {found}.")
        if not 0 < self.threshold < 1:
            raise BadUsage(f"typing.threshold must lie between 0 and 1, found {self.threshold}.")

    def answer(self, embedding: Embedding, items: EntityTypes, rng: Generator) -> Answers:
        rows = embedding[items.word]
        given = np.empty(len(items), object)
        salt, *seeds = rng.integers(1 << 31, size=1 + self.folds).tolist()
        for lesson, seed in zip(self._lessons(embedding, items, rows, salt), seeds, strict=False):
            if len(lesson.asked):
                given[lesson.asked] = self._told(lesson, rows[lesson.asked], seed)
        return Answers(given=given, gold=items.types)

    def _lessons(
        self, embedding: Embedding, items: EntityTypes, rows: Vectors, salt: int
    ) -> Iterator[_Lesson]:
        """The set's own lessons that the embedding knows; else all folds but one, in turn."""
        if items.train is not None:
            known = items.train.take(items.train.covered_by(embedding.vocabulary))
            yield _Lesson(embedding[known.word], known.types, np.arange(len(items)))
            return
        fold = fold_of(items.word, self.folds, salt)
        for number in range(self.folds):
            others = np.flatnonzero(fold != number)
            yield _Lesson(rows[others], items.types[others], np.flatnonzero(fold == number))

    def _told(self, lesson: _Lesson, asked: Vectors, seed: int) -> Words:
        if self.classifier == "nearest":
            return by_nearest(lesson.vectors, lesson.types, asked)
        return by_network(
            lesson.vectors, lesson.types, asked, hidden=self.hidden, threshold=self.threshold,
            epochs=self.epochs, seed=seed,
        )  # fmt: skip
