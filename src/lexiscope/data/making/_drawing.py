"""Chance that never changes: an order drawn from the words themselves.

A made file must be the same bytes with every version of NumPy and Python, so nothing here comes
from a generator, whose streams may change.
"""

import hashlib
from collections.abc import Iterable

_SEED = "lexiscope 1"


def drawn(words: Iterable[str], purpose: str) -> list[str]:
    """The words in an order that looks like chance and depends on them and the purpose only."""
    return sorted(words, key=lambda word: (_ticket(word, purpose), word))


def _ticket(word: str, purpose: str) -> bytes:
    return hashlib.sha256(f"{_SEED}\0{purpose}\0{word}".encode()).digest()
