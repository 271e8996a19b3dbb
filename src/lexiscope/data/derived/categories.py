"""Categories derived from WordNet: the best-known words of some classes of nouns.

The format is that of Almuhareb and Poesio (2005) and of Battig and Montague (1969); the words are
not theirs. docs/data.md explains the rules.
"""

from collections import Counter
from collections.abc import Mapping

from lexiscope.data.derived._glosses import gloss_uses
from lexiscope.data.derived._roots import Class, root_of
from lexiscope.data.derived._spelling import is_plain, singulars
from lexiscope.data.wordnet import Synset, WordNet

HEADER = ("category", "word")
_MOST = 20


CLASSES = (
    Class("beverage", "beverage", "noun.food"),
    Class("bird", "bird", "noun.animal"),
    Class("body part", "body_part", "noun.body"),
    Class("building", "building", "noun.artifact"),
    Class("chemical element", "chemical_element", "noun.substance"),
    Class("crime", "crime", "noun.act"),
    Class("feeling", "feeling", "noun.Tops"),
    Class("furniture", "furniture", "noun.artifact"),
    Class("game", "game", "noun.act"),
    Class("garment", "garment", "noun.artifact"),
    Class("illness", "illness", "noun.state"),
    Class("insect", "insect", "noun.animal"),
    Class("landform", "geological_formation", "noun.object"),
    Class("legal document", "legal_document", "noun.communication"),
    Class("mammal", "mammal", "noun.animal"),
    Class("musical instrument", "musical_instrument", "noun.artifact"),
    Class("professional", "professional", "noun.person"),
    Class("relative", "relative", "noun.person"),
    Class("science", "science", "noun.cognition"),
    Class("time period", "time_period", "noun.time"),
    Class("vehicle", "vehicle", "noun.artifact"),
    Class("weapon", "weapon", "noun.artifact"),
)


def derive(wordnet: WordNet) -> list[tuple[str, ...]]:
    """Return the words of each class, the best known first."""
    roots = {each.name: root_of(wordnet, each, "categories") for each in CLASSES}
    closures = {name: wordnet.closure(root, "~") for name, root in roots.items()}
    classes = Counter(found for closure in closures.values() for found in closure)
    shared = {found for found, number in classes.items() if number > 1}
    uses = gloss_uses(wordnet)
    return [
        (name, word)
        for name, closure in closures.items()
        for word in _best_known(wordnet, closure, shared, uses)
    ]


def _best_known(
    wordnet: WordNet, closure: Mapping[str, Synset], shared: set[str], uses: Mapping[str, int]
) -> list[str]:
    """The words of a class, one per synset, by tag count plus number of glosses with the word."""

    def fame(word: str) -> tuple[int, str]:
        return -wordnet.count(word, "n") - uses[word], word

    words = {
        min(clear, key=fame)
        for synset in closure.values()
        if (clear := [word for word in synset.lemmas if _is_clear(wordnet, word, closure, shared)])
    }
    return sorted(words, key=fame)[:_MOST]


def _is_clear(wordnet: WordNet, word: str, closure: Mapping[str, Synset], shared: set[str]) -> bool:
    """Whether the first sense and most occurrences of a word are in this class and in no other."""
    if not is_plain(word) or any((other, "n") in wordnet.senses for other in singulars(word)):
        return False
    senses = wordnet.of(word)
    total = sum(wordnet.tags(word, sense.id) for sense in senses)
    inside = sum(wordnet.tags(word, sense.id) for sense in senses if sense.id in closure)
    in_another = any(sense.id in shared for sense in senses)
    if total == 0:  # never tagged: accept it only if it has no other meaning
        return not in_another and all(sense.id in closure for sense in senses)
    return not in_another and senses[0].id in closure and inside >= total * 2 / 3
