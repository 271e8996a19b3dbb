"""Splits a text into tokens and sentences, part by part."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.preprocessing import Preprocessing
from lexiscope.data.corpora import _characters
from lexiscope.kernels.parsing import tokens as kernel

Points = NDArray[np.uint32]  # characters as their code points
_IN_USE = slice(kernel.FILLED, kernel.END_COUNT + 1)


class Tokens(NamedTuple):
    """Characters of tokens, the end of each (negative: a boundary), and their hashes."""

    letters: Points
    ends: NDArray[np.int32]
    keys: NDArray[np.int64]


class Dropped(NamedTuple):
    """The numbers of tokens that were dropped because no vocabulary can contain them."""

    too_long: int
    unfit: int


class Tokenizer:
    """Tokenizes a text in parts; an incomplete token at the end waits for the next part."""

    def __init__(self, steps: Preprocessing) -> None:
        self._state = np.zeros(kernel.STATE_SIZE, np.int64)
        self._steps = steps
        self._waiting = np.empty(0, np.uint32)
        self._table = np.zeros(_characters.SIZE, np.uint32)
        self._rules = (
            steps.tokens == "spaces",
            steps.sentences == "split",
            steps.sentences == "lines",
            _characters.abbreviations(),
            _characters.before_numbers(),
        )

    @property
    def seen(self) -> int:
        """The number of tokens so far."""
        return int(self._state[kernel.SEEN])

    @property
    def dropped(self) -> Dropped:
        """The numbers of dropped tokens so far."""
        return Dropped(int(self._state[kernel.TOO_LONG]), int(self._state[kernel.INVALID_TOKENS]))

    def split(self, points: Points) -> Tokens:
        """Return the tokens that end in this part."""
        letters = np.empty(len(points) + len(self._waiting) + 1, np.uint32)
        letters[: len(self._waiting)] = self._waiting
        ends, at = np.empty(len(points) + 4, np.int32), 0
        while at < len(points):
            if not self._table[points[at]]:
                _characters.fill(self._table, int(points[at]), self._steps)
            at = kernel.tokenize(points, at, self._table, *self._rules, self._state, letters, ends)
        filled, begin, run, written = self._state[_IN_USE].tolist()
        # The end of a token that is too long is enough: it is dropped anyway.
        start = max(begin, filled - kernel.MAX_LENGTH - 1)
        self._waiting = letters[start:filled].copy()
        self._state[_IN_USE] = filled - start, 0, max(0, run - start), 0
        return tokens_of(letters[:begin], ends[:written])


def tokens_of(letters: Points, ends: NDArray[np.int32]) -> Tokens:
    """Return tokens with their hashes."""
    keys = np.empty(len(ends), np.int64)
    kernel.hash_tokens(letters, ends, keys)
    return Tokens(letters, ends, keys)


def points_of(text: str) -> Points:
    """Return the code points of a text, which may contain end markers of documents."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    return points.astype(np.uint32, copy=False)


def text_of(points: Points) -> str:
    """Return the text of code points."""
    return points.astype("<u4", copy=False).tobytes().decode("utf-32-le")
