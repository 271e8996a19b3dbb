"""Character classes for tokens and sentences, from Unicode and some lists.

Tables are filled in pages of 256 characters, when a text first contains one of them.
"""

import unicodedata

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.preprocessing import Preprocessing
from lexiscope.kernels.parsing import tokens as kernel

DOCUMENT_END = "\ud800"  # a surrogate: no decoded text can contain it
SIZE = 0x110000
_PAGE = 256

_ALWAYS: dict[str, int] = {
    DOCUMENT_END: kernel.DOCUMENT,
    **dict.fromkeys("\n\r\u2028\u2029", kernel.LINE),
    "\ufffd": kernel.LETTER,  # an undecodable character, most often a letter
}
_IN_WORDS: dict[str, int] = {
    **dict.fromkeys("'’", kernel.JOINS_LETTERS),
    **dict.fromkeys("\u200c\u200d", kernel.JOINS_LETTERS),  # part of Persian and Indic spelling
    **dict.fromkeys(".,", kernel.JOINS_DIGITS),
    # Soft hyphens, byte order marks and variation selectors are ignored.
    **dict.fromkeys("\u00ad\ufeff", kernel.IGNORED),
    **dict.fromkeys(map(chr, range(0xFE00, 0xFE10)), kernel.IGNORED),
}
_ENDS = frozenset(".!?…‼⁇⁈⁉‽\u037e؟۔।॥։።፧။។៕᠃．｡。！？")  # U+037E: the Greek question mark
_FULL = frozenset("｡。！？")  # no space has to follow
_CLOSES = frozenset("\"'”’»›)]}」』）］｝】〉》〕〗")
_LOWERED_LATER = frozenset("İΣ")  # lower case has two characters, or depends on the context


def page(number: int, steps: Preprocessing) -> NDArray[np.uint32]:
    """Return the entries of 256 characters."""
    first = number * _PAGE
    return np.array([_entry(chr(first + n), steps) for n in range(_PAGE)], np.uint32)


def fill(table: NDArray[np.uint32], point: int, steps: Preprocessing) -> None:
    """Fill the page of a character."""
    number = point // _PAGE
    table[number * _PAGE : (number + 1) * _PAGE] = page(number, steps)


def _entry(character: str, steps: Preprocessing) -> int:
    words = steps.tokens == "words"
    kind = _kind(character, words)
    flags = (
        character.islower() * kernel.LOWER
        | character.isupper() * kernel.UPPER
        | (character in _ENDS) * kernel.ENDS_SENTENCE
        | (words and character in _FULL) * kernel.ENDS_WITHOUT_SPACE
        | (character in _CLOSES) * kernel.CLOSING
        | (character < " " or character == "\x7f") * kernel.INVALID
    )
    entry: int = ord(_written(character, steps)) | kind << kernel.KIND_SHIFT | flags
    return entry


def _kind(character: str, words: bool) -> int:
    kind: int = kernel.OTHER
    if character in _ALWAYS:
        kind = _ALWAYS[character]
    elif character.isspace():
        kind = kernel.SPACE
    elif character.isdecimal():
        kind = kernel.DIGIT
    elif character.isalnum():
        kind = kernel.LETTER
    elif words and character in _IN_WORDS:
        kind = _IN_WORDS[character]
    elif unicodedata.category(character).startswith("M"):
        kind = kernel.MARK
    return kind


def _written(character: str, steps: Preprocessing) -> str:
    if steps.tokens == "words" and character == "’":
        return "'"
    if steps.digits == "zero" and character.isdecimal():
        return "0"
    if steps.lower and character not in _LOWERED_LATER:
        return character.lower()
    return character


# A full stop after these does not end a sentence.
_ABBREVIATIONS = (
    "adm brig capt cmdr col cpl cpt dr fr gen gov hon lt maj messrs mgr mlle mme mr mrs ms mt prof "
    "rep rev sen sgt st ste supt "
    "cf eg ie op viz vs"
)
# Nor after these if a number follows: some of them are words too.
_BEFORE_NUMBERS = (
    "al app art bd ca ch chap cit eq fig figs fol lib no nos nr p par pp pt sec sect tab vol vols "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)


def abbreviations() -> NDArray[np.int64]:
    """Return abbreviations, whose full stop does not end a sentence, as sorted kernel keys."""
    return _keys(_ABBREVIATIONS)


def before_numbers() -> NDArray[np.int64]:
    """Return words whose full stop does not end a sentence if a number follows."""
    return _keys(_BEFORE_NUMBERS)


def _keys(words: str) -> NDArray[np.int64]:
    keys = (int.from_bytes(word.encode(), "big") for word in words.split())
    return np.array(sorted(keys), np.int64)
