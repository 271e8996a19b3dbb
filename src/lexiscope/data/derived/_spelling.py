"""Similarity of spelling: variants of one word, and words derived from each other."""

from difflib import SequenceMatcher


def is_plain(word: str) -> bool:
    """Whether a word consists of three or more of the letters a to z."""
    return len(word) > 2 and word.isascii() and word.isalpha() and word.islower()


def look_alike(one: str, other: str) -> bool:
    """Whether the words share a prefix, one contains the other, or most letters agree."""
    if one in other or other in one or one[:4] == other[:4]:
        return True
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= 0.75


def singulars(word: str) -> list[str]:
    """Return the nouns of which this may be the regular plural."""
    found = [word[:-1]] if word.endswith("s") and not word.endswith("ss") else []
    if word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
        found.append(word[:-2])
    if word.endswith("ies"):
        found.append(word[:-3] + "y")
    return found
