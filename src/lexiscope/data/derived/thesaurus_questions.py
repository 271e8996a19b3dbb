"""Synonym questions derived from a thesaurus: a word, a synonym, and three unrelated words.

A thesaurus has no frequencies of words or senses. So query and answer have one sense each and name
each other, and distractors are named by about as many entries as the answer. docs/languages.md
explains the rules.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from lexiscope.core.word_forms import normal_form
from lexiscope.data.derived._hash_order import hash_order
from lexiscope.data.derived._spelling import look_alike
from lexiscope.data.thesaurus import Sense, Thesaurus

HEADER = ("query", "option1", "option2", "option3", "option4", "answer")
_MOST = 400  # questions
_SHORTEST = 3  # characters
_CAPITALISED = ("de",)  # languages that capitalise nouns
_REMARK = re.compile(r"[(\[{<:]")  # what begins a remark, such as (generic term)
_OPPOSITE = "≠"
_BRACKETED = re.compile(r"[(\[][^)\]]*[)\]]")  # a part of speech, before other text


def derive(thesaurus: Thesaurus, language: str) -> list[tuple[str, ...]]:
    """Return the questions, sorted by query."""
    pool = _Pool(_normalised(thesaurus, language), language)
    return sorted(islice(_questions(pool), _MOST))


def _normalised(thesaurus: Thesaurus, language: str) -> Thesaurus:
    """The thesaurus with the letters of the language in their usual encoding, case kept."""
    found: dict[str, tuple[Sense, ...]] = {}
    for word, senses in thesaurus.items():
        form = normal_form(word, language, fold=False)
        own = (
            Sense(
                label[0] if (label := _BRACKETED.match(sense.label)) else sense.label,
                tuple(normal_form(each, language, fold=False) for each in sense.synonyms),
            )
            for sense in senses
        )
        found[form] = (*found.get(form, ()), *own)
    return found


@dataclass(frozen=True, eq=False)
class _Pool:
    """The words of a thesaurus that are plain words of the language."""

    thesaurus: Thesaurus
    language: str

    @cached_property
    def synonyms(self) -> dict[str, frozenset[str]]:
        """The plain synonyms of each plain word with one sense; other words have none."""
        return {
            word: frozenset(filter(self._is_plain, senses[0].synonyms)) - {word}
            for word, senses in self.thesaurus.items()
            if len(senses) == 1 and self._is_plain(word) and _OPPOSITE not in senses[0].label
        }

    @cached_property
    def neighbours(self) -> dict[str, set[str]]:
        """All words that an entry of a word names in any sense, or that name it."""
        found: dict[str, set[str]] = {}
        for word, senses in self.thesaurus.items():
            for sense in senses:
                for other in map(_without_remark, sense.synonyms):
                    found.setdefault(word, set()).add(other)
                    found.setdefault(other, set()).add(word)
        return found

    @cached_property
    def bands(self) -> dict[tuple[str, int], list[str]]:
        """The words by label and by how many entries name them, in a pseudo-random order."""
        bands: dict[tuple[str, int], list[str]] = {}
        for word in hash_order(self.synonyms, "distractors"):
            bands.setdefault(self.band(word), []).append(word)
        return bands

    @cached_property
    def _named(self) -> Counter[str]:
        return Counter(word for named in self.synonyms.values() for word in named)

    def band(self, word: str) -> tuple[str, int]:
        """The label of a word, and the bit length of the number of entries that name it."""
        return self.thesaurus[word][0].label, self._named[word].bit_length()

    def near(self, word: str) -> set[str]:
        """The words at most two steps away."""
        first = self.neighbours.get(word, set())
        return {word, *first}.union(*(self.neighbours[other] for other in first))

    def _is_plain(self, word: str) -> bool:
        """Whether a word has letters only, enough of them, and no capital of a proper name."""
        if not word.isalpha():  # combining marks are part of some letters
            kinds = {unicodedata.category(character)[0] for character in word}
            if not kinds <= {"L", "M"}:
                return False
        if len(word) < _SHORTEST:
            return False
        rest = word[1:] if self.language in _CAPITALISED else word
        return rest == rest.lower()


def _questions(pool: _Pool) -> Iterator[tuple[str, ...]]:
    """All possible questions; no word is query or answer twice."""
    used: set[str] = set()
    for query in hash_order(pool.synonyms, "queries"):
        answer = None if query in used else _answer(pool, query, used)
        others = _distractors(pool, query, answer) if answer else []
        if answer and len(others) == 3:
            used.update((query, answer))
            yield query, *hash_order((answer, *others), f"options of {query}"), answer


def _answer(pool: _Pool, query: str, used: set[str]) -> str | None:
    """The synonym that most entries name, of those that name the query too."""
    fitting = [
        word
        for word in pool.synonyms[query] - used
        if query in pool.synonyms.get(word, ()) and not _alike(pool, query, word)
    ]
    return min(fitting, key=lambda word: (-pool.band(word)[1], word), default=None)


def _distractors(pool: _Pool, query: str, answer: str) -> list[str]:
    """Three words with the label of the query, unrelated to it and to the answer."""
    near = pool.near(query) | pool.near(answer)
    words = pool.bands.get((pool.band(query)[0], pool.band(answer)[1]), [])
    start = int.from_bytes(query.encode()) % max(len(words), 1)
    chosen: list[str] = []
    for word in words[start:] + words[:start]:
        if len(chosen) == 3:
            break
        if word not in near and not any(_alike(pool, word, o) for o in (query, answer, *chosen)):
            chosen.append(word)
    return chosen


def _alike(pool: _Pool, one: str, other: str) -> bool:
    return look_alike(normal_form(one, pool.language), normal_form(other, pool.language))


def _without_remark(synonym: str) -> str:
    return _REMARK.split(synonym, maxsplit=1)[0].rstrip()
