"""What each character is to the reader of words and sentences, after Unicode and some lists.

Tables are filled a page of 256 characters at a time, when a text first holds one of them.
"""

import unicodedata

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.preparation import Preparation
from lexiscope.kernels import tokens as kernel

DOCUMENT_END = "\ud800"  # half of a pair: no decoded text can hold it
SIZE = 0x110000
_PAGE = 256

_ALWAYS: dict[str, int] = {
    DOCUMENT_END: kernel.DOCUMENT,
    **dict.fromkeys("\n\r\u2028\u2029", kernel.LINE),
    "\ufffd": kernel.LETTER,  # what could not be decoded, most often a letter
}
_IN_WORDS: dict[str, int] = {
    **dict.fromkeys("'’", kernel.JOINS_LETTERS),
    **dict.fromkeys("\u200c\u200d", kernel.JOINS_LETTERS),  # part of Persian and Indic spelling
    **dict.fromkeys(".,", kernel.JOINS_DIGITS),
    # Soft hyphens, marks of byte order, choices between forms of a character: not read.
    **dict.fromkeys("\u00ad\ufeff", kernel.IGNORED),
    **dict.fromkeys(map(chr, range(0xFE00, 0xFE10)), kernel.IGNORED),
}
_ENDS = frozenset(".!?…‼⁇⁈⁉‽\u037e؟۔।॥։።፧။។៕᠃．｡。！？")  # U+037E: the Greek question mark
_FULL = frozenset("｡。！？")  # no space needs to follow
_CLOSES = frozenset("\"'”’»›)]}」』）］｝】〉》〕〗")
_LOWERED_LATER = frozenset("İΣ")  # two characters, or as the letters around say


def page(number: int, steps: Preparation) -> NDArray[np.uint32]:
    """The entries of 256 characters."""
    first = number * _PAGE
    return np.array([_entry(chr(first + n), steps) for n in range(_PAGE)], np.uint32)


def fill(table: NDArray[np.uint32], point: int, steps: Preparation) -> None:
    """Fill the page that a character is on."""
    number = point // _PAGE
    table[number * _PAGE : (number + 1) * _PAGE] = page(number, steps)


def _entry(character: str, steps: Preparation) -> int:
    words = steps.tokens == "words"
    kind = _kind(character, words)
    flags = (
        character.islower() * kernel.LOWER
        | character.isupper() * kernel.UPPER
        | (character in _ENDS) * kernel.ENDS
        | (words and character in _FULL) * kernel.FULL
        | (character in _CLOSES) * kernel.CLOSES
        | (character < " " or character == "\x7f") * kernel.UNFIT
    )
    entry: int = ord(_written(character, steps)) | kind << kernel.KIND | flags
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


def _written(character: str, steps: Preparation) -> str:
    if steps.tokens == "words" and character == "’":
        return "'"
    if steps.digits == "zero" and character.isdecimal():
        return "0"
    if steps.lower and character not in _LOWERED_LATER:
        return character.lower()
    return character


# A full stop behind these ends no sentence.
_ABBREVIATIONS = (
    "adm brig capt cmdr col cpl cpt dr fr gen gov hon lt maj messrs mgr mlle mme mr mrs ms mt prof "
    "rep rev sen sgt st ste supt "
    "cf eg ie op viz vs"
)
# Nor behind these where a number follows: some of them are words too.
_BEFORE_NUMBERS = (
    "al app art bd ca ch chap cit eq fig figs fol lib no nos nr p par pp pt sec sect tab vol vols "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)


def abbreviations() -> NDArray[np.int64]:
    """Words before a full stop that ends no sentence, as keys of the kernel, sorted."""
    return _keys(_ABBREVIATIONS)


def before_numbers() -> NDArray[np.int64]:
    """Words before a full stop that ends no sentence where a number follows."""
    return _keys(_BEFORE_NUMBERS)


def _keys(words: str) -> NDArray[np.int64]:
    keys = (int.from_bytes(word.encode(), "big") for word in words.split())
    return np.array(sorted(keys), np.int64)
