"""Pairs of words in named relations."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.datasets.base import Dataset, Mask, Units, Words, sampling_units, word_array


@dataclass(frozen=True, eq=False)
class Relations(Dataset):
    """Pairs of words in named relations, from which analogy questions can be formed.

    Parameters
    ----------
    name : str
        Name of the dataset.
    source, target : ndarray of str
        The two words of each pair, in this order.
    relation : ndarray of str
        The relation of each pair; "" if the dataset has one relation without a name.

    Examples
    --------
    >>> from lexiscope.core.datasets import Relations
    >>> relations = Relations.example()
    >>> relations.labels[0], relations.relation[0]
    ('cat : cats', 'plural')
    """

    source: Words
    target: Words
    relation: Words

    kind = "relations"
    word_columns = ("source", "target")
    gold_column = "target"
    # Before analogies: a table with a header and four columns would be read as four words.
    read_priority = 55

    @property
    def labels(self) -> list[str]:
        return [f"{one} : {other}" for one, other in zip(self.source, self.target, strict=True)]

    @cached_property
    def units(self) -> Units | None:
        """The two words, if a word occurs in several pairs."""
        return sampling_units(self.source, self.target)

    @cached_property
    def strata(self) -> NDArray[np.int64] | None:
        """The relations, if there are several."""
        names, codes = np.unique(self.relation.astype(str), return_inverse=True)
        return codes.ravel().astype(np.int64) if len(names) > 1 else None

    @cached_property
    def slices(self) -> Mapping[str, Mask]:
        """Each relation, if there are several."""
        names = list(dict.fromkeys(self.relation))
        return {name: self.relation == name for name in names if name} if len(names) > 1 else {}

    @classmethod
    def example(cls) -> Self:
        """Return six pairs in two relations."""
        pairs = [
            ("cat", "cats", "plural"),
            ("dog", "dogs", "plural"),
            ("horse", "horses", "plural"),
            ("king", "queen", "female"),
            ("man", "woman", "female"),
            ("uncle", "aunt", "female"),
        ]
        return cls("example-relations", *map(word_array, zip(*pairs, strict=True)))
