"""Names and their types derived from WordNet: the classes of which each is an instance.

The format is that of entity typing with Freebase (Yaghoobzadeh and Schütze 2015); the data are
not. docs/data.md explains the rules.
"""

from collections.abc import Iterator

from lexiscope.core.datasets.entities import TYPE_SEPARATOR
from lexiscope.data.derived._roots import Class, root_of
from lexiscope.data.wordnet import Synset, WordNet

HEADER = ("word", "types")


def _types(file: str, lemmas: str) -> tuple[Class, ...]:
    return tuple(Class(lemma.replace("_", " "), lemma, file) for lemma in lemmas.split())


# Each type has at least 25 names. Subtypes are listed too, as in datasets with two levels of types.
TYPES = (
    *_types("noun.Tops", "person location"),
    *_types(
        "noun.person",
        "writer poet dramatist scientist physicist chemist biologist mathematician astronomer "
        "artist painter sculptor composer performer actor singer film_maker leader statesman "
        "head_of_state military_officer scholar philosopher theologian historian "
        "social_scientist explorer architect doctor athlete businessperson religious_person "
        "deity mythical_being",
    ),
    *_types("noun.location", "city national_capital state_capital town port country state"),
    *_types(
        "noun.object",
        "island body_of_water river mountain_peak geological_formation celestial_body "
        "constellation",
    ),
    *_types("noun.act", "battle"),
)


def derive(wordnet: WordNet) -> list[tuple[str, ...]]:
    """Return each name with its types, in alphabetical order."""
    roots = {root_of(wordnet, each, "types").id: each.name for each in TYPES}
    names = {name.lower(): name for name in sorted(_names(wordnet))}  # Soho and SoHo are the same
    rows = ((name, _types_of(wordnet, name, roots)) for name in sorted(names.values()))
    return [(name, TYPE_SEPARATOR.join(types)) for name, types in rows if types]


def _names(wordnet: WordNet) -> Iterator[str]:
    """One name per instance, so that no instance is in the training and the test set."""
    for synset in wordnet.synsets.values():
        if _is_instance(synset):
            single = [lemma for lemma in synset.lemmas if _is_name(lemma)]
            if single and _is_clear(wordnet, single[0].lower()):
                yield single[0]


def _is_instance(synset: Synset) -> bool:
    return any(relation.symbol == "@i" for relation in synset.relations)


def _is_name(lemma: str) -> bool:
    return len(lemma) > 2 and lemma.isascii() and lemma.isalpha() and lemma[0].isupper()


def _is_clear(wordnet: WordNet, word: str) -> bool:
    """Whether a word is mainly a name, unlike bath and china."""
    nouns = wordnet.of(word, "n")
    if not _is_instance(nouns[0]):
        return False
    senses = wordnet.of(word)
    total = sum(wordnet.tags(word, sense.id) for sense in senses)
    common = [sense for sense in senses if word in sense.lemmas]
    if total == 0:
        return not common
    return sum(wordnet.tags(word, sense.id) for sense in common) <= total / 3


def _types_of(wordnet: WordNet, name: str, roots: dict[str, str]) -> list[str]:
    """The types of all instances with this name, in alphabetical order."""
    instances = [sense for sense in wordnet.of(name.lower(), "n") if _is_instance(sense)]
    above = {found for sense in instances for found in wordnet.hypernyms(sense)}
    return sorted(roots[found] for found in above & roots.keys())
