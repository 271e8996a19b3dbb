"""What items can be told apart by: how frequent, what part of speech, how concrete their words are.

Schnabel et al. 2015, section 3.2, ask that an inventory covers all three.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.core.policy import Policy
from lexiscope.data.library import Library

_RANKS = (1_000, 10_000, 100_000)
_BANDS = ("first 1,000 words", "to 10,000", "to 100,000", "rarer")
_HEAD, _TAIL = "head (more than 100)", "tail (fewer than 5)"
_PARTS = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}
_ABSTRACT, _CONCRETE = 2.5, 4.0  # of 1 to 5


@dataclass(frozen=True)
class Attribute:
    """A name, where it is known from, its bands in order, and the band of an item's words."""

    name: str
    source: str
    bands: tuple[str, ...]
    band: Callable[[Sequence[str]], str]

    @property
    def title(self) -> str:
        """The attribute with its source."""
        return f"{self.name} ({self.source})"


def attributes_from(
    names: Sequence[str],
    first: Embedding,
    policy: Policy,
    library: Library,
    frequencies: str | Path | None = None,
) -> tuple[Attribute, ...]:
    """Attributes by name."""
    makers: dict[str, Callable[[], Attribute]] = {
        "frequency": lambda: _frequency(first, policy, frequencies),
        "occurrences": lambda: _occurrences(first, policy, frequencies),
        "pos": lambda: _part_of_speech(library),
        "concreteness": lambda: _concreteness(library),
    }
    for name in names:
        if name not in makers:
            raise UnknownName("attribute to break scores down by", name, makers)
    return tuple(makers[name]() for name in dict.fromkeys(names))


def _frequency(first: Embedding, policy: Policy, table: str | Path | None) -> Attribute:
    """The rarest word of an item decides; ranks from a table, else from the first embedding."""
    if table is not None:
        from lexiscope.data.norms import read

        counts = read(Path(table))
        words, source = sorted(counts, key=lambda w: -counts[w]), Path(table).name
    else:
        words, source = list(first.words), f"rank in {first.name}"
    ranks: dict[str, int] = {}
    for rank, word in enumerate(words):
        ranks.setdefault(policy.spelling(word), rank)

    def band(item: Sequence[str]) -> str:
        rarest = max(ranks.get(policy.spelling(word), len(ranks) + _RANKS[-1]) for word in item)
        return _BANDS[sum(rarest >= limit for limit in _RANKS)]

    return Attribute("frequency", source, _BANDS, band)


def _occurrences(first: Embedding, policy: Policy, table: str | Path | None) -> Attribute:
    """The rarest word of an item decides; the same counts for all embeddings.

    Head and tail as in Yaghoobzadeh and Schütze 2016: items between them are in neither, and a
    word that nobody counted is not known to be rare.
    """
    found, source = _counts(first, table)
    counts: dict[str, float] = {}
    for word, number in found:
        spelt = policy.spelling(word)
        counts[spelt] = counts.get(spelt, 0) + number

    def band(item: Sequence[str]) -> str:
        rarest = np.min([counts.get(policy.spelling(word), np.nan) for word in item])
        return _HEAD if rarest > 100 else _TAIL if rarest < 5 else ""

    return Attribute("occurrences", source, (_HEAD, _TAIL), band)


def _counts(first: Embedding, table: str | Path | None) -> tuple[Iterable[tuple[str, float]], str]:
    """Words and how often they occur, from a table, else from the first embedding's own text."""
    if table is not None:
        from lexiscope.data.norms import read

        return read(Path(table)).items(), Path(table).name
    if first.counts is None:
        raise BadUsage(
            f"{first.name} does not say how often its words occur. Name a table of words and "
            "counts with --frequencies."
        )
    return zip(first.words, first.counts.tolist(), strict=True), f"text of {first.name}"


def _part_of_speech(library: Library) -> Attribute:
    from lexiscope.data import wordnet

    network = wordnet.find(library)

    def band(item: Sequence[str]) -> str:
        found = {network.part_of_speech(word.casefold()) for word in item}
        if None in found:
            return ""
        return _PARTS[found.pop() or ""] if len(found) == 1 else "mixed"

    return Attribute("pos", network.origin, (*_PARTS.values(), "mixed"), band)


def _concreteness(library: Library) -> Attribute:
    from lexiscope.data.norms import read

    norms = read(library.files("brysbaert2014")[0])

    def band(item: Sequence[str]) -> str:
        known = [norms[word.casefold()] for word in item if word.casefold() in norms]
        if len(known) < len(item):
            return ""
        mean = sum(known) / len(known)
        return "abstract" if mean < _ABSTRACT else "between" if mean < _CONCRETE else "concrete"

    return Attribute("concreteness", "brysbaert2014", ("abstract", "between", "concrete"), band)
