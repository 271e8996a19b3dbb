"""The kinds of dataset that tasks read."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.dataset import Dataset, Mask, Words, word_array


@dataclass(frozen=True, eq=False)
class WordPairs(Dataset):
    """Pairs of words, each rated by people."""

    left: Words
    right: Words
    rating: NDArray[np.float64]

    kind = "pairs"
    word_columns = ("left", "right")
    gold_column = "rating"

    @classmethod
    def example(cls) -> Self:
        """Six pairs from alike to unlike."""
        pairs = [
            ("cat", "dog", 9.0),
            ("sun", "moon", 7.5),
            ("cup", "tea", 6.0),
            ("cat", "tea", 2.0),
            ("dog", "moon", 1.5),
            ("sun", "cup", 1.0),
        ]
        left, right, rating = zip(*pairs, strict=True)
        return cls("example-pairs", word_array(left), word_array(right), np.array(rating))


# The sections of the Google questions that ask for facts; those that ask for word forms are gram*.
SEMANTIC = frozenset(
    {"capital-common-countries", "capital-world", "currency", "city-in-state", "family"}
)


@dataclass(frozen=True, eq=False)
class Analogies(Dataset):
    """Questions `a` is to `b` as `c` is to what?, with the answer people give, in sections."""

    a: Words
    b: Words
    c: Words
    answer: Words
    section: Words

    kind = "analogies"
    word_columns = ("a", "b", "c", "answer")
    gold_column = "answer"

    @property
    def labels(self) -> list[str]:
        return [f"{a} : {b} = {c} : ?" for a, b, c in zip(self.a, self.b, self.c, strict=True)]

    @cached_property
    def unit(self) -> NDArray[np.int64] | None:
        """The pair (a, b): a set makes many questions of few pairs."""
        pairs = np.array([f"{a}\0{b}" for a, b in zip(self.a, self.b, strict=True)], object)
        names, unit = np.unique(pairs, return_inverse=True)
        return None if len(names) == len(unit) else unit

    @cached_property
    def slices(self) -> Mapping[str, Mask]:
        """Each section, and the semantic and syntactic totals where all names tell them apart."""
        names = list(dict.fromkeys(self.section))
        if len(names) < 2:
            return {}
        sections = {name: self.section == name for name in names if name}
        semantic = np.array([name in SEMANTIC for name in self.section])
        syntactic = np.array([name.startswith("gram") for name in self.section])
        if not (semantic | syntactic).all() or not semantic.any() or not syntactic.any():
            return sections
        return {"semantic": semantic, "syntactic": syntactic, **sections}

    @classmethod
    def example(cls) -> Self:
        """Four questions in two sections."""
        questions = [
            ("cat", "cats", "dog", "dogs", "plural"),
            ("dog", "dogs", "cat", "cats", "plural"),
            ("king", "queen", "man", "woman", "family"),
            ("man", "woman", "king", "queen", "family"),
        ]
        return cls("example-analogies", *map(word_array, zip(*questions, strict=True)))


KINDS: Mapping[str, type[Dataset]] = {kind.kind: kind for kind in (WordPairs, Analogies)}
