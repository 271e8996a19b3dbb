"""Analogy questions, grouped in sections."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.datasets.base import (
    Dataset,
    Mask,
    Units,
    Words,
    sampling_units,
    word_array,
)

# Semantic sections of the Google analogies; the syntactic ones are called gram*.
SEMANTIC = frozenset(
    {"capital-common-countries", "capital-world", "currency", "city-in-state", "family"}
)


@dataclass(frozen=True, eq=False)
class Analogies(Dataset):
    """Analogy questions: a is to b as c is to which word?

    Parameters
    ----------
    name : str
        Name of the dataset.
    a, b, c : ndarray of str
        The three given words of each question.
    answer : ndarray of str
        The correct fourth word.
    section : ndarray of str
        The section of each question; "" if there are no sections.

    Examples
    --------
    >>> from lexiscope.core.datasets import Analogies
    >>> Analogies.example().labels[0]
    'cat : cats = dog : ?'
    """

    a: Words
    b: Words
    c: Words
    answer: Words
    section: Words

    kind = "analogies"
    word_columns = ("a", "b", "c", "answer")
    gold_column = "answer"
    read_priority = 60

    @property
    def labels(self) -> list[str]:
        return [f"{a} : {b} = {c} : ?" for a, b, c in zip(self.a, self.b, self.c, strict=True)]

    @cached_property
    def units(self) -> Units | None:
        """The four words: datasets combine few pairs into many questions, and pairs share words."""
        return sampling_units(*self.words)

    @cached_property
    def strata(self) -> NDArray[np.int64] | None:
        """The sections, if there are several."""
        names, codes = np.unique(self.section.astype(str), return_inverse=True)
        return codes.ravel().astype(np.int64) if len(names) > 1 else None

    @cached_property
    def slices(self) -> Mapping[str, Mask]:
        """Each section; also semantic and syntactic totals if every section name is known."""
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
        """Return four questions in two sections."""
        questions = [
            ("cat", "cats", "dog", "dogs", "plural"),
            ("dog", "dogs", "cat", "cats", "plural"),
            ("king", "queen", "man", "woman", "family"),
            ("man", "woman", "king", "queen", "family"),
        ]
        return cls("example-analogies", *map(word_array, zip(*questions, strict=True)))
