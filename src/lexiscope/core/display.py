"""Safe display of words: no control characters reach a terminal, a page or a table."""

import unicodedata

_LONGEST = 60
# Categories: control, format (such as bidirectional overrides), surrogate, line separators.
_CONTROL = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINERS = frozenset("\u200c\u200d")  # part of Persian and Indic spelling
# Spreadsheets run text that begins with these as a formula; full-width forms too.
_FORMULA = tuple("=+-@\t\r\n＝＋－＠")


def shown(word: str, longest: int = _LONGEST) -> str:
    """Return the word without control characters, truncated to fit into a table."""
    clean = "".join(c if _harmless(c) else "�" for c in word[: longest + 1])
    return clean if len(clean) <= longest else clean[: longest - 1] + "…"


def readable(name: str) -> str:
    """Return a name that can be printed and stored; a file name may contain invalid text."""
    return name.encode("utf-8", "replace").decode()


def escaped(text: str) -> str:
    """Return JSON with control characters escaped, except line ends."""
    return "".join(c if c == "\n" or _harmless(c) else f"\\u{ord(c):04x}" for c in text)


def guarded(text: str) -> str:
    """Return text that no spreadsheet runs as a formula: it gets a leading apostrophe.

    >>> guarded("=1+1"), guarded("a=1")
    ("'=1+1", 'a=1')
    """
    return f"'{text}" if text.startswith(_FORMULA) else text


def _harmless(character: str) -> bool:
    return character in _JOINERS or unicodedata.category(character) not in _CONTROL
