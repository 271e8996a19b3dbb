"""Published terms with their sentences: Wiki-rnd, definitions and chimeras."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lexiscope.core.errors import BadData, UnknownName
from lexiscope.data.catalogue import catalogue
from lexiscope.data.datasets.formats.tables import text_lines
from lexiscope.data.local_data import LocalData

MARK = "___"  # the term, in a sentence
_BETWEEN_SENTENCES = "@@"
_SAMPLE_MARK = re.compile(r"__xx(\d\d)")

Words = tuple[str, ...]


@dataclass(frozen=True)
class PublishedTerm:
    """A term with its samples, as published.

    Parameters
    ----------
    term : str
        The term, or the number of a chimera.
    samples : tuple of tuple of sentences
        The sentences of each sample; a sentence is a tuple of words, with `MARK` for the term.
    probes, ratings : tuple, optional
        Words, and how similar the term is to each of them.
    """

    term: str
    samples: tuple[tuple[Words, ...], ...]
    probes: tuple[str, ...] = ()
    ratings: tuple[float, ...] = ()


@dataclass(frozen=True)
class PublishedSamples:
    """The terms of a published dataset; `notes` say what was left out and why."""

    name: str
    terms: tuple[PublishedTerm, ...]
    notes: tuple[str, ...] = ()


def names() -> list[str]:
    """Return the catalogue entries that this module reads."""
    return [entry.name for entry in catalogue().values() if entry.kind == "samples"]


def load(name: str, local_data: LocalData | None = None) -> PublishedSamples:
    """Read a published dataset of the catalogue from local files."""
    if name not in names():
        raise UnknownName("dataset of terms with samples", name, names())
    return read(name, (local_data or LocalData()).paths(name))


def read(name: str, paths: Sequence[Path]) -> PublishedSamples:
    """Read the files of a published dataset, in the order of the catalogue."""
    return _READERS[name](name, *paths)


def _wiki(name: str, terms: Path, sentences: Path) -> PublishedSamples:
    """A line has a term and its samples, separated by tabs; the term is marked by `___`.

    A mark inside another word (`___s`, `trans___`) is not the term but a part of that word.
    """
    found = [
        PublishedTerm(term, tuple(_sample(sample, term) for sample in samples))
        for term, *samples in _split_lines(sentences)
    ]
    return _listed(name, terms, found)


def _sample(text: str, term: str) -> tuple[Words, ...]:
    sentences = (sentence.split() for sentence in text.split(_BETWEEN_SENTENCES))
    return tuple(
        tuple(word if word == MARK else word.replace(MARK, term) for word in words)
        for words in sentences
    )


def _wiki_marked(name: str, terms: Path, sentences: Path) -> PublishedSamples:
    """A line has a sentence; the term precedes its first one.

    The term is marked with the number of its sample (`perch__xx00`). A mark inside another word
    (`pikeperch__xx00`) is removed.
    """
    found: dict[str, dict[str, list[Words]]] = {}
    term = ""
    for number, line in enumerate(text_lines(sentences), 1):
        head, tab, rest = line.partition("\t")
        term, text = (head, rest) if tab else (term, line)
        marks = set(_SAMPLE_MARK.findall(text))
        if not text.strip():
            continue
        if not term or len(marks) != 1:
            raise BadData(f"{sentences}:{number}: a sentence without a term, or of two samples.")
        (sample,) = marks
        words = tuple(_unmarked(word, f"{term}__xx{sample}") for word in text.split())
        found.setdefault(term, {}).setdefault(sample, []).append(words)
    published = [
        PublishedTerm(term, tuple(tuple(samples[number]) for number in sorted(samples)))
        for term, samples in found.items()
    ]
    return _listed(name, terms, published)


def _unmarked(word: str, marked: str) -> str:
    return MARK if word == marked else _SAMPLE_MARK.sub("", word)


def _listed(name: str, path: Path, found: list[PublishedTerm]) -> PublishedSamples:
    """The terms that have sentences, and notes on the list of terms."""
    listed = [line.strip() for line in text_lines(path) if line.strip()]
    twice = [term for index, term in enumerate(listed) if term in listed[:index]]
    known = {each.term for each in found}
    missing = [term for term in dict.fromkeys(listed) if term not in known]
    notes = [f"{term}: is listed twice, and used once." for term in twice]
    notes += [f"{term}: is listed, but has no sentences." for term in missing]
    return PublishedSamples(name, tuple(found), tuple(notes))


def _definitions(name: str, path: Path) -> PublishedSamples:
    """A line has a term and its definition, in which the term is marked by `___`."""
    found = [PublishedTerm(term, ((tuple(text.split()),),)) for term, text in _split_lines(path, 2)]
    return PublishedSamples(name, tuple(found))


def _chimeras(name: str, path: Path) -> PublishedSamples:
    """A line has a number, sentences, probes and ratings.

    A mark that is attached to another word by a typing error is separated from it.
    """
    found: list[PublishedTerm] = []
    dropped = 0
    for term, text, probes, ratings in _split_lines(path, 4):
        all_sentences = [
            tuple(sentence.replace(MARK, f" {MARK} ").split())
            for sentence in text.split(_BETWEEN_SENTENCES)
        ]
        sentences = tuple(words for words in all_sentences if MARK in words)
        dropped += len(all_sentences) - len(sentences)
        numbers = tuple(map(float, ratings.split(",")))
        found.append(PublishedTerm(term, (sentences,), tuple(probes.split(",")), numbers))
    note = (
        f"{dropped} sentence{'s' * (dropped != 1)} in which the term is not marked "
        f"{'is' if dropped == 1 else 'are'} left out."
    )
    return PublishedSamples(name, tuple(found), (note,) if dropped else ())


def _split_lines(path: Path, fields: int | None = None) -> Iterator[list[str]]:
    for number, line in enumerate(text_lines(path), 1):
        if not line.strip():
            continue
        found = line.split("\t")
        if len(found) != fields if fields else len(found) < 2:
            expected = fields or "two or more"
            raise BadData(
                f"{path}:{number}: has {len(found)} field{'s' * (len(found) != 1)} separated by "
                f"tabs; {expected} are expected."
            )
        yield found


_READERS: dict[str, Callable[..., PublishedSamples]] = {
    "wiki-rnd": _wiki,
    "wiki-rnd-marked": _wiki_marked,
    "nonce-definitions": _definitions,
    "chimeras-2": _chimeras,
    "chimeras-4": _chimeras,
    "chimeras-6": _chimeras,
}
