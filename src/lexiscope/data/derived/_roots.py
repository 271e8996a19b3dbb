"""Classes of nouns, each defined by a root synset of WordNet."""

from typing import NamedTuple

from lexiscope.core.errors import BadData
from lexiscope.data.wordnet import Synset, WordNet


class Class(NamedTuple):
    """A class: the first sense of a lemma in a lexicographer file, and all its hyponyms."""

    name: str
    lemma: str
    file: str


def root_of(wordnet: WordNet, each: Class, what: str) -> Synset:
    """Return the root synset of a class; `what` names the derived file in the error."""
    try:
        return wordnet.named(each.lemma, each.file)
    except KeyError:
        raise BadData(
            f"{wordnet.origin}: has no {each.lemma} in {each.file}, so this is not the WordNet "
            f"that {what} are derived from. Get it with: lexiscope data get wordnet-3.1"
        ) from None
