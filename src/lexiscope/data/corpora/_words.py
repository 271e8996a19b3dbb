"""The words of a text, numbered as they come and counted; room grows as they need it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.data.corpora._cutting import Tokens, points_of, text_of, tokens_of
from lexiscope.data.corpora._spool import Spool
from lexiscope.kernels import tokens as kernel

_FIRST_WORDS = 1 << 15
_FIRST_POINTS = 1 << 19
_WORDS_AT_ONCE = 1 << 16


class Words:
    """Every different word so far with its count, and the text as their numbers."""

    def __init__(self) -> None:
        self.numbers = Spool(np.int32)
        self._words = 0
        self._book = np.zeros((_FIRST_WORDS, 2), np.int64)
        self._slots = np.zeros(2 * _FIRST_WORDS, np.int64)
        self._arena = np.zeros(_FIRST_POINTS, np.uint32)

    def __len__(self) -> int:
        return self._words

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often each word was seen."""
        return self._book[: self._words, 1]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many characters each word has."""
        return np.diff(self._book[: self._words + 1, 0])

    def read(self, tokens: Tokens) -> None:
        """Take in tokens; their ends are written over."""
        self._number(tokens)
        self.numbers.append(tokens.ends)

    def number(self, word: str) -> int:
        """The number of a word, which gets one if it has none; it is not counted."""
        ends = np.array([len(word)], np.int32)
        self._number(tokens_of(points_of(word), ends))
        self._book[ends[0], 1] -= 1
        return int(ends[0])

    def word(self, number: int) -> str:
        """A word by its number."""
        begin, end = self._book[number : number + 2, 0]
        return text_of(self._arena[begin:end])

    def spelt(self, numbers: NDArray[np.int64]) -> list[str]:
        """The words with these numbers, which must rise."""
        found: list[str] = []
        for at in range(0, len(numbers), _WORDS_AT_ONCE):
            some = numbers[at : at + _WORDS_AT_ONCE]
            begins, ends = self._book[some, 0], self._book[some + 1, 0]
            first = int(begins[0])
            text = text_of(self._arena[first : ends[-1]])
            bounds = zip((begins - first).tolist(), (ends - first).tolist(), strict=True)
            found += [text[begin:end] for begin, end in bounds]
        return found

    def holding(self, characters: str) -> list[int]:
        """The words that hold one of these characters."""
        points = self._arena[: self._book[self._words, 0]]
        places = np.flatnonzero(np.isin(points, points_of(characters)))
        begins = self._book[: self._words, 0]
        found: list[int] = np.unique(np.searchsorted(begins, places, "right") - 1).tolist()
        return found

    def _number(self, tokens: Tokens) -> None:
        at = begin = 0
        while at < len(tokens.ends):
            memory = self._slots, self._book, self._arena
            at, begin, self._words = kernel.number(*tokens, at, begin, self._words, *memory)
            if at < len(tokens.ends):
                self._grow()

    def _grow(self) -> None:
        if self._words + 2 > len(self._book):
            self._book = _doubled(self._book)
            self._slots = np.zeros(2 * len(self._book), np.int64)
            kernel.rehash(self._words, self._slots, self._book, self._arena)
        else:
            self._arena = _doubled(self._arena)


def _doubled(array: NDArray[Any]) -> NDArray[Any]:
    """The same content with as much room again."""
    grown = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown
