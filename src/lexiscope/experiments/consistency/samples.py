"""Samples of the sentences of each term: random ones, parts of the text, increasing sizes."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.term_model import TERM, UNKNOWN, Sample
from lexiscope.core.corpus import Corpus
from lexiscope.core.corpus import corpus as corpus_of
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.seeding import generator
from lexiscope.data.term_samples import MARK, PublishedSamples, PublishedTerm
from lexiscope.experiments.consistency.occurrences import (
    ABSENT,
    LeftOut,
    Occurrences,
    find_occurrences,
)
from lexiscope.experiments.consistency.repetition import repetition_warning
from lexiscope.experiments.consistency.texts import (
    Source,
    coverage,
    coverage_warning,
    halves,
    licence_warning,
    read_texts,
)

Split = Literal["random", "halves", "documents", "published"]
Indices = NDArray[np.int64]

SIZES = (1, 2, 3, 4, 8, 0)  # sentences per sample in the size effect of S2
ALL = 0  # the size that means all sentences, half of them in each sample
_CUTOFFS = {"random": 10, "halves": 2, "documents": 2, "published": 0}
_NAMED = 5  # terms in a message


@dataclass(frozen=True)
class SamplingRule:
    """How the sentences of a term are sampled.

    Parameters
    ----------
    split : {"random", "halves", "documents", "published"}
        Random sentences; all sentences of each half of the text; all sentences of each document;
        or the samples of a published dataset.
    samples : int
        The number of random samples.
    size : int
        The largest number of sentences in a random sample.
    cutoff : int, optional
        The smallest number of occurrences of a term: in the text (random, default 10), or in a
        half or document (default 2).

    Examples
    --------
    >>> import lexiscope
    >>> lexiscope.SamplingRule("halves").least
    2
    """

    split: Split = "random"
    samples: int = 5
    size: int = 10
    cutoff: int | None = None

    def __post_init__(self) -> None:
        if self.split not in _CUTOFFS:
            known = ", ".join(_CUTOFFS)
            raise BadUsage(f"The split is one of {known}, found '{shown(str(self.split))}'.")
        if self.samples < 2 or self.size < 1 or self.least < 0:
            raise BadUsage("A sampling rule needs two or more samples of one or more sentences.")

    @property
    def least(self) -> int:
        """The cutoff in use."""
        return _CUTOFFS[self.split] if self.cutoff is None else self.cutoff


@dataclass(frozen=True, eq=False)
class TermSamples:
    """The samples of a term.

    Parameters
    ----------
    term : str
        The term.
    samples : tuple of Sample
        Disjoint sets of sentences.
    frequency : int
        Occurrences of the term in the text.
    note : str
        What is special about these samples; empty if nothing is.
    numbers : tuple of ndarray
        The indices in the text of the sentences of each sample.
    """

    term: str
    samples: tuple[Sample, ...]
    frequency: int
    note: str
    numbers: tuple[Indices, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of sentences in each sample."""
        return tuple(len(sample) for sample in self.samples)


@dataclass(frozen=True, eq=False)
class SampledTerms:
    """The samples of all terms.

    Parameters
    ----------
    name : str
        The name of the text.
    rule : SamplingRule
        How they were sampled.
    terms : tuple of TermSamples
        The terms that can be used, in the order in which they were given.
    left_out : tuple of LeftOut
        The other terms, and why they cannot be used.
    occurrences : tuple of Occurrences
        All sentences of the terms that can be used.
    coverage : float
        The proportion of the tokens of the text that are background words.
    notes : tuple of str
        Rules that ran, as sentences.
    warnings : tuple of str
        What may be wrong with the text or the background, as sentences.
    """

    name: str
    rule: SamplingRule
    terms: tuple[TermSamples, ...]
    left_out: tuple[LeftOut, ...]
    occurrences: tuple[Occurrences, ...]
    coverage: float
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @cached_property
    def saturation(self) -> float | None:
        """The proportion of terms whose samples all have the full size.

        It is None if the samples are parts of the text, which have no full size, or if a published
        dataset has another number of samples.
        """
        full = (self.rule.size,) * self.rule.samples
        fits = all(len(each.samples) == len(full) for each in self.terms)
        if self.rule.split in ("halves", "documents") or not fits:
            return None
        return sum(each.sizes == full for each in self.terms) / len(self.terms)

    def by_size(
        self, seed: int = 0, sizes: Sequence[int] = SIZES
    ) -> dict[int, tuple[TermSamples | None, ...]]:
        """Return two samples of each size for each term, None if it has too few sentences."""
        drawn = [size_samples(each, seed, sizes) for each in self.occurrences]
        return {size: tuple(found.get(size) for found in drawn) for size in sizes}


class _Parts(NamedTuple):
    """The first sentence of each part of a text, the names of the parts, and a note on the rule."""

    begins: Indices
    noun: str
    note: str


