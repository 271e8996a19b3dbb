"""Nouns below a synset of WordNet, and as many other nouns.

docs/data.md explains the rules.
"""

from lexiscope.data.derived._roots import Class, root_of
from lexiscope.data.derived._spelling import is_plain
from lexiscope.data.derived._two_classes import matched
from lexiscope.data.derived.dominant_pos import band, dominant
from lexiscope.data.wordnet import WordNet

HEADER = ("word", "label")
CLASSES = {
    "person": Class("person", "person", "noun.Tops"),
    "artifact": Class("artifact", "artifact", "noun.Tops"),
}
_MOST = 1500  # words of each class
_LEAST = 1  # minimum tag count of a word
_MEMBER = 0.9  # minimum proportion of the tags in the class


def derive(wordnet: WordNet, variant: str) -> list[tuple[str, ...]]:
    """Return nouns with their labels; `variant` is a key of CLASSES."""
    root = root_of(wordnet, CLASSES[variant], f"members of {variant}")
    inside = {root.id, *wordnet.closure(root, "~", "~i")}
    members: list[str] = []
    others: list[str] = []
    for word in sorted(lemma for lemma, part in wordnet.senses if part == "n" and is_plain(lemma)):
        if dominant(wordnet, word, _LEAST) == "n":
            senses = wordnet.senses[word, "n"]
            tags = sum(wordnet.tags(word, sense) for sense in senses if sense in inside)
            if tags >= _MEMBER * wordnet.count(word, "n"):
                members.append(word)
            elif inside.isdisjoint(senses):
                others.append(word)
    return matched(members, others, lambda word: band(wordnet, word), variant, _MOST)
