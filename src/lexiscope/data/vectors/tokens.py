"""Vocabularies of tokenizers: tokens with ids, and the marks of word beginnings and word pieces.

A tokenizer's vocabulary holds words and pieces of words. A piece is not a word: the vector of
WordPiece's "##ing" is not that of "ing". Pieces are left out, and marks are removed from words.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData

_EXAMINED = 50_000  # words of a file
_FEW = 10  # words with marks that a file can have by chance


class Numbered(NamedTuple):
    """Words in the order of their ids, and the id of each: a row of the matrix."""

    words: list[Any]
    rows: NDArray[np.int64]


def numbered(ids: Mapping[Any, Any], rows: int, where: str) -> Numbered:
    """Return the words of a mapping from words to ids, sorted by id; every id must be a row."""
    for word, number in ids.items():
        if isinstance(number, bool) or not isinstance(number, int | np.integer):
            raise BadData(
                f"{where}: the id of '{shown(str(word))}' must be a row number, found "
                f"{type(number).__name__}. Give a dict from words to rows, or a list of words."
            )
        if not 0 <= number < rows:
            raise BadData(
                f"{where}: the id of '{shown(str(word))}' is {int(number):,}, but the matrix has "
                f"{rows:,} rows. Give the matrix of the same tokenizer."
            )
    words = sorted(ids, key=ids.__getitem__)
    return Numbered(words, np.array([ids[word] for word in words], np.int64))


class Marks(NamedTuple):
    """How a tokenizer marks words: its name, and the word of a token, or None for a piece."""

    kind: str
    example: str
    word: Callable[[str], str | None]


class Unmarked(NamedTuple):
    """Words without marks, the positions of their tokens, and what was left out."""

    words: list[str]
    positions: NDArray[np.int64]
    notes: tuple[str, ...]


def unmarked(tokens: Sequence[str], where: str, has_pieces: bool = False) -> Unmarked:
    """Return the words among tokens; ordinary words are returned unchanged.

    Of two tokens of the same word, the first is kept. `has_pieces` says that the vectors of other
    words can be computed from pieces.
    """
    marks = marks_of(tokens)
    if marks is None:
        return Unmarked(list(tokens), np.arange(len(tokens)), ())
    kept: dict[str, int] = {}
    for position, token in enumerate(tokens):
        word = marks.word(token)
        if word:
            kept.setdefault(word, position)
    left_out = len(tokens) - len(kept)
    note = (
        f"{where}: the words are tokens of a {marks.kind} tokenizer ({marks.example}). "
        f"{len(kept):,} whole words are kept without marks; {left_out:,} pieces of words are left "
        f"out.{'' if has_pieces else ' Words that consist of several pieces have no vector.'}"
    )
    return Unmarked(list(kept), np.fromiter(kept.values(), np.int64, len(kept)), (note,))


def note_on_marks(words: Sequence[str], where: str) -> tuple[str, ...]:
    """Return a note if the words of a file are tokens with marks; the file is used as it is.

    The first words are enough: marked tokens are among the frequent ones.
    """
    marks = marks_of(words[:_EXAMINED], _FEW)
    if marks is None:
        return ()
    return (
        f"{where}: the words look like tokens of a {marks.kind} tokenizer ({marks.example}), and "
        "are used as they are; pieces of words match no word of a dataset. To leave them out: "
        "load((list of tokens, matrix)).",
    )


def marks_of(tokens: Sequence[Any], few: int = 1) -> Marks | None:
    """Return how the tokens are marked; None for ordinary words, or if `few` are not reached."""
    texts = [token for token in tokens if isinstance(token, str)]
    if len(texts) < len(tokens) or not texts:
        return None
    for marks, least, is_marked in _KINDS:
        if sum(map(is_marked, texts)) >= max(few, least * len(texts)):
            return marks
    return None


def _wordpiece(token: str) -> str | None:
    return None if token.startswith("##") and len(token) > 2 else token


def _sentencepiece(token: str) -> str | None:
    return token[1:] if token.startswith("▁") else None


def _word_end(token: str) -> str | None:
    return token.removesuffix("</w>") if token.endswith("</w>") else None


def _byte_level(token: str) -> str | None:
    """The word of a token of GPT-2, whose characters stand for bytes."""
    if not token.startswith("Ġ"):
        return None
    try:
        return bytes(_BYTES[character] for character in token[1:]).decode("utf-8")
    except (KeyError, UnicodeDecodeError):  # part of a character
        return None


def _bytes_of_characters() -> dict[str, int]:
    """Characters that GPT-2 writes for bytes: printable ones for themselves, others from U+0100."""
    printable = {*range(33, 127), *range(161, 173), *range(174, 256)}
    others = (byte for byte in range(256) if byte not in printable)
    shifted = {chr(256 + number): byte for number, byte in enumerate(others)}
    return {chr(byte): byte for byte in printable} | shifted


_BYTES = _bytes_of_characters()
# In natural text "##" begins no word, while Ġ is a letter of Maltese: hence the least shares.
_KINDS: tuple[tuple[Marks, float, Callable[[str], bool]], ...] = (
    (Marks("SentencePiece", "▁word", _sentencepiece), 0.2, lambda token: token[:1] == "▁"),
    (Marks("byte-level BPE", "Ġword", _byte_level), 0.2, lambda token: token[:1] == "Ġ"),
    (Marks("BPE", "word</w>", _word_end), 0.2, lambda token: token.endswith("</w>")),
    (
        Marks("WordPiece", "##piece", _wordpiece),
        0.02,
        lambda token: token.startswith("##") and len(token) > 2,
    ),
)
