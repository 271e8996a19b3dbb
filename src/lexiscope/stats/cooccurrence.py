"""How often words stand near each other."""

from dataclasses import dataclass
from math import lcm
from typing import Any, Literal, get_args

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.corpus import Corpus
from lexiscope.core.errors import BadData, BadUsage, UnknownName
from lexiscope.core.machine import memory
from lexiscope.core.progress import Progress, silent
from lexiscope.stats.assembling import assembled
from lexiscope.stats.counting import Recipe

Weights = Literal["flat", "linear", "harmonic"]
Matrix = Any  # scipy.sparse.csr_array, which has no types

_FARTHEST = 10_000
_EXACT = 22  # 1/d is a whole number of 232,792,560ths up to here


@dataclass(frozen=True)
class Contexts:
    """Which words are the context of a word, and how much each counts.

    A word `d` places away, at most `window`, counts 1 (flat), (window - d + 1) / window (linear)
    or 1 / d (harmonic). `dynamic` draws each centre's window between 1 and `window` instead.
    `subsample` drops occurrences of words more frequent than it (0 keeps all); they leave a gap,
    or with `delete` their neighbours close ranks, as in word2vec.
    """

    window: int = 5
    weights: Weights = "flat"
    dynamic: bool = False
    subsample: float = 0.0
    delete: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.window <= _FARTHEST:
            raise BadUsage(f"window must be between 1 and {_FARTHEST:,}, found {self.window}.")
        if self.weights not in get_args(Weights):
            raise UnknownName("weighting of contexts", str(self.weights), get_args(Weights))
        if not self.subsample >= 0:
            raise BadUsage(f"subsample must be 0 or more, found {self.subsample}.")


def cooccurrences(
    corpus: Corpus, contexts: Contexts, rng: Generator, tell: Progress = silent
) -> Matrix:
    """The weighted counts of each word (row) with each context word (column), float64 CSR.

    Columns are sorted. The counts are equal for any number of threads and any limit of memory; a
    matrix beyond the limit stays in a temporary file and is mapped. See `core.machine`.
    """
    numerators, scale = _whole_weights(contexts)
    _check_sums(corpus, numerators)
    recipe = _recipe(corpus, contexts, _seeds(rng), -contexts.window, contexts.window, numerators)
    return assembled(corpus, recipe, scale, memory(), tell)


def by_position(
    corpus: Corpus, contexts: Contexts, rng: Generator, tell: Progress = silent
) -> dict[int, Matrix]:
    """For each place from -window to window but 0, how often a word has a word at that place.

    Every context counts 1. All places see the same draws.
    """
    seeds, ones = _seeds(rng), np.ones(contexts.window + 1, np.int64)
    places = [place for place in range(-contexts.window, contexts.window + 1) if place]
    limit = memory() // len(places)
    return {
        place: assembled(
            corpus, _recipe(corpus, contexts, seeds, place, place, ones), 1, limit, tell
        )
        for place in places
    }


def _seeds(rng: Generator) -> tuple[int, int]:
    dropping, windows = rng.integers(0, 1 << 63, 2).tolist()
    return dropping, windows


def _recipe(
    corpus: Corpus,
    contexts: Contexts,
    seeds: tuple[int, int],
    lowest: int,
    highest: int,
    weights: NDArray[np.int64],
) -> Recipe:
    return Recipe(
        words=len(corpus.vocabulary),
        window=contexts.window,
        lowest=lowest,
        highest=highest,
        weights=weights,
        keep=_chances(corpus, contexts.subsample),
        delete=contexts.delete,
        dynamic=contexts.dynamic,
        seeds=seeds,
    )


def _chances(corpus: Corpus, subsample: float) -> NDArray[np.float64] | None:
    """The chance of each word to stay: sqrt(t / f) where its frequency f is above t."""
    if not subsample or not len(corpus):
        return None
    frequency = np.maximum(corpus.counts, 1) / len(corpus)
    return np.minimum(1.0, np.sqrt(subsample / frequency))


def _whole_weights(contexts: Contexts) -> tuple[NDArray[np.int64], int]:
    """Weights by distance (window + 1,) as whole numbers, and what to divide their sums by.

    Sums of whole numbers are exact, so that neither threads nor shards change a bit of them.
    """
    distance = np.arange(contexts.window + 1, dtype=np.int64)
    if contexts.weights == "flat":
        return np.minimum(distance, 1), 1
    if contexts.weights == "linear":
        return np.where(distance, contexts.window - distance + 1, 0), contexts.window
    # Departs from the paper: 1/d is rounded to nine digits where d does not divide the scale,
    # because a scale for all d of a wide window does not fit into 64 bits.
    scale = lcm(*range(1, min(contexts.window, _EXACT) + 1))
    distance[0] = 2 * scale + 1  # the word itself counts nothing
    return (2 * scale + distance) // (2 * distance), scale


def _check_sums(corpus: Corpus, weights: NDArray[np.int64]) -> None:
    most = int(corpus.counts.max(initial=0))
    if 2 * most * int(weights.sum()) > np.iinfo(np.int64).max:
        raise BadData(
            f"{corpus.name}: a word that stands there {most:,} times has sums beyond 64 bits with"
            " these weights: count parts of the text, or use flat weights."
        )
