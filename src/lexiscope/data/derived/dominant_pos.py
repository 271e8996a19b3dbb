"""Words with a dominant part of speech in WordNet: those of one part of speech and others.

Each set has as many nouns (verbs, adjectives) as other words. docs/data.md explains the rules.
"""

from lexiscope.data.derived._spelling import is_plain
from lexiscope.data.derived._two_classes import matched
from lexiscope.data.wordnet import WordNet

HEADER = ("word", "label")
PARTS = {"noun": "n", "verb": "v", "adjective": "a", "adverb": "r"}
_MOST = 1500  # words of each class
_LEAST = 2  # minimum tag count of a word
_DOMINANT = 0.9  # minimum proportion of the tags


def derive(wordnet: WordNet, variant: str) -> list[tuple[str, ...]]:
    """Return words with their labels; `variant` is a key of PARTS."""
    words = {
        word: part
        for word in sorted(wordnet.lemmas)
        if is_plain(word) and (part := dominant(wordnet, word, _LEAST))
    }
    members = [word for word, part in words.items() if part == PARTS[variant]]
    others = [word for word, part in words.items() if part != PARTS[variant]]
    return matched(members, others, lambda word: band(wordnet, word), variant, _MOST)


def dominant(wordnet: WordNet, word: str, least: int) -> str | None:
    """Return the part of speech of nearly all tags of a word; None if there is none."""
    counts = {part: wordnet.count(word, part) for part in PARTS.values()}
    part = max(counts, key=lambda each: counts[each])
    total = sum(counts.values())
    if total < least or counts[part] < total * _DOMINANT:
        return None
    # Proper names are capitalised in their synsets.
    return part if word in wordnet.of(word, part)[0].lemmas else None


def band(wordnet: WordNet, word: str) -> int:
    """Return the frequency band of a word: tag counts between the same powers of two."""
    return sum(wordnet.count(word, part) for part in PARTS.values()).bit_length()
