"""Parser of WordNet's dictionary files; errors name the file and the line."""

import gc
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.wordnet._model import Relation, Synset, WordNet
from lexiscope.data.wordnet._names import FILES, PARTS

NEEDED = tuple(f"{what}.{part}" for what in ("data", "index") for part in PARTS.values())
COUNTS = ("index.sense", "cntlist.rev")
EXCEPTIONS = tuple(f"{part}.exc" for part in PARTS.values())
_POS = {"n": "n", "v": "v", "a": "a", "s": "a", "r": "r"}
_SUFFIX = {pos: f"-{part}" for pos, part in _POS.items()}
_TYPES = {"n": "1", "v": "2", "a": "3", "s": "5", "r": "4"}
_PART_OF_TYPE = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}


class Content(NamedTuple):
    """The text of a file, and its path for messages."""

    where: str
    text: str


Counts = dict[tuple[str, str], int]
Senses = dict[tuple[str, str], tuple[str, ...]]


def read(origin: str, files: Mapping[str, Content]) -> WordNet:
    """Parse WordNet from the texts of its files, by file name."""
    with _no_collection():
        return _read(origin, files)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Pause the garbage collector: there are no cycles, and looking for them doubles the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _read(origin: str, files: Mapping[str, Content]) -> WordNet:
    synsets = {synset.id: synset for part in PARTS for synset in _synsets(part, files)}
    for synset in synsets.values():
        _check_pointers(synset, synsets, files)
    senses: Senses = {}
    for part in PARTS:
        senses.update(_senses(part, files[f"index.{PARTS[part]}"], synsets))
    forms = {
        form: lemmas
        for part, name in PARTS.items()
        for form, lemmas in _forms(part, files.get(f"{name}.exc"))
    }
    return WordNet(origin, synsets, senses, _counts(files, synsets), forms)


