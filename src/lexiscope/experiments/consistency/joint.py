"""Joint models: a trainer on the background text and the samples, with every term marked.

Each sample of a term is trained as a word of its own (section 5 of Bloem et al. 2019).
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.term_model import TERM, UNKNOWN, Sample
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import Corpus
from lexiscope.core.preprocessing import Preprocessing
from lexiscope.core.seeding import generator
from lexiscope.core.versions import versions
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.experiments.consistency.sweep import (
    Learning,
    Setup,
    hash_of_samples,
    hashed_settings,
    joint_id,
)
from lexiscope.store.store import TermVectorRecord

MIN_COUNT = 5  # of words that are no marked terms
_MARK = "\N{SYMBOL FOR UNIT SEPARATOR}"

Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class MarkedSamples:
    """Samples of terms that are trained as words of their own.

    Parameters
    ----------
    terms : tuple of str
        The terms.
    samples : tuple of tuples of Sample
        The samples of each term; sentences are indices in `words`.
    words : tuple of str
        The words of the sentences.
    """

    terms: tuple[str, ...]
    samples: tuple[tuple[Sample, ...], ...]
    words: tuple[str, ...]


def learn_jointly(
    name: str, trainer: Trainer, marked: MarkedSamples, text: Corpus | None, learning: Learning
) -> list[Floats]:
    """Return the vectors of each term (samples + 1, dimension), trained now or stored before.

    The last row is the vector of the unmarked term in the background text; NaN if it has none.

    Parameters
    ----------
    name : str
        The name of the trainer.
    trainer : Trainer
        The trainer.
    marked : MarkedSamples
        The samples, which are added to the background text.
    text : Corpus, optional
        The background text.
    learning : Learning
        Seed and store.
    """
    setup, store = learning.setup, learning.store
    source = "" if text is None else text.fingerprint
    context = [*marked.terms, source, hash_of_samples(marked.samples)]
    ids = [joint_id(name, trainer, term, context, setup) for term in marked.terms]
    stored = {} if learning.execution.force else store.term_vectors(ids)
    if len(stored) == len(ids):
        return [stored[each] for each in ids]
    started = time.perf_counter()
    found = _trained(trainer, marked, text, setup)
    seconds = (time.perf_counter() - started) / len(ids)
    store.add_term_vectors(
        TermVectorRecord(
            each, setup.text, setup.background, name, trainer.version, hashed_settings(trainer),
            setup.split, setup.seed, term, seconds, versions(), vectors,
        )
        for each, term, vectors in zip(ids, marked.terms, found, strict=True)
    )  # fmt: skip
    return found


def _trained(
    trainer: Trainer, marked: MarkedSamples, text: Corpus | None, setup: Setup
) -> list[Floats]:
    """Train on the background text with the samples, and take the vectors of marked terms."""
    corpus = marked_corpus(marked.terms, marked.samples, marked.words, text)
    embedding = trainer.train(corpus, generator(setup.seed, "joint", setup.text))
    vectors = embedding.dense_vectors("A joint model")
    found = []
    for term, drawn in zip(marked.terms, marked.samples, strict=True):
        marks = [mark(term, number) for number in range(len(drawn))]
        rows = embedding.vocabulary.find([*marks, term.casefold()])
        found.append(np.where(rows[:, None] >= 0, vectors[rows], np.nan).astype(np.float64))
    return found


def mark(term: str, sample: int) -> str:
    """Return the word that stands for a term in a sample; no word of a text contains it."""
    return f"{term}{_MARK}{sample}"


def marked_corpus(
    terms: Sequence[str],
    samples: Sequence[tuple[Sample, ...]],
    words: Sequence[str],
    text: Corpus | None,
    added: Corpus | None = None,
) -> Corpus:
    """Return the background text with all samples appended, every term marked by its sample.

    `added` is another text to append without marks.

    Marked terms are kept however rare they are; other words that occur less often than
    `MIN_COUNT` times are left out.
    """
    base = text.vocabulary.words if text is not None else ()
    index = {word: number for number, word in enumerate(base)}
    sentences = list(_sentences(terms, samples, words, index))
    if added is not None:
        own = added.vocabulary.words
        codes = np.array([index.setdefault(word, len(index)) for word in own], np.int64)
        sentences += np.split(codes[added.tokens], added.starts[1:-1])
    names = np.array(list(index), object)
    is_mark = np.array([_MARK in word for word in index], bool)
    old = np.asarray(text.tokens, np.int64) if text is not None else np.empty(0, np.int64)
    tokens = np.concatenate([old, *sentences])
    lengths = [*(np.diff(text.starts).tolist() if text is not None else ()), *map(len, sentences)]
    counts = np.bincount(tokens, minlength=len(names))
    kept = (counts >= MIN_COUNT) | (is_mark & (counts > 0))
    order = sorted(np.flatnonzero(kept).tolist(), key=lambda k: (-counts[k], names[k]))
    renumbered = np.full(len(names), -1, np.int64)
    renumbered[order] = np.arange(len(order))
    inside = kept[tokens]
    ends = np.concatenate([[0], np.cumsum(inside)])[np.cumsum([0, *lengths])]
    steps = Preprocessing("spaces", "lines", lower=False, min_count=1)
    return Corpus(
        "marked text", Vocabulary(tuple(names[order])),
        renumbered[tokens[inside]].astype(np.int32), ends.astype(np.int64), steps,
        int((~inside).sum()),
    )  # fmt: skip


def _sentences(
    terms: Sequence[str],
    samples: Sequence[tuple[Sample, ...]],
    words: Sequence[str],
    index: dict[str, int],
) -> chain[Indices]:
    """The sentences of all samples as numbers of words; new words are added to the index."""

    def number(word: str) -> int:
        return index.setdefault(word, len(index))

    def encoded(term: str, sample: int, sentence: Indices) -> Indices:
        own = mark(term, sample)
        codes = (code for code in sentence.tolist() if code != UNKNOWN)
        return np.array([number(own if c == TERM else words[c]) for c in codes], np.int64)

    return chain.from_iterable(
        [encoded(term, sample, sentence) for sentence in drawn[sample]]
        for term, drawn in zip(terms, samples, strict=True)
        for sample in range(len(drawn))
    )
