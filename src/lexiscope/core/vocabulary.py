"""Vocabularies: distinct words in a fixed order."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.core.packed_words import (
    LARGE,
    PackedWords,
    WordIndex,
    concatenate,
    pack,
    word_index,
)

__all__ = ["PackedWords", "Vocabulary", "pack"]


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Distinct words in a fixed order, the most frequent first if the source is sorted."""

    words: Sequence[str]

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __contains__(self, word: object) -> bool:
        if self._is_large:
            return isinstance(word, str) and bool(self.find([word])[0] >= 0)
        return word in self.index

    @property
    def _is_large(self) -> bool:
        return isinstance(self.words, PackedWords) and len(self) > LARGE

    @cached_property
    def _word_index(self) -> WordIndex:
        """The index of a large vocabulary."""
        index = word_index(pack(self.words))
        firsts = index.first_of_each()
        if len(firsts) < len(self):
            row = int(np.setdiff1d(np.arange(len(self)), firsts, assume_unique=True)[0])
            raise _repeated(self.words[row])
        return index

    @cached_property
    def index(self) -> dict[str, int]:
        """The index of each word."""
        index = {word: number for number, word in enumerate(self.words)}
        if len(index) != len(self.words):
            raise _repeated(_first_repeated(self.words))
        return index

    def plus(self, words: Sequence[str]) -> "Vocabulary":
        """Return this vocabulary with new words added at the end."""
        if self._is_large:
            return Vocabulary(concatenate([pack(self.words), pack(words)]))
        longer = Vocabulary((*self.words, *words))
        added = {word: len(self) + number for number, word in enumerate(words)}
        longer.__dict__["index"] = {**self.index, **added}  # saves building it again
        return longer

    def first(self, number: int) -> "Vocabulary":
        """Return the first words; packed words stay packed."""
        words = self.words
        return Vocabulary(words.first(number) if isinstance(words, PackedWords) else words[:number])

    def find(self, words: Iterable[str]) -> NDArray[np.int64]:
        """Return the index of each of `words`, -1 for an OOV word."""
        if self._is_large:
            return self._word_index.find(pack(words))
        get = self.index.get
        return np.array([get(word, -1) for word in words], np.int64)


def _repeated(word: str) -> BadData:
    return BadData(f"The word '{shown(word)}' occurs twice.")


def _first_repeated(words: Iterable[str]) -> str:
    seen: set[str] = set()
    for word in words:
        if word in seen:
            return word
        seen.add(word)
    return ""
