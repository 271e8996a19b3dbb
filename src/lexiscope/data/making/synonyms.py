"""Synonym questions made from WordNet: a word, a synset mate, and three words unrelated to both.

The form is that of the TOEFL questions (Landauer and Dumais 1997); the questions are not. The
rules stand in docs/data.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from lexiscope.data.making._drawing import drawn
from lexiscope.data.making._spelling import is_plain, look_alike
from lexiscope.data.wordnet import Synset, WordNet

HEADER = ("query", "option1", "option2", "option3", "option4", "answer", "pos")
_MOST = 200  # questions for each part of speech
_LEAST = 2  # times a word was tagged
_PARTS = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}


def make(wordnet: WordNet) -> list[tuple[str, ...]]:
    """The questions, in the order of their part of speech and query."""
    pools = (_Pool(wordnet, pos) for pos in _PARTS)
    return [row for pool in pools for row in sorted(islice(_questions(pool), _MOST))]


@dataclass(frozen=True, eq=False)
class _Pool:
    """The words of a part of speech that are known well enough to ask about."""

    wordnet: WordNet
    pos: str

    @cached_property
    def words(self) -> list[str]:
        """Plain words tagged often enough, and mostly in their first sense."""
        lemmas = {lemma for lemma, pos in self.wordnet.senses if pos == self.pos}
        return sorted(word for word in lemmas if is_plain(word) and self._is_clear(word))

    def _is_clear(self, word: str) -> bool:
        first, total = self.first(word), sum(self.wordnet.count(word, pos) for pos in _PARTS)
        tags = self.wordnet.tags(word, first.id)
        # A proper name stands in its synset with a capital.
        return total >= _LEAST and tags > total / 2 and word in first.lemmas

    @cached_property
    def known(self) -> frozenset[str]:
        """The same words, to look one up."""
        return frozenset(self.words)

    @cached_property
    def bands(self) -> dict[int, list[str]]:
        """The words by frequency band."""
        bands: dict[int, list[str]] = {}
        for word in self.words:
            bands.setdefault(self.band(word), []).append(word)
        return bands

    def band(self, word: str) -> int:
        """A word's frequency: the power of two that its tag count reaches."""
        return self.wordnet.count(word, self.pos).bit_length()

    def first(self, word: str) -> Synset:
        """A word's most frequent sense."""
        return self.wordnet.of(word, self.pos)[0]


def _questions(pool: _Pool) -> Iterator[tuple[str, ...]]:
    """Every question there is; no word is asked about or is an answer twice."""
    used: set[str] = set()
    for query in drawn(pool.words, f"{pool.pos} queries"):
        answer = None if query in used else _answer(pool, query, used)
        others = _distractors(pool, query, answer) if answer else []
        if answer and len(others) == 3:
            used.update((query, answer))
            options = drawn((answer, *others), f"options of {query}")
            yield query, *options, answer, _PARTS[pool.pos]


def _answer(pool: _Pool, query: str, used: set[str]) -> str | None:
    """The most frequent mate in the query's first sense for which that is the first sense too."""
    sense = pool.first(query)
    mates = [
        mate
        for mate in sense.lemmas
        if mate in pool.known
        and mate not in used
        and pool.first(mate) is sense
        and not look_alike(query, mate)
    ]
    return min(mates, key=lambda mate: (-pool.band(mate), mate), default=None)


def _distractors(pool: _Pool, query: str, answer: str) -> list[str]:
    """Three words about as frequent as the answer, related to neither it nor the query."""
    near = _neighbourhood(pool.wordnet, query) | _neighbourhood(pool.wordnet, answer)
    chosen: list[str] = []
    for word in drawn(pool.bands[pool.band(answer)], f"distractors of {query}"):
        if len(chosen) == 3:
            break
        related = any(synset.id in near for synset in pool.wordnet.of(word))
        alike = any(look_alike(word, other) for other in (query, answer, *chosen))
        told = word in pool.first(query).gloss.split()
        if not (related or alike or told):
            chosen.append(word)
    return chosen


def _neighbourhood(wordnet: WordNet, word: str) -> set[str]:
    """Synsets one or two pointers away from any sense of a word, those of opposites too."""
    senses = wordnet.of(word)
    near = {one.id: one for sense in senses for one in wordnet.related(sense)}
    far = {other.id for one in near.values() for other in wordnet.related(one)}
    return {sense.id for sense in senses} | near.keys() | far
