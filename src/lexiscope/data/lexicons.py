"""Lexicons: words and the words they belong with, from WordNet or from a file.

Ties hold both ways and words are in lower case, as in the graphs of Faruqui et al. 2015, section 2.
A word without ties is left out, and no word is tied to itself.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from pathlib import Path
from types import MappingProxyType

from lexiscope.core.errors import BadData, TooLarge, UnknownName
from lexiscope.core.lexicon import Lexicon
from lexiscope.data.catalogue import catalogue
from lexiscope.data.library import Library
from lexiscope.data.packed import opened
from lexiscope.data.wordnet import Synset, WordNet, catalogued, find

_LARGEST = 1 << 28
_LANGUAGE = re.compile(r"[a-z]{2}_")  # en_word, where a file ties words of several languages
_FIELD = re.compile(r"[^ \t\r]+")  # words may hold other kinds of space

Pair = tuple[str, str]


def read(source: str | Path, library: Library) -> Lexicon:
    """The lexicon of a file, of the catalogue or, by `wordnet`, `wordnet-3.0` or 3.1, of WordNet.

    A plus behind a WordNet adds the words one step above and below to the synonyms.
    """
    name = str(source)
    if Path(name).is_file():
        return Lexicon(Path(name).name.partition(".")[0], _ties(_listed(Path(name))))
    if name.removesuffix("+") in _of_kind("wordnet", "wordnet"):
        return _of_wordnet(name, library)
    if name not in _of_kind("lexicon"):
        known = _of_kind("wordnet", "wordnet")
        raise UnknownName(
            "lexicon or file", name, [*known, *(f"{n}+" for n in known), *_of_kind("lexicon")]
        )
    return Lexicon(name, _ties(_listed(library.files(name)[0])))


def _of_kind(kind: str, *more: str) -> list[str]:
    return [*more, *(entry.name for entry in catalogue().values() if entry.kind == kind)]


def _of_wordnet(name: str, library: Library) -> Lexicon:
    plain = name.removesuffix("+")
    wordnet = find(library) if plain == "wordnet" else catalogued(plain, library.files(plain))
    pairs = [*_synonyms(wordnet), *(_kin(wordnet) if name.endswith("+") else ())]
    found = wordnet.origin if wordnet.origin in catalogue() else plain
    return Lexicon(name.replace(plain, found), _ties(pairs))


def _synonyms(wordnet: WordNet) -> Iterator[Pair]:
    """Words that share a synset."""
    for synset in wordnet.synsets.values():
        yield from combinations(_words(synset), 2)


def _kin(wordnet: WordNet) -> Iterator[Pair]:
    """Words of a synset with those of its hypernyms; ties hold both ways, so with hyponyms too."""
    for synset in wordnet.synsets.values():
        for above in wordnet.related(synset, "@"):
            yield from product(_words(synset), _words(above))


def _words(synset: Synset) -> list[str]:
    """The lemmas that are single words."""
    return [lemma.lower() for lemma in synset.lemmas if "_" not in lemma]


def _ties(pairs: Iterable[Pair]) -> MappingProxyType[str, tuple[str, ...]]:
    """Words and ties in the order of their letters, so that a lexicon is always the same."""
    ties: dict[str, set[str]] = {}
    for one, other in pairs:
        if one != other:
            ties.setdefault(one, set()).add(other)
            ties.setdefault(other, set()).add(one)
    return MappingProxyType({word: tuple(sorted(ties[word])) for word in sorted(ties)})


def _listed(path: Path) -> list[Pair]:
    """A word and what it is tied to on each line; lines of two words make a list of pairs."""
    rows = [_FIELD.findall(line.lower()) for line in _lines(path)]
    pairs = [(word, tied) for word, *others in filter(None, rows) for tied in others]
    if not pairs:
        raise BadData(
            f"{path}: ties no words. A lexicon has a word and the words it is tied to on each "
            "line, with spaces between."
        )
    starts = {word[:3] for pair in pairs for word in pair}
    if len(starts) == 1 and _LANGUAGE.match(*starts):
        return [(one[3:], other[3:]) for one, other in pairs]
    return pairs


def _lines(path: Path) -> Iterator[str]:
    with opened(path) as stream:
        raw = stream.read(_LARGEST + 1)
    if len(raw) > _LARGEST:
        raise TooLarge(f"{path}: more than {_LARGEST:,} bytes for a lexicon.")
    for number, line in enumerate(raw.split(b"\n"), 1):
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError:
            raise BadData(
                f"{path}:{number}: is not UTF-8 text. Save the lexicon as UTF-8, a word and the "
                "words it is tied to on each line."
            ) from None
