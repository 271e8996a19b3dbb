"""Words as people may see them: nothing in a word can steer a terminal, a page or a table."""

import unicodedata

_LONGEST = 60


def shown(word: str, longest: int = _LONGEST) -> str:
    """The word without control and direction characters, cut to a length that fits a table."""
    clean = "".join(c if _harmless(c) else "�" for c in word[: longest + 1])
    return clean if len(clean) <= longest else clean[: longest - 1] + "…"


def _harmless(character: str) -> bool:
    # Cc: C0 and C1 controls; Cf: bidi overrides and invisible joiners; Cs: halves of surrogates.
    return unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Zl", "Zp"}
