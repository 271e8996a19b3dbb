"""Attributes of items that scores are broken down by: frequency, part of speech, concreteness.

Schnabel et al. 2015, section 3.1: an inventory of words should cover all three.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.core.policy import Policy
from lexiscope.data.inputs import Inputs
from lexiscope.data.local_data import LocalData

_RANKS = (1_000, 10_000, 100_000)
_BANDS = ("first 1,000 words", "to 10,000", "to 100,000", "rarer")
_HEAD, _TAIL = "head (more than 100)", "tail (fewer than 5)"
_PARTS = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}
_ABSTRACT, _CONCRETE = 2.5, 4.0  # of 1 to 5


@dataclass(frozen=True)
class Attribute:
    """A name, the source of its values, its bands in order, and the band of an item's words."""

    name: str
    source: str
    bands: tuple[str, ...]
    band: Callable[[Sequence[str]], str]


def attributes_from(
    by: Iterable[str] | str, first: Embedding, policy: Policy, inputs: Inputs
) -> tuple[Attribute, ...]:
    """Attributes by name; frequencies come from a table, else from the first embedding."""
    names, frequencies = [by] if isinstance(by, str) else list(by), inputs.frequencies
    makers: dict[str, Callable[[], Attribute]] = {
        "frequency": lambda: _frequency(first, policy, frequencies),
        "occurrences": lambda: _occurrences(first, policy, frequencies),
        "pos": lambda: _part_of_speech(inputs.local_data),
        "concreteness": lambda: concreteness(inputs.local_data),
    }
    for name in names:
        if name not in makers:
            raise UnknownName("attribute to break scores down by", name, makers)
    return tuple(makers[name]() for name in dict.fromkeys(names))


def _frequency(first: Embedding, policy: Policy, table: str | Path | None) -> Attribute:
    """The band of the rarest word; ranks from a table, else from the first embedding."""
    if table is not None:
        from lexiscope.data.norms import read

        counts = read(Path(table))
        words, source = sorted(counts, key=lambda w: -counts[w]), Path(table).name
    else:
        words, source = list(first.words), f"rank in {first.name}"
    ranks: dict[str, int] = {}
    for rank, word in enumerate(words):
        ranks.setdefault(policy.normalise(word), rank)

    def band(item: Sequence[str]) -> str:
        rarest = max(ranks.get(policy.normalise(word), len(ranks) + _RANKS[-1]) for word in item)
        return _BANDS[sum(rarest >= limit for limit in _RANKS)]

    return Attribute("frequency", source, _BANDS, band)


def _occurrences(first: Embedding, policy: Policy, table: str | Path | None) -> Attribute:
    """The band of the rarest word; the same counts for all embeddings.

    Head and tail as in Yaghoobzadeh and Schütze 2016: items between them are in neither, and a
    word without a count is not assumed to be rare.
    """
    found, source = _counts(first, table)
    counts: dict[str, float] = {}
    for word, number in found:
        normalised = policy.normalise(word)
        counts[normalised] = counts.get(normalised, 0) + number

    def band(item: Sequence[str]) -> str:
        rarest = np.min([counts.get(policy.normalise(word), np.nan) for word in item])
        return _HEAD if rarest > 100 else _TAIL if rarest < 5 else ""

    return Attribute("occurrences", source, (_HEAD, _TAIL), band)


def _counts(first: Embedding, table: str | Path | None) -> tuple[Iterable[tuple[str, float]], str]:
    """Words and their counts, from a table, else from the training text of the first embedding."""
    if table is not None:
        from lexiscope.data.norms import read

        return read(Path(table)).items(), Path(table).name
    if first.counts is None:
        raise BadUsage(
            f"{first.name} has no word counts. Give a table of words and counts with --frequencies "
            "(Inputs(frequencies=...) in Python)."
        )
    return zip(first.words, first.counts.tolist(), strict=True), f"text of {first.name}"


def _part_of_speech(local_data: LocalData) -> Attribute:
    from lexiscope.data import wordnet

    network = wordnet.find(local_data)

    def band(item: Sequence[str]) -> str:
        found = {network.part_of_speech(word.casefold()) for word in item}
        if None in found:
            return ""
        return _PARTS[found.pop() or ""] if len(found) == 1 else "mixed"

    return Attribute("pos", network.origin, (*_PARTS.values(), "mixed"), band)


def concreteness(local_data: LocalData) -> Attribute:
    """The band of the mean rating of the words, of Brysbaert et al. 2014."""
    from lexiscope.data.norms import read

    norms = read(local_data.paths("brysbaert2014")[0])

    def band(item: Sequence[str]) -> str:
        known = [norms[word.casefold()] for word in item if word.casefold() in norms]
        if len(known) < len(item):
            return ""
        mean = sum(known) / len(known)
        return "abstract" if mean < _ABSTRACT else "between" if mean < _CONCRETE else "concrete"

    return Attribute("concreteness", "brysbaert2014", ("abstract", "between", "concrete"), band)
