"""Ids of stored results: a hash of everything that they depend on."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

ID_LENGTH = 32  # characters of a SHA-256


def hashed(parts: Sequence[Any]) -> str:
    """Return a hash of plain values."""
    text = json.dumps(parts, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:ID_LENGTH]
