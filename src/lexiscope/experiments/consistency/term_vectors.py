"""The vectors that a model learns from the samples of all terms, and from samples of each size."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.term_model import Sample, TermModel
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import Corpus
from lexiscope.experiments.consistency.joint import MarkedSamples, learn_jointly
from lexiscope.experiments.consistency.results import TermVectors
from lexiscope.experiments.consistency.samples import SampledTerms
from lexiscope.experiments.consistency.source import Source
from lexiscope.experiments.consistency.sweep import Learning, TermJob
from lexiscope.experiments.consistency.term_scores import background_rows


def learned(
    name: str,
    model: TermModel,
    sampled: SampledTerms,
    learning: Learning,
) -> TermVectors:
    """The vectors of all samples of all terms, and of samples of increasing size."""
    jobs = [TermJob(each.term, "sample", each.samples) for each in sampled.terms]
    background = learning.background
    vectors = learning.vectors(name, model, jobs)
    rows = np.asarray(background_rows([each.term for each in sampled.terms], background))
    known = rows >= 0
    own = np.full((len(jobs), background.dimension), np.nan)
    own[known] = background.vectors[rows[known]]
    counts = np.zeros(len(jobs), np.int64)
    if background.counts is not None:
        counts[known] = background.counts[rows[known]]
    return TermVectors(
        name,
        sampled.rule.split,
        tuple(each.term for each in sampled.terms),
        np.array([each.frequency for each in sampled.terms], np.int64),
        None if background.counts is None else counts,
        tuple(vectors),
        tuple(each.sizes for each in sampled.terms),
        own,
        _by_size(name, model, sampled, learning),
    )


def learned_jointly(
    name: str, trainer: Trainer, source: Source, text: Corpus | None, learning: Learning
) -> TermVectors:
    """The vectors of a trainer on marked text; they are in a space of their own.

    For the size effect, the samples of each size are marked and trained in turn.
    """
    sampled = source.encode(source.words)
    drawn = sampled.by_size(learning.setup.seed)
    terms = tuple(each.term for each in sampled.terms)
    execution, stages = learning.execution, 1 + len(drawn)

    def trained(stage: int, samples: Sequence[tuple[Sample, ...]]) -> list[Floats]:
        execution.progress(f"Training {name} on marked text", stage, stages)
        marked = MarkedSamples(terms, tuple(samples), source.words)
        return learn_jointly(name, trainer, marked, text, learning)

    vectors = trained(0, [each.samples for each in sampled.terms])
    by_size = {
        size: _both(trained(stage, [e.samples if e else () for e in each]))
        for stage, (size, each) in enumerate(drawn.items(), 1)
        if any(each)
    }
    execution.progress(f"Training {name} on marked text", stages, stages)
    return TermVectors(
        name,
        sampled.rule.split,
        terms,
        np.array([each.frequency for each in sampled.terms], np.int64),
        _counts_in(text, terms),
        tuple(each[:-1] for each in vectors),
        tuple(each.sizes for each in sampled.terms),
        np.array([each[-1] for each in vectors]),
        by_size,
        in_background=False,
    )


def _both(vectors: Sequence[Floats]) -> tuple[Floats, ...]:
    """The vectors of two samples of each term; NaN for a term that has no samples of this size."""
    missing = np.full((2, vectors[0].shape[1]), np.nan)
    return tuple(each[:-1] if len(each) > 1 else missing for each in vectors)


def _counts_in(text: Corpus | None, terms: Sequence[str]) -> NDArray[np.int64] | None:
    """How often each term occurs in the background text; 0 for terms of several words."""
    if text is None:
        return None
    rows = text.vocabulary.find([term.casefold() for term in terms])
    return np.where(rows >= 0, np.asarray(text.counts)[rows], 0).astype(np.int64)


def _by_size(
    name: str, model: TermModel, sampled: SampledTerms, learning: Learning
) -> dict[int, tuple[Floats, ...]]:
    """The vectors of two samples of each size; NaN for a term with too few sentences."""
    drawn = sampled.by_size(learning.setup.seed)
    empty = np.full((2, learning.background.dimension), np.nan)
    found = {}
    for size, terms in drawn.items():
        jobs = [TermJob(each.term, f"size {size}", each.samples) for each in terms if each]
        vectors = iter(learning.vectors(name, model, jobs))
        found[size] = tuple(next(vectors) if each else empty for each in terms)
    return found