Text = Corpus | Source | Sequence[Source] | Sequence[Sequence[str]]


def samples_of(
    text: Text,
    terms: Sequence[str],
    rule: SamplingRule | Split,
    background_words: Sequence[str],
    seed: int = 0,
    min_length: int = 2,
) -> SampledTerms:
    """Sample the sentences of each term in a text.

    The samples depend on the text, the term and the seed only: they are the same for every
    background and model, whatever the order of the terms.

    Parameters
    ----------
    text : Corpus, paths or sentences
        The text: a corpus in which every word is kept, one or several sources, or sentences that
        are lists of words.
    terms : sequence of str
        Terms of one or several words.
    rule : SamplingRule, "random", "halves" or "documents"
        How to sample.
    background_words : sequence of str
        Words of the background.
    seed : int
        The seed of random samples.
    min_length : int
        Context words with fewer characters are removed.

    Returns
    -------
    SampledTerms
    """
    rule = rule if isinstance(rule, SamplingRule) else SamplingRule(rule)
    if rule.split == "published":
        raise BadUsage("Published samples are read from their dataset, not from a text.")
    corpus = _corpus(text)
    if not len(terms):
        raise BadUsage("No term is given.")
    found = find_occurrences(corpus, terms, background_words, min_length)
    sample, notes = _sampler(corpus, rule, seed)
    sampled = [(each, sample(each)) for each in found.occurrences]
    usable = [(each, drawn) for each, drawn in sampled if isinstance(drawn, TermSamples)]
    left_out = [*found.left_out, *(drawn for _, drawn in sampled if isinstance(drawn, LeftOut))]
    order = {term: index for index, term in enumerate(dict.fromkeys(terms))}
    left_out.sort(key=lambda each: order[each.term])
    covered = coverage(corpus, background_words, min_length)
    repeated = repetition_warning(corpus, [drawn.numbers for _, drawn in usable])
    warnings = [each for each in (covered.warning, licence_warning(corpus), repeated) if each]
    if not usable:
        raise BadData(" ".join([_nothing(corpus, left_out), *warnings]))
    return SampledTerms(
        corpus.name,
        rule,
        tuple(drawn for _, drawn in usable),
        tuple(left_out),
        tuple(each for each, _ in usable),
        covered.proportion,
        tuple(notes),
        tuple(warnings),
    )


def _corpus(text: Text) -> Corpus:
    if isinstance(text, Corpus):
        return text
    if isinstance(text, str | os.PathLike):
        return read_texts(text)
    sources = [each for each in text if isinstance(each, str | os.PathLike)]
    if len(sources) == len(text):
        return read_texts(sources)
    return corpus_of("text", [each for each in text if not isinstance(each, str | os.PathLike)])


def _sampler(
    corpus: Corpus, rule: SamplingRule, seed: int
) -> tuple[Callable[[Occurrences], TermSamples | LeftOut], list[str]]:
    if rule.split == "random":
        return lambda each: random_samples(each, seed, rule), []
    parts = _halves(corpus) if rule.split == "halves" else _documents(corpus)
    return lambda each: part_samples(each, parts.begins, rule, parts.noun), [parts.note]


def _halves(corpus: Corpus) -> _Parts:
    found = halves(corpus)
    return _Parts(np.array([0, found.sentence], np.int64), "half", found.note)


def _documents(corpus: Corpus) -> _Parts:
    begins = corpus.documents[:-1]
    if len(begins) < 2:
        raise BadData(
            f"{corpus.name}: is one document, so it cannot be divided into documents. Give several "
            "files, or divide it into halves."
        )
    return _Parts(begins, "document", f"Each of {len(begins):,} documents is a sample.")


def _nothing(corpus: Corpus, left_out: Sequence[LeftOut]) -> str:
    """The error if no term can be used."""
    size = f"{len(corpus):,} tokens"
    if len(left_out) > 1 and all(each.reason == ABSENT for each in left_out):
        return f"{corpus.name}: none of the {len(left_out):,} terms occurs in the text ({size})."
    some = "; ".join(f"'{shown(each.term, 40)}' {each.reason}" for each in left_out[:_NAMED])
    more = "; ..." if len(left_out) > _NAMED else ""
    return f"{corpus.name}: no term can be used in this text of {size}: {some}{more}."


