"""Words as people may see them: nothing in a word can steer a terminal, a page or a table."""

import unicodedata

_LONGEST = 60
# C0 and C1 controls, bidi overrides and the like, halves of surrogates, line separators.
_STEERING = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINERS = frozenset("\u200c\u200d")  # part of Persian and Indic spelling; they steer nothing


def shown(word: str, longest: int = _LONGEST) -> str:
    """The word without control and direction characters, cut to a length that fits a table."""
    clean = "".join(c if _harmless(c) else "�" for c in word[: longest + 1])
    return clean if len(clean) <= longest else clean[: longest - 1] + "…"


def escaped(text: str) -> str:
    """JSON in which control and direction characters are written as escapes; line ends stay."""
    return "".join(c if c == "\n" or _harmless(c) else f"\\u{ord(c):04x}" for c in text)


def _harmless(character: str) -> bool:
    return character in _JOINERS or unicodedata.category(character) not in _STEERING
