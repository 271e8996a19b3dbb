"""Vocabularies: distinct words in a fixed order."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import overload

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData


@dataclass(frozen=True, eq=False)
class PackedWords(Sequence[str]):
    """Words as a block of UTF-8 and the end of each; decoded on first access.

    So a memory-mapped file of a million words opens instantly.
    """

    block: NDArray[np.uint8]
    ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        return self._words[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def first(self, number: int) -> "PackedWords":
        """Return the first words, as parts of the same arrays."""
        ends = self.ends[:number]
        return PackedWords(self.block[: int(ends[-1]) if len(ends) else 0], ends)

    @cached_property
    def _words(self) -> tuple[str, ...]:
        text = bytes(self.block).decode("utf-8", "surrogatepass")
        if len(text) == len(self.block):
            ends = self.ends
        else:  # some characters have several bytes: count first bytes
            characters = np.zeros(len(self.block) + 1, np.int64)
            np.cumsum((self.block & 0xC0) != 0x80, out=characters[1:])
            ends = characters[self.ends]
        return tuple(text[start:end] for start, end in pairwise([0, *ends.tolist()]))


def pack(words: Iterable[str]) -> PackedWords:
    """Return the words as one block."""
    if isinstance(words, PackedWords):
        return words
    encoded = [word.encode("utf-8", "surrogatepass") for word in words]
    lengths = np.fromiter((len(word) for word in encoded), np.int64, len(encoded))
    return PackedWords(np.frombuffer(b"".join(encoded), np.uint8), np.cumsum(lengths))


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Distinct words in a fixed order, the most frequent first if the source is sorted."""

    words: Sequence[str]

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self.index

    @cached_property
    def index(self) -> dict[str, int]:
        """The index of each word."""
        index = {word: number for number, word in enumerate(self.words)}
        if len(index) != len(self.words):
            raise BadData(f"The word '{shown(_first_repeated(self.words))}' occurs twice.")
        return index

    def plus(self, words: Sequence[str]) -> "Vocabulary":
        """Return this vocabulary with new words added at the end."""
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
        get = self.index.get
        return np.array([get(word, -1) for word in words], np.int64)


def _first_repeated(words: Iterable[str]) -> str:
    seen: set[str] = set()
    for word in words:
        if word in seen:
            return word
        seen.add(word)
    return ""