def _rows(content: Content) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers, without the licence, which is indented."""
    for number, line in enumerate(content.text.split("\n"), 1):
        if line and not line.startswith("  ") and line != "\r":
            yield number, line


def _synsets(part: str, files: Mapping[str, Content]) -> Iterator[Synset]:
    content = files[f"data.{PARTS[part]}"]
    for number, line in _rows(content):
        try:
            yield _synset(part, line)
        except (ValueError, IndexError, KeyError):
            raise BadData(
                f"{content.where}:{number}: is not a synset in the format of WordNet "
                f"('{shown(line, 40)}'). Get the files again."
            ) from None


def _synset(part: str, line: str) -> Synset:
    head, _, gloss = line.partition("|")
    fields = head.split()
    offset, file, kind = fields[0], FILES[int(fields[1])], fields[2]
    after = 4 + 2 * int(fields[3], 16)
    pointers = after + 1 + 4 * int(fields[after])
    ended = pointers == len(fields) or (part == "v" and len(fields) > pointers)
    if not (ended and _POS[kind] == part and len(offset) == 8 and offset.isdecimal()):
        raise ValueError
    words = tuple([word.partition("(")[0] for word in fields[4:after:2]])
    numbers = tuple(fields[5:after:2])
    relations = [
        Relation(symbol, target + _SUFFIX[pos], *_words(pair))
        for symbol, target, pos, pair in zip(
            fields[after + 1 : pointers : 4],
            fields[after + 2 : pointers : 4],
            fields[after + 3 : pointers : 4],
            fields[after + 4 : pointers : 4],
            strict=True,
        )
    ]
    if not words:
        raise ValueError
    return Synset(
        f"{offset}-{part}", part, kind == "s", file, words, numbers, tuple(relations), gloss.strip()
    )


@cache
def _words(pair: str) -> tuple[int, int]:
    return int(pair[:2], 16), int(pair[2:], 16)


def _check_pointers(
    synset: Synset, synsets: Mapping[str, Synset], files: Mapping[str, Content]
) -> None:
    for relation in synset.relations:
        target = synsets.get(relation.target)
        if (
            target is None
            or relation.source_word > len(synset.lemmas)
            or relation.target_word > len(target.lemmas)
        ):
            content = files[f"data.{PARTS[synset.pos]}"]
            raise BadData(
                f"{_location(content, synset.id[:8])}: synset {synset.id} points to "
                f"{relation.target}, which is missing or lacks the word. Get the files again."
            )


def _location(content: Content, start: str) -> str:
    """File name and number of the line that begins with this text."""
    found = next((number for number, line in _rows(content) if line.startswith(start)), 0)
    return f"{content.where}:{found}"


def _senses(part: str, content: Content, synsets: Mapping[str, Synset]) -> Senses:
    senses: Senses = {}
    for number, line in _rows(content):
        fields = line.split()
        try:
            first = 6 + int(fields[3])
            ids = tuple([f"{offset}-{part}" for offset in fields[first:]])
            good = fields[1] == part and len(ids) == int(fields[2]) > 0
        except (ValueError, IndexError):
            good = False
        if not good or not all(found in synsets for found in ids):
            raise BadData(
                f"{content.where}:{number}: is not an index line whose synsets are in "
                f"data.{PARTS[part]} ('{shown(line, 40)}'). Get the files again."
            )
        senses[fields[0], part] = ids
    return senses


def _counts(files: Mapping[str, Content], synsets: Mapping[str, Synset]) -> Counts:
    """Tag counts by lemma and synset, from index.sense or else from cntlist.rev."""
    if "index.sense" in files:
        return _counts_of_index(files["index.sense"], synsets)
    return _counts_of_list(files["cntlist.rev"], synsets) if "cntlist.rev" in files else {}


def _counts_of_index(content: Content, synsets: Mapping[str, Synset]) -> Counts:
    """Rows of sense key, offset, sense number, tag count."""
    counts: Counts = {}
    for number, line in _rows(content):
        if line.rstrip().endswith(" 0"):
            continue
        try:
            key, offset, _, count = line.split()
            lemma, _, rest = key.rpartition("%")
            found = synsets[offset + _SUFFIX[_PART_OF_TYPE[rest[:1]]]].id
            counts[lemma, found] = int(count)
        except (ValueError, KeyError):
            raise _bad_count(content, number, line) from None
    return counts


def _counts_of_list(content: Content, synsets: Mapping[str, Synset]) -> Counts:
    """Rows of sense key, sense number, tag count.

    Senses are identified by their keys, because the sense numbers are those of an older index.
    Keys that are no longer in WordNet are skipped.
    """
    known = dict(_sense_keys(synsets))
    counts: Counts = {}
    for number, line in _rows(content):
        try:
            key, _, count = line.split()
            found = known.get(_plain(key))
            if found is not None:
                counts[found] = counts.get(found, 0) + int(count)
        except ValueError:
            raise _bad_count(content, number, line) from None
    return counts


def _sense_keys(synsets: Mapping[str, Synset]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Each sense key with its lemma and synset (senseidx(5WN))."""
    for synset in synsets.values():
        kind = f"{_TYPES['s' if synset.satellite else synset.pos]}:{FILES.index(synset.file):02}"
        head = _head(synset, synsets) if synset.satellite else ":"
        for lemma, number in zip(synset.lemmas, synset.numbers, strict=True):
            word = lemma.lower()
            yield f"{word}%{kind}:{int(number, 16):02}:{head}", (word, synset.id)


def _head(satellite: Synset, synsets: Mapping[str, Synset]) -> str:
    """The head adjective of a satellite, as written in sense keys."""
    near = (synsets[r.target] for r in satellite.relations if r.symbol == "&")
    head = next((synset for synset in near if not synset.satellite), satellite)
    return f"{head.lemmas[0].lower()}:{int(head.numbers[0], 16):02}"


def _plain(key: str) -> str:
    """A sense key without the syntactic marker of an adjective."""
    return re.sub(r"\((a|p|ip)\)", "", key)


def _bad_count(content: Content, number: int, line: str) -> BadData:
    return BadData(
        f"{content.where}:{number}: expected a sense key of a known synset, numbers and a "
        f"tag count, found '{shown(line, 40)}'. Get the files again."
    )


def _forms(part: str, content: Content | None) -> Iterator[tuple[tuple[str, str], tuple[str, ...]]]:
    """Irregular forms and their lemmas; most packages lack these files."""
    for number, line in _rows(content) if content else ():
        form, *lemmas = line.split()
        if not lemmas:
            raise BadData(
                f"{content.where if content else ''}:{number}: expected a form and its lemmas."
            )
        yield (form, part), tuple(lemmas)
