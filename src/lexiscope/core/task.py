"""A task: a question that an embedding answers, item by item."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.dataset import Dataset
from lexiscope.core.embedding import Embedding
from lexiscope.core.measure import Measure

D = TypeVar("D", bound=Dataset)


@dataclass(frozen=True, eq=False)
class Answers:
    """What an embedding answered and what people say, one entry per item.

    `unit` is the dataset's: which items are drawn together by intervals and tests.
    """

    given: NDArray[Any]
    gold: NDArray[Any]
    unit: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        if len(self.given) != len(self.gold):
            raise ValueError(f"{len(self.given)} answers for {len(self.gold)} items")

    def take(self, items: NDArray[np.bool_]) -> "Answers":
        """The answers to these items only."""
        unit = None if self.unit is None else self.unit[items]
        return Answers(self.given[items], self.gold[items], unit)


@dataclass(frozen=True)
class Task(ABC, Generic[D]):
    """Settings plus one verb. A task never reads a file and never averages.

    `reads` is the kind of dataset it asks from, `measure` its score, `beside` what is shown next
    to the score. A change of the answers raises `version`, so that old results are not mixed in.
    """

    reads: ClassVar[type[Dataset]]
    measure: ClassVar[Measure]
    beside: ClassVar[tuple[Measure, ...]] = ()
    version: ClassVar[int] = 1

    @abstractmethod
    def answer(self, embedding: Embedding, items: D, rng: Generator) -> Answers:
        """One answer per item; every word of every item is in the embedding."""

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
