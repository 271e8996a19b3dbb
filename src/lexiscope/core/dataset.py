"""A dataset: items made of words, and what people say about each."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.vocabulary import Vocabulary

Words = NDArray[np.object_]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Dataset:
    """Items as columns: every array of a dataset has one entry per item.

    A kind of dataset names the columns that hold words (`word_columns`) and the one that holds
    what people said (`gold_column`).
    """

    name: str
    kind: ClassVar[str]
    word_columns: ClassVar[tuple[str, ...]]
    gold_column: ClassVar[str]

    def __post_init__(self) -> None:
        for column in self._columns():
            # A view: the caller's own array keeps its flags.
            values = getattr(self, column).view()
            values.flags.writeable = False
            object.__setattr__(self, column, values)

    def __len__(self) -> int:
        return len(getattr(self, self.word_columns[0]))

    @property
    def gold(self) -> NDArray[Any]:
        """What people said of each item."""
        values: NDArray[Any] = getattr(self, self.gold_column)
        return values

    @property
    def words(self) -> tuple[Words, ...]:
        """The word columns."""
        return tuple(getattr(self, column) for column in self.word_columns)

    @property
    def slices(self) -> Mapping[str, Mask]:
        """Named parts of the dataset that get scores of their own."""
        return {}

    @property
    def unit(self) -> NDArray[np.int64] | None:
        """What each item belongs to, where items stand or fall together; None: each by itself.

        Intervals and tests draw whole units, because items of one are not independent.
        """
        return None

    @property
    def labels(self) -> list[str]:
        """What an item is called in a table."""
        return [" · ".join(words) for words in zip(*self.words, strict=True)]

    @classmethod
    def example(cls) -> Self:
        """A tiny dataset of this kind, to look at and to check tasks with."""
        raise NotImplementedError

    def covered_by(self, vocabulary: Vocabulary) -> Mask:
        """Which items have all their words in the vocabulary."""
        found = np.array([vocabulary.find(words) >= 0 for words in self.words])
        return np.asarray(found.all(axis=0))

    def missing_from(self, vocabulary: Vocabulary) -> list[str]:
        """The words of this dataset that the vocabulary lacks, sorted."""
        return sorted({w for words in self.words for w in words if w not in vocabulary})

    def take(self, items: Mask) -> Self:
        """The dataset of these items only."""
        return replace(self, **{column: getattr(self, column)[items] for column in self._columns()})

    def respelt(self, spelling: Callable[[str], str]) -> Self:
        """The dataset with every word written another way."""
        columns: dict[str, Any] = {
            column: word_array(map(spelling, getattr(self, column))) for column in self.word_columns
        }
        return replace(self, **columns)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the items: equal content, equal fingerprint, whatever the file."""
        digest = hashlib.sha256(f"{self.kind} 1 {len(self)}".encode())
        for column in self._columns():
            values = "\0".join(map(repr, getattr(self, column).tolist()))
            digest.update(f"{column}\0{values}\0".encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    @classmethod
    def _columns(cls) -> list[str]:
        return [field.name for field in fields(cls) if field.name != "name"]


def word_array(words: Iterable[str]) -> Words:
    """Words as an array; a long word costs no more than itself."""
    words = list(words)
    array = np.empty(len(words), object)
    array[:] = words
    return array
