"""Vectors of words as means over the pieces of a WordPiece tokenizer, as model2vec encodes them."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lexiscope.data.vectors.subwords.ngrams import Parts, means

_TINY = np.float32(1e-32)
_LONGEST = 100  # characters of a word, as in the tokenizers library


@dataclass(frozen=True, eq=False)
class WordPieces:
    """The vectors of the pieces of words, with the tokenizer of BERT.

    Parameters
    ----------
    ids : mapping of str to int
        The pieces, and the row of each in `vectors`.
    vectors : array of shape (pieces, dimensions)
        The vectors of the pieces.
    lower, strip : bool
        Whether letters become lower case, and whether accents are removed.
    skip_unknown : bool
        Whether a part of a word that has no pieces is skipped (model2vec). If not, the word has no
        vector.
    normalised : bool
        Whether vectors of words are divided by their length.
    """

    ids: Mapping[str, int]
    vectors: NDArray[np.float32]
    lower: bool
    strip: bool
    skip_unknown: bool
    normalised: bool

    parts = "pieces of words (WordPiece)"

    def vectors_of(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the mean vector of the pieces of each word; zeros if there are none."""
        listed = [(row, number) for number, word in enumerate(words) for row in self.rows_of(word)]
        rows, owners = np.array(listed, np.int64).reshape(-1, 2).T
        found = means(self.vectors, Parts(rows, owners), len(words))
        if not self.normalised:
            return found
        return np.asarray(found / (np.linalg.norm(found, axis=1, keepdims=True) + _TINY))

    def rows_of(self, word: str) -> list[int]:
        """Return the rows of the pieces of a word."""
        found: list[int] = []
        for part in _parts(self._normal(word)):
            rows = self._pieces(part)
            if not rows and not self.skip_unknown:
                return []
            found += rows
        return found

    def _normal(self, word: str) -> str:
        if self.strip:
            letters = unicodedata.normalize("NFD", word)
            word = "".join(c for c in letters if unicodedata.category(c) != "Mn")
        # One by one: Python's lower() of a whole word writes a final sigma.
        return "".join(map(str.lower, word)) if self.lower else word

    def _pieces(self, part: str) -> list[int]:
        """The longest pieces from left to right; none if a character belongs to no piece."""
        if len(part) > _LONGEST:
            return []
        found, start = [], 0
        while start < len(part):
            prefix = "##" if start else ""
            ends = range(len(part), start, -1)
            end = next((end for end in ends if prefix + part[start:end] in self.ids), None)
            if end is None:
                return []
            found.append(self.ids[prefix + part[start:end]])
            start = end
        return found


def _parts(word: str) -> Iterator[str]:
    """The word without spaces, divided at punctuation and Chinese characters."""
    part = ""
    for character in word:
        alone = _is_punctuation(character) or _is_chinese(character)
        if (alone or character.isspace()) and part:
            yield part
            part = ""
        if alone:
            yield character
        elif not character.isspace():
            part += character
    if part:
        yield part


def _is_punctuation(character: str) -> bool:
    ascii_symbol = character.isascii() and character.isprintable() and not character.isalnum()
    return (ascii_symbol and character != " ") or unicodedata.category(character)[0] == "P"


def _is_chinese(character: str) -> bool:
    code = ord(character)
    return any(first <= code <= last for first, last in _CHINESE)


_CHINESE = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F), (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip
