"""The words of an embedding, in its order."""

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
    """Words as one block of UTF-8 and the bytes where each ends; decoded when first looked at.

    A memory-mapped file of a million words opens at once this way.
    """

    block: NDArray[np.uint8]
    ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        return self._words[place]

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    @cached_property
    def _words(self) -> tuple[str, ...]:
        text = bytes(self.block).decode("utf-8", "surrogatepass")
        if len(text) == len(self.block):
            ends = self.ends
        else:  # some characters take several bytes: count the bytes that begin a character
            begun = np.zeros(len(self.block) + 1, np.int64)
            np.cumsum((self.block & 0xC0) != 0x80, out=begun[1:])
            ends = begun[self.ends]
        return tuple(text[start:end] for start, end in pairwise([0, *ends.tolist()]))


def pack(words: Iterable[str]) -> PackedWords:
    """The same words as one block."""
    if isinstance(words, PackedWords):
        return words
    encoded = [word.encode("utf-8", "surrogatepass") for word in words]
    lengths = np.fromiter((len(word) for word in encoded), np.int64, len(encoded))
    return PackedWords(np.frombuffer(b"".join(encoded), np.uint8), np.cumsum(lengths))


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Distinct words in a fixed order, the most frequent first where the source says so."""

    words: Sequence[str]

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self.index

    @cached_property
    def index(self) -> dict[str, int]:
        """The place of each word."""
        places = {word: place for place, word in enumerate(self.words)}
        if len(places) != len(self.words):
            raise BadData(f"The word '{shown(_first_repeated(self.words))}' stands twice.")
        return places

    def plus(self, words: Sequence[str]) -> "Vocabulary":
        """This vocabulary with new words after its own."""
        longer = Vocabulary((*self.words, *words))
        places = {word: len(self) + place for place, word in enumerate(words)}
        longer.__dict__["index"] = {**self.index, **places}  # made once already
        return longer

    def find(self, words: Iterable[str]) -> NDArray[np.int64]:
        """The place of each of `words`, -1 for a word that is not here."""
        place = self.index.get
        return np.array([place(word, -1) for word in words], np.int64)


def _first_repeated(words: Iterable[str]) -> str:
    seen: set[str] = set()
    for word in words:
        if word in seen:
            return word
        seen.add(word)
    return ""
