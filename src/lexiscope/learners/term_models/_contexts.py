"""Samples as flat arrays for the kernels, and sums of the vectors of context words."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.term_model import TERM, Background, Sample, Sentence
from lexiscope.core.errors import BadData
from lexiscope.kernels import term_contexts as kernels

Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class FlatSamples:
    """The sentences of all samples in one array.

    Attributes
    ----------
    codes : ndarray of shape (tokens,)
        Rows of the background, UNKNOWN or TERM.
    starts : ndarray of shape (sentences + 1,)
        Sentence `s` is codes[starts[s]:starts[s + 1]].
    samples : ndarray of shape (samples + 1,)
        Sample `s` is the sentences from samples[s] to samples[s + 1].
    """

    codes: Indices
    starts: Indices
    samples: Indices

    @property
    def bounds(self) -> Indices:
        """Sample `s` is codes[bounds[s]:bounds[s + 1]]."""
        return self.starts[self.samples]

    def __len__(self) -> int:
        return len(self.samples) - 1


def flat_samples(samples: Sequence[Sample], background: Background) -> FlatSamples:
    """Concatenate samples; an error if a code or a shape is not valid for the kernels."""
    words = len(background.words)
    for rows in (background.vectors, background.counts, background.output):
        if rows is not None and len(rows) != words:
            raise BadData(f"The background has {words:,} words, but an array of {len(rows):,}.")
    codes, starts = _flat_sentences(chain.from_iterable(samples), words)
    return FlatSamples(codes, starts, _boundaries(map(len, samples)))


def _flat_sentences(sentences: Iterable[Sentence], words: int) -> tuple[Indices, Indices]:
    """Concatenate sentences; returns the codes and the start of each sentence."""
    listed = [np.asarray(sentence) for sentence in sentences]
    starts = _boundaries(map(len, listed))
    if not starts[-1]:
        return np.empty(0, np.int64), starts
    codes = np.concatenate([sentence for sentence in listed if len(sentence)])
    if codes.dtype.kind != "i" or codes.min() < TERM or codes.max() >= words:
        raise BadData(  # kernels do not check bounds
            f"The codes of sentences must be integers from {TERM} to {words - 1:,}, found "
            f"{codes.min()} to {codes.max()} ({codes.dtype})."
        )
    return codes.astype(np.int64, copy=False), starts


def _boundaries(lengths: Iterable[int]) -> Indices:
    return np.cumsum([0, *lengths], dtype=np.int64)


def context_sums(flat: FlatSamples, weights: Floats, background: Background) -> Floats:
    """The weighted sum of the vectors of each sample; NaN where all weights are 0."""
    sums = np.zeros((len(flat), background.dimension))
    vectors = kernel_table(background.vectors)
    kernels.weighted_sums(flat.codes, flat.bounds, weights, vectors, sums)
    sums[~has_weight(flat, weights)] = np.nan
    return sums


def has_weight(flat: FlatSamples, weights: Floats) -> Flags:
    """Whether a sample has a context word."""
    before = np.concatenate([[0], np.cumsum(weights > 0)])
    return np.asarray(np.diff(before[flat.bounds]) > 0)


def window_weights(flat: FlatSamples, counted: Flags, window: int) -> Floats:
    """The number of occurrences of the term within `window` positions of each word."""
    weights = np.zeros(len(flat.codes))
    kernels.window_weights(flat.codes, flat.starts, counted, window, weights)
    return weights


def sentence_weights(flat: FlatSamples, counted: Flags) -> Floats:
    """1 for each counted word of a sentence with the term."""
    weights = np.zeros(len(flat.codes))
    kernels.sentence_weights(flat.codes, flat.starts, counted, weights)
    return weights


def type_weights(flat: FlatSamples, counted: Flags, words: int) -> Floats:
    """1 for the first counted token of each word in a sample."""
    weights = sentence_weights(flat, counted)
    kernels.keep_first(flat.codes, flat.bounds, np.full(words, -1, np.int64), weights)
    return weights


def subsampled(
    flat: FlatSamples, counts: Indices, subsample: float, generators: Sequence[Generator]
) -> Flags:
    """Which tokens stay, by the rule of word2vec; each sample has its own generator."""
    uniform = [
        rng.random(size)
        for rng, size in zip(generators, np.diff(flat.bounds).tolist(), strict=True)
    ]
    keep = keep_probability(counts, subsample)
    known = flat.codes >= 0
    probability = np.where(known, keep[np.where(known, flat.codes, 0)], 1.0)
    return np.asarray(np.concatenate([np.empty(0), *uniform]) < probability)


def keep_probability(counts: Indices, subsample: float) -> Floats:
    """min(1, sqrt(t / f) + t / f) for relative frequencies f; 1 for words that never occur."""
    ratio = np.full(len(counts), np.inf)
    np.divide(subsample * counts.sum(), counts, out=ratio, where=counts > 0)
    return np.asarray(np.minimum(1.0, np.sqrt(ratio) + ratio))


def generators_of(generator: Callable[[int], Generator], number: int) -> list[Generator]:
    """The generator of each sample."""
    return [generator(sample) for sample in range(number)]


def kernel_table(table: NDArray[Any]) -> NDArray[np.float32]:
    """A table as the kernels expect it; a copy only if it is not stored row by row."""
    return np.ascontiguousarray(table, np.float32)
