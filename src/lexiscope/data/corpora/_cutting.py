"""A text into tokens and sentences, part by part."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.preparation import Preparation
from lexiscope.data.corpora import _characters
from lexiscope.kernels import tokens as kernel

Points = NDArray[np.uint32]  # characters as their code points
_IN_USE = slice(kernel.FILLED, kernel.WRITTEN_ENDS + 1)


class Tokens(NamedTuple):
    """Characters of tokens, where each ends in them (or what ends if negative), their hashes."""

    letters: Points
    ends: NDArray[np.int32]
    keys: NDArray[np.int64]


class Dropped(NamedTuple):
    """How many tokens no vocabulary can hold."""

    too_long: int
    unfit: int


class Cutter:
    """Cuts a text that comes in parts; the token that a part ends in waits for the next."""

    def __init__(self, steps: Preparation) -> None:
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
        """How many tokens there were."""
        return int(self._state[kernel.SEEN])

    @property
    def dropped(self) -> Dropped:
        """Tokens that were left out at once."""
        return Dropped(int(self._state[kernel.TOO_LONG]), int(self._state[kernel.SPOILT]))

    def cut(self, points: Points) -> Tokens:
        """The tokens that end in this part."""
        letters = np.empty(len(points) + len(self._waiting) + 1, np.uint32)
        letters[: len(self._waiting)] = self._waiting
        ends, at = np.empty(len(points) + 4, np.int32), 0
        while at < len(points):
            if not self._table[points[at]]:
                _characters.fill(self._table, int(points[at]), self._steps)
            at = kernel.cut(points, at, self._table, *self._rules, self._state, letters, ends)
        filled, begin, run, written = self._state[_IN_USE].tolist()
        # Of a token that is too long the end will do: it is dropped in any case.
        start = max(begin, filled - kernel.LONGEST - 1)
        self._waiting = letters[start:filled].copy()
        self._state[_IN_USE] = filled - start, 0, max(0, run - start), 0
        return tokens_of(letters[:begin], ends[:written])


def tokens_of(letters: Points, ends: NDArray[np.int32]) -> Tokens:
    """Tokens with their hashes."""
    keys = np.empty(len(ends), np.int64)
    kernel.keys_of(letters, ends, keys)
    return Tokens(letters, ends, keys)


def points_of(text: str) -> Points:
    """The code points of a text; the mark of a document's end is one of them."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    return points.astype(np.uint32, copy=False)


def text_of(points: Points) -> str:
    """The text with these code points."""
    return points.astype("<u4", copy=False).tobytes().decode("utf-32-le")
