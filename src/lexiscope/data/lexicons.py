"""Lexicons: graphs of related words, from WordNet or from a file.

Edges are undirected and words are in lower case, as in Faruqui et al. 2015, section 2. Words
without edges and self-loops are left out.
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
from lexiscope.core.paths import is_file
from lexiscope.data.archive_members import opened
from lexiscope.data.catalogue import catalogue
from lexiscope.data.local_data import LocalData
from lexiscope.data.wordnet import Synset, WordNet, find, load_entry

_LARGEST = 1 << 28
_LONGEST_LINE = 1 << 22
_MOST_EDGES = 10_000_000
_LANGUAGE = re.compile(r"[a-z]{2}_")  # en_word, in files with several languages
_FIELD = re.compile(r"[^ \t\r]+")  # words may contain other kinds of space

Pair = tuple[str, str]
Edges = dict[str, set[str]]


def read(source: str | Path, local_data: LocalData) -> Lexicon:
    """Read a lexicon from a file, the catalogue or WordNet.

    Parameters
    ----------
    source : str or Path
        A file, the name of a lexicon in the catalogue, or `wordnet`, `wordnet-3.0` or
        `wordnet-3.1`. A plus after a WordNet adds direct hypernyms and hyponyms to the
        synonyms.
    local_data : LocalData
        Where catalogue files are.
    """
    name = str(source)
    if is_file(name):
        return Lexicon(Path(name).name.partition(".")[0], _from_file(Path(name)))
    if name.removesuffix("+") in _names_of_kind("wordnet", "wordnet"):
        return _from_wordnet(name, local_data)
    if name not in _names_of_kind("lexicon"):
        known = _names_of_kind("wordnet", "wordnet")
        raise UnknownName(
            "lexicon or file",
            shown(name),
            [*known, *(f"{n}+" for n in known), *_names_of_kind("lexicon")],
        )
    return Lexicon(name, _from_file(local_data.paths(name)[0]))


def _names_of_kind(kind: str, *more: str) -> list[str]:
    return [*more, *(entry.name for entry in catalogue().values() if entry.kind == kind)]


def _from_wordnet(name: str, local_data: LocalData) -> Lexicon:
    plain = name.removesuffix("+")
    wordnet = find(local_data) if plain == "wordnet" else load_entry(plain, local_data.paths(plain))
    pairs = chain(_synonyms(wordnet), _hypernyms(wordnet) if name.endswith("+") else ())
    found = wordnet.origin if wordnet.origin in catalogue() else plain
    return Lexicon(name.replace(plain, found), _sorted(_graph(name, pairs)))


def _synonyms(wordnet: WordNet) -> Iterator[Pair]:
    """Words that share a synset."""
    for synset in wordnet.synsets.values():
        yield from combinations(_words(synset), 2)


def _hypernyms(wordnet: WordNet) -> Iterator[Pair]:
    """Words of a synset with those of its hypernyms; edges are undirected, so hyponyms too."""
    for synset in wordnet.synsets.values():
        for above in wordnet.related(synset, "@"):
            yield from product(_words(synset), _words(above))


def _words(synset: Synset) -> list[str]:
    """The lemmas that are single words, in lower case."""
    return [lemma.lower() for lemma in synset.lemmas if "_" not in lemma]


def _graph(name: str, pairs: Iterable[Pair]) -> Edges:
    """Each word with its neighbours; repeated edges are counted once."""
    edges: Edges = {}
    number = 0
    for one, other in pairs:
        neighbours = edges.setdefault(one, set())
        if one != other and other not in neighbours:
            number += 1
            neighbours.add(other)
            edges.setdefault(other, set()).add(one)
        if number > _MOST_EDGES:
            raise TooLarge(
                f"{name}: more than {_MOST_EDGES:,} edges. Keep those of the words that you need."
            )
    return edges


def _sorted(edges: Edges) -> MappingProxyType[str, tuple[str, ...]]:
    """Words and edges in alphabetical order, so that a lexicon is reproducible."""
    return MappingProxyType(
        {word: tuple(sorted(edges[word])) for word in sorted(edges) if edges[word]}
    )


def _from_file(path: Path) -> MappingProxyType[str, tuple[str, ...]]:
    """Read a file with a word and its neighbours on each line, or a list of pairs."""
    edges = _graph(str(path), _file_edges(path))
    if not any(edges.values()):
        raise BadData(
            f"{path}: has no edges. A lexicon has a word and its related words on each line, "
            "separated by spaces."
        )
    prefix = _LANGUAGE.match(next(iter(edges)))
    if prefix and all(word.startswith(prefix[0]) for word in edges):
        edges = {word[3:]: {other[3:] for other in others} for word, others in edges.items()}
    return _sorted(edges)


def _file_edges(path: Path) -> Iterator[Pair]:
    for line in _lines(path):
        fields = (found[0] for found in _FIELD.finditer(line.lower()))
        word = next(fields, "")
        for other in fields:
            yield word, other


def _lines(path: Path) -> Iterator[str]:
    with opened(path) as stream:
        for number, raw in enumerate(_bounded(path, stream), 1):
            try:
                yield raw.removesuffix(b"\n").decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                raise BadData(
                    f"{path}:{number}: is not UTF-8 text. Save the lexicon as UTF-8, with a "
                    "word and its related words on each line."
                ) from None


def _bounded(path: Path, stream: BinaryIO) -> Iterator[bytes]:
    """The lines, with limits on their length and number."""
    size = 0
    while line := stream.readline(_LONGEST_LINE + 1):
        size += len(line)
        if size > _LARGEST:
            raise TooLarge(f"{path}: more than {_LARGEST:,} bytes for a lexicon.")
        if len(line) > _LONGEST_LINE:
            raise TooLarge(f"{path}: a line of more than {_LONGEST_LINE:,} bytes.")
        yield line
