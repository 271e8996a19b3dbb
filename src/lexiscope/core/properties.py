"""Words and how much of each property they have: a matrix of which only what is there is kept."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.dataset import Dataset, Units, Words, recurring, word_array

_KINDS = {
    "animal": "cat dog horse cow sheep mouse",
    "food": "bread soup cheese apple rice cake",
    "motion": "run walk jump swim climb crawl",
}
_OF_TWO = {"fish": "animal food", "chicken": "food animal", "duck": "motion animal"}


class Matrix(NamedTuple):
    """The names of the properties in alphabetical order, and the amounts (words, properties)."""

    names: tuple[str, ...]
    amounts: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Properties(Dataset):
    """Words, each with the properties it has and how much of each; of the others it has 0."""

    word: Words
    has: NDArray[np.object_]  # names of properties, a tuple for each word
    amount: NDArray[np.object_]  # as many numbers

    kind = "properties"
    word_columns = ("word",)
    gold_column = "most"

    @cached_property
    def most(self) -> Words:
        """The property that each word has most of, the first by name of equal ones."""
        return word_array(map(_most, self.has, self.amount))

    @cached_property
    def units(self) -> Units | None:
        """The word, where two that differ in case have become one."""
        return recurring(self.word)

    @cached_property
    def matrix(self) -> Matrix:
        """All amounts as a table; properties that none of these words has are no part of it."""
        names = sorted({name for names in self.has for name in names})
        places = {name: place for place, name in enumerate(names)}
        table = np.zeros((len(self), len(names)))
        for row, (some, amounts) in enumerate(zip(self.has, self.amount, strict=True)):
            table[row, [places[name] for name in some]] = amounts
        table.flags.writeable = False
        return Matrix(tuple(names), table)

    @classmethod
    def example(cls) -> Self:
        """Twenty-one words with three properties; three words have two of them."""
        rows = {word: {kind: 1.0} for kind, words in _KINDS.items() for word in words.split()}
        for word, kinds in _OF_TWO.items():
            more, less = kinds.split()
            rows[word] = {more: 0.75, less: 0.25}
        return cls.of("example-properties", rows)

    @classmethod
    def of(cls, name: str, rows: Mapping[str, Mapping[str, float]]) -> Self:
        """From words, each with the amounts of its properties by name."""
        filled = [{p: float(a) for p, a in row.items() if a} for row in rows.values()]
        return cls(name, word_array(rows), _tuples(filled), _tuples(r.values() for r in filled))


def _most(names: tuple[str, ...], amounts: tuple[float, ...]) -> str:
    pairs = zip((-amount for amount in amounts), names, strict=True)
    return min(pairs, default=(0.0, ""))[1]


def _tuples(values: Iterable[Iterable[object]]) -> NDArray[np.object_]:
    found = [tuple(each) for each in values]
    array = np.empty(len(found), object)
    array[:] = found
    return array
