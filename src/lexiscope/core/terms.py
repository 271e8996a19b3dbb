"""A list of terms, of one or several words each."""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, eq=False)
class Terms:
    """Distinct terms; the words of a term are separated by spaces."""

    name: str
    terms: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.terms)

    def __repr__(self) -> str:
        return f"Terms({self.name!r}, {len(self):,} terms)"

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the terms, in their order."""
        return hashlib.sha256(json.dumps(self.terms).encode("utf-8", "surrogatepass")).hexdigest()
