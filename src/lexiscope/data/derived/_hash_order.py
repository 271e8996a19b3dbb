"""A pseudo-random order computed from hashes.

Derived files must have the same bytes with every version of NumPy and Python, so no random
generator is used: its stream may change.
"""

import hashlib
from collections.abc import Iterable

_SEED = "lexiscope 1"


def hash_order(words: Iterable[str], purpose: str) -> list[str]:
    """Return the words in a pseudo-random order that depends on them and the purpose only."""
    return sorted(words, key=lambda word: (_hash(word, purpose), word))


def _hash(word: str, purpose: str) -> bytes:
    return hashlib.sha256(f"{_SEED}\0{purpose}\0{word}".encode()).digest()
