"""Synonym questions derived from WordNet: a word, a synonym, and three unrelated words.

The format is that of the TOEFL questions (Landauer and Dumais 1997); the questions are not.
docs/data.md explains the rules.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from lexiscope.data.derived._hash_order import hash_order
from lexiscope.data.derived._spelling import is_plain, look_alike
from lexiscope.data.wordnet import Synset, WordNet

HEADER = ("query", "option1", "option2", "option3", "option4", "answer", "pos")
_MOST = 200  # questions for each part of speech
_LEAST = 2  # minimum tag count of a word
_PARTS = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}


def derive(wordnet: WordNet) -> list[tuple[str, ...]]:
    """Return the questions, sorted by part of speech and query."""
    pools = (_Pool(wordnet, pos) for pos in _PARTS)
    return [row for pool in pools for row in sorted(islice(_questions(pool), _MOST))]


@dataclass(frozen=True, eq=False)
class _Pool:
    """The words of a part of speech that are frequent enough for a question."""

    wordnet: WordNet
    pos: str

    @cached_property
    def words(self) -> list[str]:
        """Plain words with enough tags, most of them of the first sense."""
        lemmas = {lemma for lemma, pos in self.wordnet.senses if pos == self.pos}
        return sorted(word for word in lemmas if is_plain(word) and self._is_clear(word))

    def _is_clear(self, word: str) -> bool:
        first, total = self.first(word), sum(self.wordnet.count(word, pos) for pos in _PARTS)
        tags = self.wordnet.tags(word, first.id)
        # Proper names are capitalised in their synsets.
        return total >= _LEAST and tags > total / 2 and word in first.lemmas

    @cached_property
    def known(self) -> frozenset[str]:
        """The same words, for membership tests."""
        return frozenset(self.words)

    @cached_property
    def bands(self) -> dict[int, list[str]]:
        """The words by frequency band."""
        bands: dict[int, list[str]] = {}
        for word in self.words:
            bands.setdefault(self.band(word), []).append(word)
        return bands

    def band(self, word: str) -> int:
        """Return the frequency band of a word: the bit length of its tag count."""
        return self.wordnet.count(word, self.pos).bit_length()

    def first(self, word: str) -> Synset:
        """Return the most frequent sense of a word."""
        return self.wordnet.of(word, self.pos)[0]


def _questions(pool: _Pool) -> Iterator[tuple[str, ...]]:
    """All possible questions; no word is query or answer twice."""
    used: set[str] = set()
    for query in hash_order(pool.words, f"{pool.pos} queries"):
        answer = None if query in used else _answer(pool, query, used)
        others = _distractors(pool, query, answer) if answer else []
        if answer and len(others) == 3:
            used.update((query, answer))
            options = hash_order((answer, *others), f"options of {query}")
            yield query, *options, answer, _PARTS[pool.pos]


def _answer(pool: _Pool, query: str, used: set[str]) -> str | None:
    """The most frequent synonym in the query's first sense that has the same first sense."""
    sense = pool.first(query)
    synonyms = [
        word
        for word in sense.lemmas
        if word in pool.known
        and word not in used
        and pool.first(word) is sense
        and not look_alike(query, word)
    ]
    return min(synonyms, key=lambda word: (-pool.band(word), word), default=None)


def _distractors(pool: _Pool, query: str, answer: str) -> list[str]:
    """Three words as frequent as the answer, unrelated to the answer and the query."""
    near = _neighbourhood(pool.wordnet, query) | _neighbourhood(pool.wordnet, answer)
    chosen: list[str] = []
    for word in hash_order(pool.bands[pool.band(answer)], f"distractors of {query}"):
        if len(chosen) == 3:
            break
        related = any(synset.id in near for synset in pool.wordnet.of(word))
        alike = any(look_alike(word, other) for other in (query, answer, *chosen))
        in_gloss = word in pool.first(query).gloss.split()
        if not (related or alike or in_gloss):
            chosen.append(word)
    return chosen


def _neighbourhood(wordnet: WordNet, word: str) -> set[str]:
    """Synsets at most two pointers away from any sense of a word, antonyms included."""
    senses = wordnet.of(word)
    near = {one.id: one for sense in senses for one in wordnet.related(sense)}
    far = {other.id for one in near.values() for other in wordnet.related(one)}
    return {sense.id for sense in senses} | near.keys() | far
