"""Shared base of the trainers that learn vectors of terms, given a background."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.settings import name_of, setting
from lexiscope.core.contracts.term_model import TERM, Background, Sample
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.core.progress import Progress, silent
from lexiscope.core.seeding import generator
from lexiscope.core.terms import Terms
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.learners.backgrounds import background_from
from lexiscope.learners.term_models.additive import Additive as AdditiveModel
from lexiscope.learners.term_models.alacarte import Alacarte as AlacarteModel

Indices = NDArray[np.int64]

NotedModel = AdditiveModel | AlacarteModel  # models that describe what they did

_TOKENS = 4_000_000  # of sentences that are in memory at once
_SHOWN = 10


@dataclass(frozen=True)
class TermTrainer(Trainer):
    """Settings of all trainers of terms."""

    background: Trainer | Embedding = setting(
        help="Vectors of context words: a vector file, a catalogue name, or a trainer."
    )
    terms: Terms | None = setting(
        None, "Terms, one per line, of one or several words; by default all words of the text."
    )
    background_space: Literal["input", "both"] = setting(
        "input",
        "Vectors of the background: input vectors, or input and output vectors, concatenated. A "
        "trainer as background decides it by its own setting.",
    )

    @abstractmethod
    def model(
        self, corpus: Corpus, codes: Indices, background: Background, terms: "Occurrences"
    ) -> NotedModel:
        """The model of the vectors; `codes` are the tokens as rows of the background."""

    def train(self, corpus: Corpus, rng: Generator, progress: Progress = silent) -> Embedding:
        background = self._background(corpus, rng, progress)
        codes = Vocabulary(background.words).find(corpus.vocabulary.words)[corpus.tokens]
        found = occurrences(corpus, self.terms)
        model = self.model(corpus, codes, background, found)
        seed = int(rng.integers(2**63))
        vectors = np.empty((len(found.words), background.dimension))
        done = 0
        for samples in _chunks(corpus, codes, found):
            generators = partial(_generator, seed, found.words[done : done + len(samples)])
            vectors[done : done + len(samples)] = model.vectors(samples, background, generators)
            done += len(samples)
            progress("Learning terms", done, len(found.words))
        return self._embedding(corpus, found, vectors, model.notes(background))

    def _background(self, corpus: Corpus, rng: Generator, progress: Progress) -> Background:
        base, space = self.background, self.background_space
        if isinstance(base, Trainer):
            space = "both" if getattr(base, "space", "") == "both" else "input"
            base = base.train(corpus, rng, progress)
        return background_from(base, space)

    def _embedding(
        self, corpus: Corpus, found: "Occurrences", vectors: Floats, notes: tuple[str, ...]
    ) -> Embedding:
        learned = np.flatnonzero(~np.isnan(vectors[:, 0]))
        if not len(learned):
            raise BadData(
                f"{corpus.name}: no term occurs next to a word of the background. "
                "Do text and background have the same language and case?"
            )
        isolated = [found.words[n] for n in np.flatnonzero(np.isnan(vectors[:, 0])).tolist()]
        return Embedding(
            name_of(type(self)),
            Vocabulary(tuple(found.words[n] for n in learned.tolist())),
            vectors[learned].astype(np.float32),
            found.counts[learned],
            corpus.origin,
            (
                *notes,
                *_repair("do not occur in the text", found.absent),
                *_repair("have no context word in the background", isolated),
            ),
        )


class Occurrences(NamedTuple):
    """The occurrences of terms in a corpus, most frequent terms first.

    Attributes
    ----------
    words
        The terms, their words joined with "_".
    counts : (terms,)
        How often each occurs.
    positions, lengths : (occurrences,)
        The first token and the number of tokens, by term and then by position.
    absent
        Terms that do not occur.
    """

    words: tuple[str, ...]
    counts: Indices
    positions: Indices
    lengths: Indices
    absent: tuple[str, ...]


def occurrences(corpus: Corpus, terms: Terms | None) -> Occurrences:
    """Find terms in a corpus.

    A longer term comes first: "theory" does not occur in "set theory" if both are terms.
    """
    listed = _words_of(corpus, terms)
    owner = np.full(len(corpus.tokens), -1, np.int64)  # the term that begins at a token
    _find_phrases(corpus, listed, owner)
    sizes = np.array([len(words) for words in listed], np.int64)
    at = np.flatnonzero(owner >= 0)
    counts = np.bincount(owner[at], minlength=len(listed))
    order = np.argsort(-counts, kind="stable")
    present = order[: np.count_nonzero(counts)]
    rank = np.empty(len(listed), np.int64)
    rank[order] = np.arange(len(listed))
    at = at[np.argsort(rank[owner[at]], kind="stable")]
    names = ["_".join(words) for words in listed]
    if not len(present):
        raise BadData(f"{corpus.name}: none of the {len(listed):,} terms occurs in the text.")
    return Occurrences(
        tuple(names[term] for term in present.tolist()),
        counts[present].astype(np.int64),
        at,
        sizes[owner[at]],
        tuple(names[term] for term in np.flatnonzero(counts == 0).tolist()),
    )


def _words_of(corpus: Corpus, terms: Terms | None) -> list[tuple[str, ...]]:
    """The words of each term, in lower case if the text is; distinct terms only."""
    if terms is None:
        return [(word,) for word in corpus.vocabulary.words]
    lower = corpus.preprocessing.lower
    spaced = ((term.lower() if lower else term).replace("_", " ") for term in terms.terms)
    return list(dict.fromkeys(tuple(term.split()) for term in spaced if term.split()))


def _find_phrases(corpus: Corpus, terms: Sequence[tuple[str, ...]], owner: Indices) -> None:
    """Write the number of the term that begins at each token; longer terms first."""
    index = corpus.vocabulary.index
    free = np.ones(len(corpus.tokens), np.bool_)
    sentence = np.repeat(np.arange(corpus.sentences), np.diff(corpus.starts))
    singles = np.full(len(corpus.vocabulary), -1, np.int64)
    for number in sorted(range(len(terms)), key=lambda n: -len(terms[n])):
        words = [index.get(word, -1) for word in terms[number]]
        if min(words) < 0:
            continue
        if len(words) == 1:
            singles[words[0]] = number
            continue
        for position in _matches(corpus.tokens, words, sentence).tolist():
            if free[position : position + len(words)].all():
                free[position : position + len(words)] = False
                owner[position] = number
    single = singles[corpus.tokens]
    owner[free] = single[free]


def _matches(tokens: NDArray[np.int32], words: list[int], sentence: Indices) -> Indices:
    """Positions at which the words follow each other inside a sentence."""
    at = np.flatnonzero(tokens[: max(0, len(tokens) - len(words) + 1)] == words[0])
    for offset, word in enumerate(words[1:], 1):
        at = at[(tokens[at + offset] == word) & (sentence[at + offset] == sentence[at])]
    return at


def _chunks(corpus: Corpus, codes: Indices, found: Occurrences) -> Iterator[list[Sample]]:
    """The sentences of each term, a limited number of tokens at once."""
    ends = np.cumsum(found.counts)
    samples: list[Sample] = []
    size = 0
    for start, end in zip((ends - found.counts).tolist(), ends.tolist(), strict=True):
        sample = _sample(corpus, codes, found.positions[start:end], found.lengths[start:end])
        samples.append(sample)
        size += sum(map(len, sample))
        if size > _TOKENS:
            yield samples
            samples, size = [], 0
    if samples:
        yield samples


def _sample(corpus: Corpus, codes: Indices, positions: Indices, lengths: Indices) -> Sample:
    """The sentences with a term; each occurrence is one TERM."""
    sentences = np.searchsorted(corpus.starts, positions, side="right") - 1
    distinct, first = np.unique(sentences, return_index=True)
    found = []
    for sentence, start, end in zip(distinct, first, [*first[1:], len(positions)], strict=True):
        begin = corpus.starts[sentence]
        line = codes[begin : corpus.starts[sentence + 1]].copy()
        stays = np.ones(len(line), np.bool_)
        for position, length in zip(positions[start:end] - begin, lengths[start:end], strict=True):
            stays[position + 1 : position + length] = False
            line[position] = TERM
        found.append(line[stays])
    return tuple(found)


def _generator(seed: int, words: Sequence[str], number: int) -> Generator:
    """The generator of a term, which does not depend on the other terms."""
    return generator(seed, "term", words[number])


def _repair(what: str, terms: Sequence[str]) -> tuple[str, ...]:
    if not terms:
        return ()
    more = ", ..." if len(terms) > _SHOWN else ""
    return (f"Terms that {what} ({len(terms):,}): {', '.join(terms[:_SHOWN])}{more}",)
