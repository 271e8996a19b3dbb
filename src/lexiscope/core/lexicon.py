"""A lexicon: a graph of related words, such as synonyms."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, eq=False)
class Lexicon:
    """A directed graph of related words: for each word, its neighbours."""

    name: str
    edges: Mapping[str, tuple[str, ...]]

    def __len__(self) -> int:
        return len(self.edges)

    def __repr__(self) -> str:
        return f"Lexicon({self.name!r}, {len(self):,} words)"

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of all edges, sorted by word."""
        rows = json.dumps(sorted((word, *related) for word, related in self.edges.items()))
        return hashlib.sha256(rows.encode("utf-8", "surrogatepass")).hexdigest()
