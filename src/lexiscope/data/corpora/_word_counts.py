"""Word counts: distinct words, numbered in order of occurrence; memory grows as needed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.data.corpora._spool import Spool
from lexiscope.data.corpora._tokenizer import Tokens, points_of, text_of, tokens_of
from lexiscope.kernels.parsing import tokens as kernel

_FIRST_WORDS = 1 << 15
_FIRST_POINTS = 1 << 19
_WORDS_AT_ONCE = 1 << 16


class Words:
    """The distinct words so far with their counts, and the text as word numbers."""

    def __init__(self) -> None:
        self.numbers = Spool(np.int32)
        self._words = 0
        self._index = np.zeros((_FIRST_WORDS, 2), np.int64)
        self._slots = np.zeros(2 * _FIRST_WORDS, np.int64)
        self._arena = np.zeros(_FIRST_POINTS, np.uint32)

    def __len__(self) -> int:
        return self._words

    @property
    def counts(self) -> NDArray[np.int64]:
        """The count of each word."""
        return self._index[: self._words, 1]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of characters of each word."""
        return np.diff(self._index[: self._words + 1, 0])

    def read(self, tokens: Tokens) -> None:
        """Count tokens; their `ends` are overwritten."""
        self._number(tokens)
        self.numbers.append(tokens.ends)

    def number(self, word: str) -> int:
        """Return the number of a word, adding it if needed; its count does not change."""
        ends = np.array([len(word)], np.int32)
        self._number(tokens_of(points_of(word), ends))
        self._index[ends[0], 1] -= 1
        return int(ends[0])

    def word(self, number: int) -> str:
        """Return the word with this number."""
        begin, end = self._index[number : number + 2, 0]
        return text_of(self._arena[begin:end])

    def words(self, numbers: NDArray[np.int64]) -> list[str]:
        """Return the words with these numbers, which must be increasing."""
        found: list[str] = []
        for at in range(0, len(numbers), _WORDS_AT_ONCE):
            some = numbers[at : at + _WORDS_AT_ONCE]
            begins, ends = self._index[some, 0], self._index[some + 1, 0]
            first = int(begins[0])
            text = text_of(self._arena[first : ends[-1]])
            bounds = zip((begins - first).tolist(), (ends - first).tolist(), strict=True)
            found += [text[begin:end] for begin, end in bounds]
        return found

    def containing(self, characters: str) -> list[int]:
        """Return the numbers of the words that contain one of these characters."""
        points = self._arena[: self._index[self._words, 0]]
        positions = np.flatnonzero(np.isin(points, points_of(characters)))
        begins = self._index[: self._words, 0]
        found: list[int] = np.unique(np.searchsorted(begins, positions, "right") - 1).tolist()
        return found

    def _number(self, tokens: Tokens) -> None:
        at = begin = 0
        while at < len(tokens.ends):
            memory = self._slots, self._index, self._arena
            at, begin, self._words = kernel.number_tokens(*tokens, at, begin, self._words, *memory)
            if at < len(tokens.ends):
                self._grow()

    def _grow(self) -> None:
        if self._words + 2 > len(self._index):
            self._index = _doubled(self._index)
            self._slots = np.zeros(2 * len(self._index), np.int64)
            kernel.rehash(self._words, self._slots, self._index, self._arena)
        else:
            self._arena = _doubled(self._arena)


def _doubled(array: NDArray[Any]) -> NDArray[Any]:
    """A copy of twice the length, with the same content."""
    grown = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown
