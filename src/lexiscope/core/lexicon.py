"""A lexicon: which words belong to which, for vectors to be pulled together by."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Words and, for each, the words that it is tied to."""

    name: str
    ties: Mapping[str, tuple[str, ...]]

    def __len__(self) -> int:
        return len(self.ties)

    def __repr__(self) -> str:
        return f"Lexicon({self.name!r}, {len(self):,} words)"

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of all ties, in the order of the words."""
        rows = json.dumps(sorted((word, *tied) for word, tied in self.ties.items()))
        return hashlib.sha256(rows.encode("utf-8", "surrogatepass")).hexdigest()
