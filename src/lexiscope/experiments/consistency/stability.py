"""Stability of neighbours over bootstrap resamples of sentences (Antoniak and Mimno 2018).

A neighbour that appears in most resamples does not depend on single sentences.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from lexiscope.core.contracts.term_model import Background, TermModel
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import Corpus
from lexiscope.core.errors import BadData
from lexiscope.core.execution import Execution
from lexiscope.core.seeding import generator
from lexiscope.experiments.consistency.results import Stability, StableNeighbours
from lexiscope.experiments.consistency.samples import SampledTerms
from lexiscope.experiments.consistency.summary import background_rows, neighbour_stability
from lexiscope.experiments.consistency.sweep import Setup, TermJob, learn
from lexiscope.linalg.neighbours import neighbours
from lexiscope.metrics.consistency import directions, nearest_words
from lexiscope.store.store import Store

SOURCE = "resampled sentences"


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
    lists: dict[str, list[list[str]]] = {}
    for run in range(retrainings):
        execution.progress(f"Training {name} again", run, retrainings)
        embedding = trainer.train(corpus, generator(seed + run, "retraining", corpus.fingerprint))
        known = [term for term in terms if term in embedding]
        for term, found in neighbours(embedding, known, number).items():
            lists.setdefault(term, []).append([each.word for each in found])
    execution.progress(f"Training {name} again", retrainings, retrainings)
    if not lists:
        raise BadData(f"{name}: no term is a word of the trained vectors.")
    overall = neighbour_stability(name, "seed", lists)
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
