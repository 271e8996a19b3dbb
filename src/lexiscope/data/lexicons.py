"""Lexicons: words and the words they belong with, from WordNet or from a file.

Ties hold both ways and words are in lower case, as in the graphs of Faruqui et al. 2015, section 2.
A word without ties is left out, and no word is tied to itself.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, combinations, product
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, TooLarge, UnknownName
from lexiscope.core.lexicon import Lexicon
from lexiscope.data.catalogue import catalogue
from lexiscope.data.library import Library
from lexiscope.data.packed import opened
from lexiscope.data.unpacking import is_file
from lexiscope.data.wordnet import Synset, WordNet, catalogued, find

_LARGEST = 1 << 28
_LONGEST_LINE = 1 << 22
_MOST_TIES = 10_000_000
_LANGUAGE = re.compile(r"[a-z]{2}_")  # en_word, where a file ties words of several languages
_FIELD = re.compile(r"[^ \t\r]+")  # words may hold other kinds of space

Pair = tuple[str, str]
Ties = dict[str, set[str]]


def read(source: str | Path, library: Library) -> Lexicon:
    """The lexicon of a file, of the catalogue or, by `wordnet`, `wordnet-3.0` or 3.1, of WordNet.

    A plus behind a WordNet adds the words one step above and below to the synonyms.
    """
    name = str(source)
    if is_file(name):
        return Lexicon(Path(name).name.partition(".")[0], _of_file(Path(name)))
    if name.removesuffix("+") in _of_kind("wordnet", "wordnet"):
        return _of_wordnet(name, library)
    if name not in _of_kind("lexicon"):
        known = _of_kind("wordnet", "wordnet")
        raise UnknownName(
            "lexicon or file",
            shown(name),
            [*known, *(f"{n}+" for n in known), *_of_kind("lexicon")],
        )
    return Lexicon(name, _of_file(library.files(name)[0]))


def _of_kind(kind: str, *more: str) -> list[str]:
    return [*more, *(entry.name for entry in catalogue().values() if entry.kind == kind)]


def _of_wordnet(name: str, library: Library) -> Lexicon:
    plain = name.removesuffix("+")
    wordnet = find(library) if plain == "wordnet" else catalogued(plain, library.files(plain))
    pairs = chain(_synonyms(wordnet), _kin(wordnet) if name.endswith("+") else ())
    found = wordnet.origin if wordnet.origin in catalogue() else plain
    return Lexicon(name.replace(plain, found), _sorted(_tied(name, pairs)))


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


def _tied(name: str, pairs: Iterable[Pair]) -> Ties:
    """Each word with the words it is tied to, as they come; repeats take no room."""
    ties: Ties = {}
    number = 0
    for one, other in pairs:
        tied = ties.setdefault(one, set())
        if one != other and other not in tied:
            number += 1
            tied.add(other)
            ties.setdefault(other, set()).add(one)
        if number > _MOST_TIES:
            raise TooLarge(
                f"{name}: more than {_MOST_TIES:,} ties. Keep those of the words you need."
            )
    return ties


def _sorted(ties: Ties) -> MappingProxyType[str, tuple[str, ...]]:
    """Words and ties in the order of their letters, so that a lexicon is always the same."""
    return MappingProxyType(
        {word: tuple(sorted(ties[word])) for word in sorted(ties) if ties[word]}
    )


def _of_file(path: Path) -> MappingProxyType[str, tuple[str, ...]]:
    """A word and what it is tied to on each line; lines of two words make a list of pairs."""
    ties = _tied(str(path), _listed(path))
    if not any(ties.values()):
        raise BadData(
            f"{path}: ties no words. A lexicon has a word and the words it is tied to on each "
            "line, with spaces between."
        )
    mark = _LANGUAGE.match(next(iter(ties)))
    if mark and all(word.startswith(mark[0]) for word in ties):
        ties = {word[3:]: {other[3:] for other in tied} for word, tied in ties.items()}
    return _sorted(ties)


def _listed(path: Path) -> Iterator[Pair]:
    for line in _lines(path):
        fields = (found[0] for found in _FIELD.finditer(line.lower()))
        word = next(fields, "")
        for tied in fields:
            yield word, tied


def _lines(path: Path) -> Iterator[str]:
    with opened(path) as stream:
        for number, raw in enumerate(_bounded(path, stream), 1):
            try:
                yield raw.removesuffix(b"\n").decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                raise BadData(
                    f"{path}:{number}: is not UTF-8 text. Save the lexicon as UTF-8, a word and "
                    "the words it is tied to on each line."
                ) from None


def _bounded(path: Path, stream: BinaryIO) -> Iterator[bytes]:
    """The lines, until they are more than a lexicon has."""
    read = 0
    while line := stream.readline(_LONGEST_LINE + 1):
        read += len(line)
        if read > _LARGEST:
            raise TooLarge(f"{path}: more than {_LARGEST:,} bytes for a lexicon.")
        if len(line) > _LONGEST_LINE:
            raise TooLarge(f"{path}: a line of more than {_LONGEST_LINE:,} bytes.")
        yield line
