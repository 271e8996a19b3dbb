"""Selectional preferences: how typical a word is in a slot of a predicate."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.datasets.base import (
    Dataset,
    Mask,
    Units,
    Words,
    pair_keys,
    sampling_units,
    word_array,
)
from lexiscope.core.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False)
class Preferences(Dataset):
    """Human ratings of how typical a word is in a slot, such as the object of a verb.

    Parameters
    ----------
    name : str
        Name of the dataset.
    head : ndarray of str
        The predicate, such as a verb.
    slot : ndarray of str
        The grammatical relation: nsubj, dobj or amod.
    word : ndarray of str
        The word in the slot.
    rating : ndarray of float64
        The mean human rating.
    fillers : ndarray of tuple of str
        Words that typically fill the slot, the most strongly associated first.

    Examples
    --------
    >>> from lexiscope.core.datasets import Preferences
    >>> preferences = Preferences.example()
    >>> preferences.labels[0], preferences.fillers[0]
    ('eat · dobj · apple', ('bread', 'soup', 'meat'))
    """

    head: Words
    slot: Words
    word: Words
    rating: NDArray[np.float64]
    fillers: NDArray[np.object_]

    kind = "preferences"
    word_columns = ("word",)
    gold_column = "rating"
    read_priority = 40

    @property
    def labels(self) -> list[str]:
        rows = zip(self.head, self.slot, self.word, strict=True)
        return [f"{head} · {slot} · {word}" for head, slot, word in rows]

    @property
    def item_words(self) -> set[str]:
        return {*self.word, *(filler for fillers in self.fillers for filler in fillers)}

    @cached_property
    def units(self) -> Units | None:
        """The slot of the head, and the word: each slot is rated with many words."""
        return sampling_units(pair_keys(self.head, self.slot), self.word)

    @cached_property
    def slices(self) -> Mapping[str, Mask]:
        """Each slot, if there are several."""
        names = list(dict.fromkeys(self.slot))
        return {name: self.slot == name for name in names} if len(names) > 1 else {}

    def covered_by(self, vocabulary: Vocabulary) -> Mask:
        """Return which items have their word and at least one other filler in the vocabulary."""
        rows = zip(self.word, self.fillers, strict=True)
        return np.array(
            [word in vocabulary and any(f in vocabulary and f != word for f in fillers)
             for word, fillers in rows], bool
        )  # fmt: skip

    def missing_from(self, vocabulary: Vocabulary) -> list[str]:
        """Return the rated words that the vocabulary lacks; missing fillers do no harm."""
        return sorted({word for word in self.word if word not in vocabulary})

    def map_words(self, function: Callable[[str], str]) -> Self:
        fillers = np.empty(len(self), object)
        fillers[:] = [tuple(map(function, words)) for words in self.fillers]
        return replace(super().map_words(function), fillers=fillers)

    @classmethod
    def example(cls) -> Self:
        """Return six objects of two verbs."""
        food, music = ("bread", "soup", "meat"), ("song", "tune", "hymn")
        rows = [
            ("eat", "dobj", "apple", 9.0, food),
            ("eat", "dobj", "song", 1.0, food),
            ("eat", "dobj", "bread", 8.5, food),
            ("sing", "dobj", "ballad", 9.5, music),
            ("sing", "dobj", "soup", 0.5, music),
            ("sing", "dobj", "apple", 1.5, music),
        ]
        head, slot, word, rating, fillers = zip(*rows, strict=True)
        filled = np.empty(len(rows), object)
        filled[:] = fillers
        heads, slots, words = map(word_array, (head, slot, word))
        return cls("example-preferences", heads, slots, words, np.array(rating), filled)
