"""Where in WordNet a class of nouns begins."""

from typing import NamedTuple

from lexiscope.core.errors import BadData
from lexiscope.data.wordnet import Synset, WordNet


class Class(NamedTuple):
    """A word's first sense in a lexicographer file, and all that lies below it."""

    name: str
    lemma: str
    file: str


def root_of(wordnet: WordNet, each: Class, made: str) -> Synset:
    """The sense that a class begins with; `made` says what is made, for the error."""
    try:
        return wordnet.named(each.lemma, each.file)
    except KeyError:
        raise BadData(
            f"{wordnet.origin}: has no {each.lemma} in {each.file}, so this is not the WordNet "
            f"that {made} are made from. Get it with: lexiscope data get wordnet-3.1"
        ) from None
