"""Stability of neighbours over bootstrap resamples and over trainings with other seeds.

A neighbour that appears in most resamples does not depend on single sentences or documents
(Antoniak and Mimno 2018).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.term_model import Sample, Sentence, TermModel
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import Corpus
from lexiscope.core.errors import BadData
from lexiscope.core.execution import Execution
from lexiscope.core.seeding import generator
from lexiscope.experiments.consistency.joint import marked_corpus
from lexiscope.experiments.consistency.occurrences import Indices, Occurrences
from lexiscope.experiments.consistency.results import Stability, StableNeighbours
from lexiscope.experiments.consistency.source import Source, text_of
from lexiscope.experiments.consistency.summary import neighbour_stability
from lexiscope.experiments.consistency.sweep import Learning, Setup, TermJob
from lexiscope.experiments.consistency.term_scores import background_rows
from lexiscope.linalg.neighbours import neighbours
from lexiscope.metrics.consistency import directions, nearest_words

SOURCE = "resampled sentences"
DOCUMENTS = "resampled documents"
SEED = "seed"


class FoundStability(NamedTuple):
    """The agreement of neighbours over all terms, and the stable neighbours of each term."""

    overall: Stability
    terms: tuple[StableNeighbours, ...]


class Repeats(NamedTuple):
    """How often documents are resampled and seeds changed, and how many neighbours count."""

    resamples: int
    retrainings: int
    neighbours: int


def repeated_models(
    models: Mapping[str, TermModel], source: Source, learning: Learning, repeats: Repeats
) -> list[FoundStability]:
    """Learn each term from resampled documents and with other seeds, and compare neighbours."""
    found = []
    for name, model in models.items():
        if repeats.resamples:
            found.append(_resampled_model(name, model, source, learning, repeats))
        if repeats.retrainings and model.is_random(learning.background):
            found.append(_reseeded_model(name, model, source, learning, repeats))
    return found


def _resampled_model(
    name: str, model: TermModel, source: Source, learning: Learning, repeats: Repeats
) -> FoundStability:
    """Learn each term from bootstrap resamples of the documents, or of its sentences."""
    bounds = None if source.corpus is None else source.corpus.documents
    jobs = [
        TermJob(each.term, f"resamples {repeats.resamples}", samples)
        for each, samples in zip(
            source.sampled.occurrences,
            _resampled_terms(source.sampled.occurrences, bounds, learning.setup, repeats.resamples),
            strict=True,
        )
    ]
    documents = bounds is not None and len(bounds) > 2
    vectors = learning.vectors(name, model, jobs)
    return _over_vectors(
        name, DOCUMENTS if documents else SOURCE, jobs, vectors, learning, repeats.neighbours
    )


def _reseeded_model(
    name: str, model: TermModel, source: Source, learning: Learning, repeats: Repeats
) -> FoundStability:
    """Learn each term from all its sentences with several seeds."""
    jobs = [
        TermJob(each.term, "all sentences", (each.sentences,))
        for each in source.sampled.occurrences
    ]
    seeds = range(learning.setup.seed, learning.setup.seed + repeats.retrainings)
    runs = [learning.with_seed(seed).vectors(name, model, jobs) for seed in seeds]
    vectors = [np.concatenate(of_term) for of_term in zip(*runs, strict=True)]
    return _over_vectors(name, SEED, jobs, vectors, learning, repeats.neighbours)


def _over_vectors(
    name: str,
    source: str,
    jobs: Sequence[TermJob],
    vectors: Sequence[Floats],
    learning: Learning,
    number: int,
) -> FoundStability:
    """Compare the nearest background words of the vectors of each term; itself is left out."""
    background = learning.background
    own = background_rows([job.term for job in jobs], background)
    lists: dict[str, list[list[str]]] = {}
    for job, found, row in zip(jobs, vectors, own.tolist(), strict=True):
        known = found[np.isfinite(found).all(axis=1)]
        if len(known) < 2:
            continue
        nearest = nearest_words(directions(known), background.vectors, number + 1)
        rows = [[k for k in each if k != row][:number] for each in nearest.tolist()]
        lists[job.term] = [[background.words[k] for k in each] for each in rows]
    return _found_stability(name, source, lists)


def _found_stability(
    name: str, source: str, lists: Mapping[str, list[list[str]]]
) -> FoundStability:
    if not lists:
        raise BadData(f"{name}: no term is a word of two or more of the trained vectors.")
    overall = neighbour_stability(name, source, lists)
    return FoundStability(
        overall, tuple(_stable(name, term, found) for term, found in lists.items())
    )


def _resampled_terms(
    occurrences: Sequence[Occurrences], bounds: Indices | None, setup: Setup, resamples: int
) -> list[tuple[Sample, ...]]:
    """The sentences of each term in each resample.

    All terms have the same resampled documents. In a text of one document, and in published
    samples, the sentences of each term are resampled.
    """
    if bounds is None or len(bounds) <= 2:
        return [_resampled(each.term, each.sentences, setup, resamples) for each in occurrences]
    drawn = _drawn_documents(bounds, setup, resamples)
    return [_of_documents(each, bounds, drawn) for each in occurrences]


def _drawn_documents(bounds: Indices, setup: Setup, resamples: int) -> Indices:
    number = len(bounds) - 1
    rng = generator(setup.seed, "resampled documents", setup.text)
    return rng.integers(number, size=(resamples, number))


def _of_documents(found: Occurrences, bounds: Indices, drawn: Indices) -> tuple[Sample, ...]:
    """The sentences of a term in the documents of each resample."""
    document = np.searchsorted(bounds, found.numbers, "right") - 1
    inside: dict[int, list[Sentence]] = {}
    for number, sentence in zip(document.tolist(), found.sentences, strict=True):
        inside.setdefault(number, []).append(sentence)
    return tuple(
        tuple(sentence for number in row for sentence in inside.get(number, ()))
        for row in drawn.tolist()
    )


def repeated_trainers(
    trainers: Mapping[str, Trainer],
    source: Source,
    other_text: Corpus | None,
    terms: Sequence[str],
    seed: int,
    repeats: Repeats,
    execution: Execution,
) -> list[FoundStability]:
    """Train each trainer on resampled documents and with other seeds, and compare neighbours."""
    if not trainers or not (repeats.resamples or repeats.retrainings):
        return []
    text, found = text_of(source.corpus), []
    resampling = DOCUMENTS if len(text.documents) > 2 else SOURCE
    for name, trainer in trainers.items():
        for number, what, runs in (
            (repeats.resamples, resampling, _resampled_texts(text, other_text, seed, repeats)),
            (repeats.retrainings, SEED, _reseeded(joined(text, other_text), seed, repeats)),
        ):
            if number:
                trained = _Repeated(name, what, trainer, number, repeats.neighbours)
                found.append(_over_trainings(trained, runs, terms, execution))
    return found


def _reseeded(corpus: Corpus, seed: int, repeats: Repeats) -> Iterator[tuple[Corpus, Generator]]:
    """The same text with several seeds, after Hellrich and Hahn 2016."""
    for run in range(repeats.retrainings):
        yield corpus, generator(seed + run, "retraining", corpus.fingerprint)


def _resampled_texts(
    text: Corpus, other_text: Corpus | None, seed: int, repeats: Repeats
) -> Iterator[tuple[Corpus, Generator]]:
    """Bootstrap resamples of the documents of a text, after Antoniak and Mimno 2018.

    A text of one document is resampled by sentences. All trainings have the same seed, and
    `other_text`, if given, is added to each resample as it is.
    """
    drawn = generator(seed, "resampled documents", text.fingerprint)
    for _ in range(repeats.resamples):
        rng = generator(seed, "retraining", text.fingerprint)
        yield joined(resampled(text, drawn), other_text), rng


def joined(text: Corpus, other: Corpus | None) -> Corpus:
    """Return the text, added to the background text if there is one, without its rare words."""
    return marked_corpus((), (), (), other, text)


def resampled(text: Corpus, rng: Generator) -> Corpus:
    """Draw as many documents as the text has, with replacement; of one document, sentences."""
    bounds = text.documents
    if len(bounds) <= 2:
        bounds = np.arange(text.sentences + 1)
    drawn = rng.integers(len(bounds) - 1, size=len(bounds) - 1)
    sentences = np.concatenate([np.arange(bounds[k], bounds[k + 1]) for k in drawn.tolist()])
    lengths = np.diff(text.starts)[sentences]
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    tokens = np.repeat(text.starts[:-1][sentences] - ends[:-1], lengths) + np.arange(ends[-1])
    documents = np.concatenate([[0], np.cumsum(np.diff(bounds)[drawn])]).astype(np.int64)
    return replace(text, tokens=text.tokens[tokens], starts=ends, documents=documents)


class _Repeated(NamedTuple):
    name: str
    source: str
    trainer: Trainer
    number: int  # of trainings
    neighbours: int


def _over_trainings(
    repeated: _Repeated,
    runs: Iterable[tuple[Corpus, Generator]],
    terms: Sequence[str],
    execution: Execution,
) -> FoundStability:
    """Train on each corpus with its generator, and compare the neighbours of the terms.

    Terms of several words, and terms that the trainer leaves out, are not compared.
    """
    lists: dict[str, list[list[str]]] = {}
    what = f"Training {repeated.name} again"
    for run, (corpus, rng) in enumerate(runs):
        execution.progress(what, run, repeated.number)
        embedding = repeated.trainer.train(corpus, rng)
        known = [term for term in terms if term in embedding]
        for term, found in neighbours(embedding, known, repeated.neighbours).items():
            lists.setdefault(term, []).append([each.word for each in found])
    execution.progress(what, repeated.number, repeated.number)
    several = {term: found for term, found in lists.items() if len(found) > 1}
    return _found_stability(repeated.name, repeated.source, several)


def _resampled(term: str, sentences: Sample, setup: Setup, resamples: int) -> tuple[Sample, ...]:
    rng = generator(setup.seed, "resamples", setup.text, term)
    drawn = rng.integers(len(sentences), size=(resamples, len(sentences)))
    return tuple(tuple(sentences[k] for k in row) for row in drawn.tolist())


def _stable(name: str, term: str, lists: list[list[str]]) -> StableNeighbours:
    """The neighbours in at least half of the resamples, with their proportions."""
    counts = Counter(word for each in lists for word in each)
    often = [(word, number / len(lists)) for word, number in counts.most_common()]
    kept = [(word, share) for word, share in often if share >= 0.5]
    return StableNeighbours(name, term, len(lists), tuple(kept))
