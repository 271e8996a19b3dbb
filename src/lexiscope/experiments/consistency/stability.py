"""Stability of neighbours over bootstrap resamples and over trainings with other seeds.

A neighbour that appears in most resamples does not depend on single sentences or documents
(Antoniak and Mimno 2018).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.term_model import Background, TermModel
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import Corpus
from lexiscope.core.errors import BadData
from lexiscope.core.execution import Execution
from lexiscope.core.seeding import generator
from lexiscope.experiments.consistency.joint import marked_corpus
from lexiscope.experiments.consistency.results import Stability, StableNeighbours
from lexiscope.experiments.consistency.samples import SampledTerms
from lexiscope.experiments.consistency.summary import neighbour_stability
from lexiscope.experiments.consistency.sweep import Setup, TermJob, learn
from lexiscope.experiments.consistency.term_scores import background_rows
from lexiscope.linalg.neighbours import neighbours
from lexiscope.metrics.consistency import directions, nearest_words
from lexiscope.store.store import Store

SOURCE = "resampled sentences"
DOCUMENTS = "resampled documents"


class FoundStability(NamedTuple):
    """The agreement of neighbours over all terms, and the stable neighbours of each term."""

    overall: Stability
    terms: tuple[StableNeighbours, ...]


def stability(
    name: str,
    model: TermModel,
    sampled: SampledTerms,
    background: Background,
    setup: Setup,
    store: Store,
    execution: Execution,
    resamples: int,
    number: int,
) -> FoundStability:
    """Learn each term from bootstrap resamples of all its sentences, and compare neighbours.

    Parameters
    ----------
    resamples : int
        How many resamples, with replacement, of as many sentences as the term has.
    number : int
        How many nearest background words are compared; the term itself is left out.
    """
    jobs = [
        TermJob(each.term, f"resamples {resamples}", _resampled(each.term, each.sentences,
                setup, resamples))
        for each in sampled.occurrences
    ]  # fmt: skip
    vectors = learn(name, model, jobs, background, setup, store, execution)
    own = background_rows([job.term for job in jobs], background)
    lists: dict[str, list[list[str]]] = {}
    for job, found, row in zip(jobs, vectors, own.tolist(), strict=True):
        known = found[np.isfinite(found).all(axis=1)]
        if len(known) < 2:
            continue
        nearest = nearest_words(directions(known), background.vectors, number + 1)
        rows = [[k for k in each if k != row][:number] for each in nearest.tolist()]
        lists[job.term] = [[background.words[k] for k in each] for each in rows]
    overall = neighbour_stability(name, SOURCE, lists)
    return FoundStability(
        overall, tuple(_stable(name, term, found) for term, found in lists.items())
    )


def reliability(
    name: str,
    trainer: Trainer,
    corpus: Corpus,
    terms: Sequence[str],
    retrainings: int,
    seed: int,
    number: int,
    execution: Execution,
) -> FoundStability:
    """Train on the same text with several seeds, and compare the neighbours of each term.

    After Hellrich and Hahn 2016. Terms of several words, and terms that the trainer leaves out,
    are not compared.
    """
    runs = (
        (corpus, generator(seed + run, "retraining", corpus.fingerprint))
        for run in range(retrainings)
    )
    return _over_trainings(name, "seed", trainer, runs, terms, retrainings, number, execution)


def document_stability(
    name: str,
    trainer: Trainer,
    text: Corpus,
    other_text: Corpus | None,
    terms: Sequence[str],
    resamples: int,
    seed: int,
    number: int,
    execution: Execution,
) -> FoundStability:
    """Train on bootstrap resamples of the documents of a text, and compare neighbours.

    After Antoniak and Mimno 2018. A text of one document is resampled by sentences. All trainings
    have the same seed, and `other_text`, if given, is added to each resample as it is.
    """
    source = DOCUMENTS if len(text.documents) > 2 else SOURCE
    drawn = generator(seed, "resampled documents", text.fingerprint)
    runs = (
        (
            joined(resampled(text, drawn), other_text),
            generator(seed, "retraining", text.fingerprint),
        )
        for _ in range(resamples)
    )
    return _over_trainings(name, source, trainer, runs, terms, resamples, number, execution)


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


def _over_trainings(
    name: str,
    source: str,
    trainer: Trainer,
    runs: Iterable[tuple[Corpus, Generator]],
    terms: Sequence[str],
    repeats: int,
    number: int,
    execution: Execution,
) -> FoundStability:
    """Train on each corpus with its generator, and compare the neighbours of the terms."""
    lists: dict[str, list[list[str]]] = {}
    for run, (corpus, rng) in enumerate(runs):
        execution.progress(f"Training {name} again", run, repeats)
        embedding = trainer.train(corpus, rng)
        known = [term for term in terms if term in embedding]
        for term, found in neighbours(embedding, known, number).items():
            lists.setdefault(term, []).append([each.word for each in found])
    execution.progress(f"Training {name} again", repeats, repeats)
    lists = {term: found for term, found in lists.items() if len(found) > 1}
    if not lists:
        raise BadData(f"{name}: no term is a word of two or more of the trained vectors.")
    overall = neighbour_stability(name, source, lists)
    return FoundStability(
        overall, tuple(_stable(name, term, found) for term, found in lists.items())
    )


def _resampled(
    term: str, sentences: tuple[np.ndarray, ...], setup: Setup, resamples: int
) -> tuple[tuple[np.ndarray, ...], ...]:
    rng = generator(setup.seed, "resamples", setup.text, term)
    drawn = rng.integers(len(sentences), size=(resamples, len(sentences)))
    return tuple(tuple(sentences[k] for k in row) for row in drawn.tolist())


def _stable(name: str, term: str, lists: list[list[str]]) -> StableNeighbours:
    """The neighbours in at least half of the resamples, with their proportions."""
    counts = Counter(word for each in lists for word in each)
    often = [(word, number / len(lists)) for word, number in counts.most_common()]
    kept = [(word, share) for word, share in often if share >= 0.5]
    return StableNeighbours(name, term, len(lists), tuple(kept))
