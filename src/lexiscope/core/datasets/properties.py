"""Words with weighted properties: a sparse matrix, stored row by row."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.datasets.base import Dataset, Units, Words, sampling_units, word_array

_EXAMPLE = {
    "animal": "cat dog horse cow sheep mouse",
    "food": "bread soup cheese apple rice cake",
    "motion": "run walk jump swim climb crawl",
}
_EXAMPLE_MIXED = {"fish": "animal food", "chicken": "food animal", "duck": "motion animal"}


class Matrix(NamedTuple):
    """Property names in alphabetical order, and the amounts of shape (words, properties)."""

    names: tuple[str, ...]
    amounts: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Properties(Dataset):
    """Words with the amounts of their properties; properties that are not listed are 0.

    Parameters
    ----------
    name : str
        Name of the dataset.
    word : ndarray of str
        The words.
    has : ndarray of tuple of str
        The names of the properties that each word has.
    amount : ndarray of tuple of float
        The amount of each of these properties.

    Examples
    --------
    >>> from lexiscope.core.datasets import Properties
    >>> properties = Properties.of("tiny", {"cat": {"animal": 1}, "fish": {"animal": 2, "food": 1}})
    >>> properties.matrix.names
    ('animal', 'food')
    >>> properties.matrix.amounts.tolist()
    [[1.0, 0.0], [2.0, 1.0]]
    """

    word: Words
    has: NDArray[np.object_]
    amount: NDArray[np.object_]

    kind = "properties"
    word_columns = ("word",)
    gold_column = "most"
    read_priority = 80

    @cached_property
    def most(self) -> Words:
        """The property with the largest amount of each word; ties go to the first name."""
        return word_array(map(_largest, self.has, self.amount))

    @cached_property
    def units(self) -> Units | None:
        """The word, if normalisation made two words equal."""
        return sampling_units(self.word)

    @cached_property
    def matrix(self) -> Matrix:
        """The dense matrix of all properties that at least one of these words has."""
        names = sorted({name for names in self.has for name in names})
        columns = {name: column for column, name in enumerate(names)}
        table = np.zeros((len(self), len(names)))
        for row, (some, amounts) in enumerate(zip(self.has, self.amount, strict=True)):
            table[row, [columns[name] for name in some]] = amounts
        table.flags.writeable = False
        return Matrix(tuple(names), table)

    @classmethod
    def example(cls) -> Self:
        """Return twenty-one words with three properties; three words have two of them."""
        rows = {word: {kind: 1.0} for kind, words in _EXAMPLE.items() for word in words.split()}
        for word, kinds in _EXAMPLE_MIXED.items():
            more, less = kinds.split()
            rows[word] = {more: 0.75, less: 0.25}
        return cls.of("example-properties", rows)

    @classmethod
    def of(cls, name: str, rows: Mapping[str, Mapping[str, float]]) -> Self:
        """Return the dataset of a mapping from words to amounts by property name."""
        filled = [{p: float(a) for p, a in row.items() if a} for row in rows.values()]
        return cls(name, word_array(rows), _tuples(filled), _tuples(r.values() for r in filled))


def _largest(names: tuple[str, ...], amounts: tuple[float, ...]) -> str:
    pairs = zip((-amount for amount in amounts), names, strict=True)
    return min(pairs, default=(0.0, ""))[1]


def _tuples(values: Iterable[Iterable[object]]) -> NDArray[np.object_]:
    found = [tuple(each) for each in values]
    array = np.empty(len(found), object)
    array[:] = found
    return array
