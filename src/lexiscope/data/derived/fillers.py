"""Typical fillers of slots, extracted from plain text by a fixed rule, without a parser.

The rule finds words in the position of an object, a subject or an adjective, and weights them by
local mutual information (Evert 2005). docs/data.md explains it.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from lexiscope.data.derived._lemmas import Lemmas
from lexiscope.data.derived._spelling import singulars
from lexiscope.data.wordnet import WordNet

HEADER = ("head", "slot", "filler", "weight")
_WINDOW = 5
_LEAST = 2
_MOST = 50


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BEFORE_NOUNS = _words(
    "the a an his her its their my our your this these those some any no every each of"
)
# Nouns or adjectives in WordNet that are neither in most texts.
_NEVER = _words(
    "will may might can must going all some any no every each another other same such few many "
    "more most much several own first second third last next one two three four five six seven "
    "eight nine ten hundred thousand million"
)
_BE = _words("be is are was were been being am 's")
# These end a search: the words beyond belong to another clause or phrase.
_BORDERS = _words(
    "of in on at by for with from to into onto over under about after before between through "
    "during against among as than like since until and or but that which who whom whose when where "
    "while because if though although whether i he she it we they you him them us me there"
)

Slot = tuple[str, str]  # head and relation


class Filler(NamedTuple):
    """A word in a slot and its association with the slot."""

    word: str
    weight: float


class _Event(NamedTuple):
    slot: Slot
    filler: str


def fillers(
    slots: Iterable[Slot], lines: Iterable[str], wordnet: WordNet
) -> dict[Slot, tuple[Filler, ...]]:
    """Return the best fillers of each slot, the most associated first; a slot may have none."""
    wanted = frozenset(slots)
    lemmas = Lemmas(wordnet)
    events: Counter[_Event] = Counter()
    words: Counter[tuple[str, str]] = Counter()  # (part of speech, word)
    for line in lines:
        tokens = line.lower().split()
        events.update(_events(tokens, wanted, lemmas))
        words.update((pos, w) for t in tokens for pos in "na" if (w := lemmas.mostly(t, pos)))
    return _weighted(wanted, events, words)


def rows(table: Mapping[Slot, Iterable[Filler]]) -> list[tuple[str, ...]]:
    """Return the table as rows of text, sorted by head and slot."""
    return [
        (head, slot, filler.word, f"{filler.weight:.3f}")
        for (head, slot), found in sorted(table.items())
        for filler in found
    ]


def _weighted(
    slots: Iterable[Slot], events: Counter[_Event], words: Counter[tuple[str, str]]
) -> dict[Slot, tuple[Filler, ...]]:
    totals: Counter[str] = Counter()
    for (pos, _), number in words.items():
        totals[pos] += number
    inside: dict[Slot, Counter[str]] = {slot: Counter() for slot in slots}
    for event, number in events.items():
        inside[event.slot][event.filler] += number
    weighted: dict[Slot, tuple[Filler, ...]] = {}
    for slot, found in inside.items():
        pos = "a" if slot[1] == "amod" else "n"
        expected = found.total() / max(totals[pos], 1)
        weights = [
            Filler(word, _information(number, expected * words[pos, word]))
            for word, number in found.items()
            if number >= _LEAST
        ]
        best = sorted(weights, key=lambda filler: (-round(filler.weight, 3), filler.word))
        weighted[slot] = tuple(filler for filler in best[:_MOST] if filler.weight > 0)
    return weighted


def _information(observed: int, expected: float) -> float:
    """Local mutual information: the observed count times its pointwise mutual information."""
    return observed * math.log(observed / expected)


def _events(tokens: list[str], wanted: frozenset[Slot], lemmas: Lemmas) -> Iterator[_Event]:
    for position, token in enumerate(tokens):
        for noun in (token, *singulars(token)):
            if (noun, "amod") in wanted:
                for filler in _modifiers(tokens, position, lemmas):
                    yield _Event((noun, "amod"), filler)
        verb = lemmas.verb(token)
        if verb is None or _is_no_verb(tokens, position):
            continue
        for relation, search in (("dobj", _object), ("nsubj", _subject)):
            found = search(tokens, position, lemmas) if (verb, relation) in wanted else None
            if found:
                yield _Event((verb, relation), found)


def _is_no_verb(tokens: list[str], position: int) -> bool:
    """Whether a form is in the position of a noun, or passive, which swaps the slots."""
    before = tokens[position - 1] if position else ""
    return before in _BEFORE_NOUNS or (before in _BE and not tokens[position].endswith("ing"))


def _modifiers(tokens: list[str], position: int, lemmas: Lemmas) -> Iterator[str]:
    """The adjectives directly before a noun."""
    for token in reversed(tokens[max(position - _WINDOW, 0) : position]):
        adjective = lemmas.mostly(token, "a")
        if adjective is None:
            return
        if adjective not in _NEVER:
            yield adjective


def _object(tokens: list[str], position: int, lemmas: Lemmas) -> str | None:
    """The last noun of the first sequence of nouns after a verb: the head of the noun phrase."""
    found = None
    for token in tokens[position + 1 : position + 1 + _WINDOW]:
        noun = _noun(token, lemmas)
        if _is_border(token) or (found and not noun):
            break
        found = noun or found
    return found


def _subject(tokens: list[str], position: int, lemmas: Lemmas) -> str | None:
    """The nearest noun before a verb."""
    for token in reversed(tokens[max(position - _WINDOW, 0) : position]):
        if _is_border(token):
            return None
        noun = _noun(token, lemmas)
        if noun:
            return noun
    return None


def _noun(token: str, lemmas: Lemmas) -> str | None:
    return None if token in _NEVER else lemmas.mostly(token, "n")


def _is_border(token: str) -> bool:
    return token in _BORDERS or not token.isalpha()
