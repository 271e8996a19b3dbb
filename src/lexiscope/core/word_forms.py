"""Normal forms of words: Unicode normalisation, variants of letters, and letter case by language.

Every word is put into Normalization Form C (Unicode Standard Annex 15), so that a letter with
combining marks equals the precomposed letter. Case folding is the full folding of the Unicode
Standard (section 3.13), changed where a language needs it.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

Table = Mapping[int, str | int | None]

_DOT = "\u0307"
# The capital dotted I folds to i and a combining dot, which every i has anyway.
_DOTTED = re.compile(f"i{_DOT}+")
_LITHUANIAN_DOTTED = re.compile(f"([ij\u012f]){_DOT}+")


def _between(*ranges: tuple[int, int]) -> dict[int, None]:
    return {code: None for first, last in ranges for code in range(first, last + 1)}


# Full-width letters and digits become ordinary ones, half-width katakana and jamo full-width ones.
_WIDTH = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFF01, 0xFFEF)}
_ARABIC_VOWELS = _between((0x0640, 0x0640), (0x064B, 0x0652), (0x0670, 0x0670))
_HEBREW_POINTS = _between((0x0591, 0x05BD), (0x05BF, 0x05BF), (0x05C1, 0x05C2), (0x05C4, 0x05C5),
                          (0x05C7, 0x05C7))  # fmt: skip
# Letters with several encodings or optional marks: what they become, by language.
_VARIANTS: Mapping[str, Table] = MappingProxyType(
    {
        "ar": _ARABIC_VOWELS,
        "ca": {ord("ŀ"): "l·", ord("Ŀ"): "L·"},
        "fa": {**_ARABIC_VOWELS, **str.maketrans("يىك", "ییک")},
        "he": _HEBREW_POINTS,
        "ja": _WIDTH,
        "ko": _WIDTH,
        "nl": {ord("ĳ"): "ij", ord("Ĳ"): "IJ"},
        "ro": str.maketrans("şţŞŢ", "șțȘȚ"),
        "zh": _WIDTH,
    }
)
_DOTLESS = str.maketrans("Iİ", "ıi")
_DOTLESS_LANGUAGES = ("tr", "az", "crh", "gag")
_WITHOUT_SHARP_S = ("de-CH", "de-LI")


class _Rules(NamedTuple):
    """What a language does to letters before case folding, and in it."""

    variants: Table
    capitals: Table
    keeps_sharp_s: bool
    dotted: re.Pattern[str]


@cache
def _rules(language: str) -> _Rules:
    base = language.partition("-")[0]
    return _Rules(
        _VARIANTS.get(base, {}),
        _DOTLESS if base in _DOTLESS_LANGUAGES else {},
        base == "de" and language not in _WITHOUT_SHARP_S,
        _LITHUANIAN_DOTTED if base == "lt" else _DOTTED,
    )


def normal_form(text: str, language: str = "", fold: bool = True) -> str:
    """Return the form of a word, or of a text of words, in which words are compared.

    Parameters
    ----------
    text : str
        A word. The form of a text is that of its words if a starter such as NUL separates them.
    language : str, default ""
        Language tag; "" for an unknown language.
    fold : bool, default True
        Whether letter case is folded.

    Examples
    --------
    >>> normal_form("Straße"), normal_form("Straße", "de"), normal_form("Straße", "de-CH")
    ('strasse', 'straße', 'strasse')
    >>> normal_form("ISPARTA", "tr"), normal_form("İzmir", "tr"), normal_form("İzmir")
    ('ısparta', 'izmir', 'izmir')
    """
    rules = _rules(language)
    text = unicodedata.normalize("NFC", text)
    if rules.variants:
        text = text.translate(rules.variants)
    if fold:
        text = _folded(text, rules)
    return unicodedata.normalize("NFC", text)


def _folded(text: str, rules: _Rules) -> str:
    if rules.capitals:
        text = text.translate(rules.capitals)
    text = unicodedata.normalize("NFD", text)  # as in canonical caseless matching, D145
    if rules.keeps_sharp_s and ("ß" in text or "ẞ" in text):
        text = "ß".join(part.casefold() for part in re.split("[ßẞ]", text))
    else:
        text = text.casefold()
    if _DOT not in text:
        return text
    return rules.dotted.sub(lambda found: found[0][0], unicodedata.normalize("NFC", text))
