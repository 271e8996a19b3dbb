"""A task: a question that an embedding answers, item by item."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.dataset import Dataset, Units
from lexiscope.core.embedding import Embedding
from lexiscope.core.measure import Measure

D = TypeVar("D", bound=Dataset)


@dataclass(frozen=True, eq=False)
class Answers:
    """What an embedding answered and what people say, one entry per item.

    `units` are the dataset's: what recurs in several items, so that they are not independent.
    """

    given: NDArray[Any]
    gold: NDArray[Any]
    units: Units | None = None

    def __post_init__(self) -> None:
        if len(self.given) != len(self.gold):
            raise ValueError(f"{len(self.given)} answers for {len(self.gold)} items")

    def take(self, items: NDArray[np.bool_] | NDArray[np.int64]) -> "Answers":
        """The answers to these items only."""
        units = None if self.units is None else self.units[items]
        return Answers(self.given[items], self.gold[items], units)


class Label(NamedTuple):
    """A dimension, counted from 0, what it goes with best and how well, and its highest words.

    `property` is empty for a dimension that goes with nothing.
    """

    dimension: int
    property: str
    correlation: float
    words: tuple[str, ...]


class Findings(NamedTuple):
    """What a task sees besides its answers.

    `references` are numbers by the names of measures, or the reason why there is none; `labels`
    say what dimensions stand for.
    """

    references: Mapping[str, float | str] = MappingProxyType({})
    labels: tuple[Label, ...] = ()


@dataclass(frozen=True)
class Task(ABC, Generic[D]):
    """Settings plus one verb. A task never reads a file and never averages.

    `reads` is the kind of dataset it asks from, `measure` its score, `beside` what is shown next
    to the score. `blank` is what counts as the answer to an item with an unknown word, under the
    policy that asks such items all the same. A `local` task looks at no vector but those of the
    dataset's words, so that its answers do not depend on the rest of the vocabulary. A `joint`
    task answers all items together, so that embeddings are compared on the same items only when
    they were asked the same ones. A task that `learns` trains something
    on the vectors: it is asked only where it or a dataset is named, because that takes its time,
    and two controls stand beside it: random vectors, and what it answers without any. A change of
    the answers raises `version`, so that old results are not mixed in.
    """

    reads: ClassVar[type[Dataset]]
    measure: ClassVar[Measure]
    beside: ClassVar[tuple[Measure, ...]] = ()
    blank: ClassVar[str | float] = ""
    local: ClassVar[bool] = False
    joint: ClassVar[bool] = False
    learns: ClassVar[bool] = False
    version: ClassVar[int] = 1

    @abstractmethod
    def answer(self, embedding: Embedding, items: D, rng: Generator) -> Answers:
        """One answer per item; every word of every item is in the embedding."""

    def look(self, embedding: Embedding, items: D, rng: Generator) -> Findings:
        """What else is worth telling about these items; it changes no answer."""
        return Findings()

    def apart(self, first: int, second: int) -> str:
        """Why embeddings with these numbers of dimensions are not compared; empty: they are."""
        return ""

    def without_vectors(self, items: D, rng: Generator) -> Answers:
        """One answer per item from the items alone, where the task learns."""
        raise NotImplementedError

    def suits(self, items: D) -> bool:
        """Whether a dataset of the right kind has anything that this task can ask."""
        return True

    @classmethod
    def example(cls) -> Dataset:
        """A tiny dataset that has something to ask."""
        return cls.reads.example()

    @classmethod
    def measures(cls) -> tuple[Measure, ...]:
        """The score first, then what stands beside it."""
        if cls.measure.all_items:
            raise TypeError(f"{cls.__name__}: a measure over all items can only stand beside one.")
        return (cls.measure, *cls.beside)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}
