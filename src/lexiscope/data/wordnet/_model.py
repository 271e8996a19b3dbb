"""WordNet as a value: synsets, senses of words, and tag counts of senses."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from lexiscope.data.wordnet._names import PARTS


class Relation(NamedTuple):
    """A pointer of a synset.

    It relates the lemmas with these numbers, counted from 1, or the whole synsets if both
    numbers are 0.
    """

    symbol: str
    target: str
    source_word: int
    target_word: int


class Synset(NamedTuple):
    """A set of synonymous lemmas. `pos` is n, v, a or r; satellite adjectives have `a`."""

    id: str  # offset and part of speech, 00001740-n
    pos: str
    satellite: bool
    file: str
    lemmas: tuple[str, ...]
    numbers: tuple[str, ...]  # lexicographer ids of the lemmas, part of sense keys
    relations: tuple[Relation, ...]
    gloss: str


@dataclass(frozen=True, eq=False)
class WordNet:
    """A whole WordNet. Lemmas in `senses` and `counts` are lower case, with _ for spaces."""

    origin: str
    synsets: Mapping[str, Synset]
    senses: Mapping[tuple[str, str], tuple[str, ...]]  # (lemma, pos): ids, most frequent first
    counts: Mapping[tuple[str, str], int]  # (lemma, id): tag count, if more than 0
    forms: Mapping[tuple[str, str], tuple[str, ...]]  # (irregular form, pos): its lemmas

    def of(self, lemma: str, pos: str | None = None) -> tuple[Synset, ...]:
        """Return the synsets of a word, the most frequent first within each part of speech."""
        parts = (pos,) if pos else tuple(PARTS)
        return tuple(
            self.synsets[found] for part in parts for found in self.senses.get((lemma, part), ())
        )

    def named(self, lemma: str, file: str) -> Synset:
        """Return a word's first sense in a lexicographer file; KeyError if it has none."""
        found = next((synset for synset in self.of(lemma) if synset.file == file), None)
        if found is None:
            raise KeyError(f"{lemma} in {file}")
        return found

    def count(self, lemma: str, pos: str) -> int:
        """Return how often a word was tagged with this part of speech."""
        return sum(self.tags(lemma, found) for found in self.senses.get((lemma, pos), ()))

    def tags(self, lemma: str, synset: str) -> int:
        """Return how often a word was tagged with one of its synsets."""
        return self.counts.get((lemma, synset), 0)

    def part_of_speech(self, lemma: str) -> str | None:
        """Return the main part of speech: by tag count, number of senses, then n, v, a, r."""
        parts = [part for part in PARTS if (lemma, part) in self.senses]
        weights = [(self.count(lemma, part), len(self.senses[lemma, part])) for part in parts]
        return parts[weights.index(max(weights))] if parts else None

    def related(self, synset: Synset, *symbols: str) -> Iterator[Synset]:
        """Yield the targets of pointers with these symbols; of all pointers by default."""
        for relation in synset.relations:
            if not symbols or relation.symbol in symbols:
                yield self.synsets[relation.target]

    def closure(self, synset: Synset, *symbols: str) -> dict[str, Synset]:
        """Return the transitive closure over pointers with these symbols, nearest first."""
        found: dict[str, Synset] = {}
        layer = [synset]
        while layer:
            targets = {near.id: near for here in layer for near in self.related(here, *symbols)}
            layer = [near for near in targets.values() if near.id not in found]
            found.update({near.id: near for near in layer})
        return found

    def hypernyms(self, synset: Synset) -> dict[str, Synset]:
        """Return all direct and indirect hypernyms, nearest first."""
        return self.closure(synset, "@", "@i")

    def pairs(self, symbol: str) -> Iterator[tuple[str, str]]:
        """Yield the pairs of lemmas in a relation; for a relation of synsets, all their lemmas."""
        for synset in self.synsets.values():
            for relation in synset.relations:
                if relation.symbol == symbol:
                    others = self.synsets[relation.target].lemmas
                    for one in _chosen(synset.lemmas, relation.source_word):
                        for other in _chosen(others, relation.target_word):
                            yield one, other

    @cached_property
    def lemmas(self) -> frozenset[str]:
        """The distinct lemmas of all parts of speech."""
        return frozenset(lemma for lemma, _ in self.senses)


def _chosen(lemmas: tuple[str, ...], number: int) -> tuple[str, ...]:
    return lemmas[number - 1 : number] if number else lemmas
