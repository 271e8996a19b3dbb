"""A dataset: items made of words, and what people say about each."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.policy import Policy
from lexiscope.core.vocabulary import Vocabulary

Words = NDArray[np.object_]
Mask = NDArray[np.bool_]
Units = NDArray[np.int64]


class Running(NamedTuple):
    """How many of the running words of a dataset an embedding knows."""

    known: int
    total: int


@dataclass(frozen=True, eq=False)
class Dataset:
    """Items as columns: every array of a dataset has one entry per item.

    A kind of dataset names the columns that hold words (`word_columns`) and the one that holds
    what people said (`gold_column`). `lessons` are fields with further datasets of the same kind,
    or None, that are learned from and not asked. `kept` says whether stores keep all columns, or
    labels and gold only.
    """

    name: str
    kind: ClassVar[str]
    word_columns: ClassVar[tuple[str, ...]]
    gold_column: ClassVar[str]
    lessons: ClassVar[tuple[str, ...]] = ()
    kept: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for column in self.columns():
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
    def units(self) -> Units | None:
        """What each item is made of that recurs in other items, one row of numbers per item.

        Items with a number in common are not independent, and intervals and tests must know.
        None: nothing recurs.
        """
        return None

    @property
    def own_words(self) -> set[str]:
        """Every word of the items themselves."""
        return {word for words in self.words for word in words}

    @property
    def all_words(self) -> set[str]:
        """Every word that an embedding may be asked for, to answer or to learn from."""
        return self.own_words.union(*(lesson.all_words for _, lesson in self._lessons()))

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

    def running(self, vocabulary: Vocabulary) -> "Running | None":
        """How many of the running words are known, where an unknown one leaves no item out."""
        return None

    def missing_from(self, vocabulary: Vocabulary) -> list[str]:
        """The words of the items that the vocabulary lacks, sorted; lessons are there to spare."""
        return sorted(word for word in self.own_words if word not in vocabulary)

    def take(self, items: Mask | NDArray[np.int64]) -> Self:
        """The dataset of these items only."""
        return replace(self, **{column: getattr(self, column)[items] for column in self.columns()})

    def respelt(self, spelling: Callable[[str], str]) -> Self:
        """The dataset with every word written another way."""
        columns: dict[str, Any] = {
            column: word_array(map(spelling, getattr(self, column))) for column in self.word_columns
        }
        learned: dict[str, Any] = {
            name: lesson.respelt(spelling) for name, lesson in self._lessons()
        }
        return replace(self, **columns, **learned)

    def spelt(self, policy: Policy) -> Self:
        """The dataset with its words as the policy compares them; made once for each spelling."""
        how = policy.case, policy.digits
        if how not in self._spellings:
            self._spellings[how] = self.respelt(policy.spelling)
        return self._spellings[how]

    @cached_property
    def _spellings(self) -> dict[tuple[str, str], Self]:
        return {}

    def __getstate__(self) -> dict[str, Any]:
        # Other processes get the items; what was worked out from them they work out again.
        return {name: getattr(self, name) for name in ("name", *self.columns(), *self.lessons)}

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the items: equal content, equal fingerprint, whatever the file."""
        digest = hashlib.sha256(f"{self.kind} 1 {len(self)}".encode())
        for column in self.columns():
            values = "\0".join(map(repr, getattr(self, column).tolist()))
            digest.update(f"{column}\0{values}\0".encode("utf-8", "surrogatepass"))
        for name, lesson in self._lessons():
            digest.update(f"{name}\0{lesson.fingerprint}\0".encode())
        return digest.hexdigest()

    def _lessons(self) -> list[tuple[str, Self]]:
        """The datasets to learn from that there are, by name."""
        return [(name, part) for name in self.lessons if (part := getattr(self, name)) is not None]

    @classmethod
    def columns(cls) -> list[str]:
        """The names of all columns."""
        apart = ("name", *cls.lessons)
        return [field.name for field in fields(cls) if field.name not in apart]


def word_array(words: Iterable[str]) -> Words:
    """Words as an array; a long word costs no more than itself."""
    words = list(words)
    array = np.empty(len(words), object)
    array[:] = words
    return array


def recurring(*columns: Iterable[str]) -> Units | None:
    """Numbers for the names in each column, equal for equal names; None when each stands once."""
    names = [list(column) for column in columns]
    seen, numbers = np.unique(word_array(chain(*names)), return_inverse=True)
    rows = numbers.reshape(len(names), -1).T.astype(np.int64)
    alone = len(seen) == sum(len(set(row)) for row in rows.tolist())
    return None if alone else rows