def random_samples(
    found: Occurrences, seed: int = 0, rule: SamplingRule | None = None
) -> TermSamples | LeftOut:
    """Draw disjoint samples of random sentences.

    With fewer sentences than fill all samples, they are divided evenly: sizes differ by one at
    most, and earlier samples are larger. A term below the cutoff, or with fewer sentences than
    samples, is left out.
    """
    rule = rule or SamplingRule()
    if found.frequency < rule.least:
        return LeftOut(
            found.term, f"occurs {_times(found.frequency)}, fewer than {rule.least} times"
        )
    if len(found) < rule.samples:
        return LeftOut(
            found.term, f"occurs in {_sentences(len(found))}, fewer than {rule.samples} samples"
        )
    full = rule.samples * rule.size
    chosen = _generator(seed, "samples", found).permutation(len(found))[:full]
    parts = [np.sort(part) for part in np.array_split(chosen, rule.samples)]
    note = (
        f"{_sentences(len(found))}, fewer than {full}: divided evenly" if len(found) < full else ""
    )
    return _taken(found, parts, note)


def half_samples(
    found: Occurrences, sentence: int, rule: SamplingRule | None = None
) -> TermSamples | LeftOut:
    """Take all sentences of a term in each half; the second half begins at a sentence."""
    begins = np.array([0, sentence], np.int64)
    return part_samples(found, begins, rule or SamplingRule("halves"), "half")


def part_samples(
    found: Occurrences, begins: Indices, rule: SamplingRule, noun: str = "part"
) -> TermSamples | LeftOut:
    """Take all sentences of a term in each part of the text in which it reaches the cutoff.

    `begins` are the first sentences of the parts. A term that reaches the cutoff in fewer than two
    parts is left out.
    """
    part = np.searchsorted(begins, found.numbers, "right") - 1
    frequencies = np.bincount(part, found.counts, len(begins)).astype(np.int64)
    enough = np.flatnonzero(frequencies >= max(rule.least, 1))
    if len(enough) < 2:
        needed = f"{rule.least} times in {'each' if noun == 'half' else 'two'} are needed"
        if noun == "half":
            first, second = frequencies.tolist()
            where = f"{first:,} and {second:,} times in the two halves"
        else:
            number = f"{len(enough)} {noun}{'s' * (len(enough) != 1)}"
            where = f"{rule.least} times or more in {number}"
        return LeftOut(found.term, f"occurs {where}; {needed}")
    return _taken(found, [np.flatnonzero(part == number) for number in enough.tolist()], "")


def size_samples(
    found: Occurrences, seed: int = 0, sizes: Sequence[int] = SIZES
) -> dict[int, TermSamples]:
    """Draw two disjoint samples of each size.

    Larger samples contain the smaller ones, so that sizes are compared on the same sentences. The
    size `ALL` means half of the sentences in each sample. Sizes for which the term has too few
    sentences are missing.
    """
    order = _generator(seed, "sizes", found).permutation(len(found))
    half = len(found) // 2
    drawn = {}
    for size in sizes:
        number = half if size == ALL else size
        if 0 < number <= half:
            parts = [np.sort(order[:number]), np.sort(order[half : half + number])]
            drawn[size] = _taken(found, parts, "")
    return drawn


def published_samples(published: PublishedSamples, background_words: Sequence[str]) -> SampledTerms:
    """Return the samples of a published dataset; they have no text, so frequencies count samples.

    Terms are words in the original case of the dataset.
    """
    rows = {word: row for row, word in reversed(list(enumerate(background_words)))}
    encoded = [_published(each, rows) for each in published.terms]
    words = np.concatenate([values for each, _ in encoded for values in each.sentences])
    context = words[words != TERM]
    proportion = float((context != UNKNOWN).mean()) if len(context) else 0.0
    warning = coverage_warning(published.name, proportion)
    return SampledTerms(
        published.name,
        SamplingRule("published"),
        tuple(drawn for _, drawn in encoded),
        (),
        tuple(found for found, _ in encoded),
        proportion,
        published.notes,
        (warning,) if warning else (),
    )


def _published(each: PublishedTerm, rows: dict[str, int]) -> tuple[Occurrences, TermSamples]:
    sentences = [
        np.array([TERM if word == MARK else rows.get(word, UNKNOWN) for word in words], np.int64)
        for sample in each.samples
        for words in sample
    ]
    counts = np.array([(values == TERM).sum() for values in sentences], np.int64)
    found = Occurrences(each.term, tuple(sentences), np.arange(len(sentences)), counts)
    ends = np.cumsum([len(sample) for sample in each.samples])[:-1]
    return found, _taken(found, np.split(np.arange(len(sentences)), ends), "")


def _taken(found: Occurrences, parts: Sequence[Indices], note: str) -> TermSamples:
    """The sentences with these indices, in text order in each sample."""
    samples = tuple(tuple(found.sentences[index] for index in part.tolist()) for part in parts)
    numbers = tuple(found.numbers[part] for part in parts)
    return TermSamples(found.term, samples, found.frequency, note, numbers)


def _generator(seed: int, purpose: str, found: Occurrences) -> Generator:
    return generator(seed, "consistency", purpose, " ".join(found.term.casefold().split()))


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"


def _sentences(number: int) -> str:
    return f"{number:,} sentence{'s' * (number != 1)}"
