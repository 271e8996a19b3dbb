"""How often words stand near each other."""

from dataclasses import dataclass, replace
from math import lcm
from typing import Literal, get_args

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.corpus import Corpus
from lexiscope.core.errors import BadData, BadUsage, UnknownName
from lexiscope.core.machine import memory
from lexiscope.core.progress import Progress, silent
from lexiscope.core.vectors import Sparse
from lexiscope.stats.assembling import assembled
from lexiscope.stats.counting import Recipe

Weights = Literal["flat", "linear", "harmonic"]

_FARTHEST = 10_000
_EXACT = 22  # 1/d is a whole number of 232,792,560ths up to here


@dataclass(frozen=True)
class Contexts:
    """Which words are the context of a word, and how much each counts.

    A word `d` places away, at most `window`, counts 1 (flat), (window - d + 1) / window (linear)
    or 1 / d (harmonic; to nine decimals where d is above 22). `dynamic` draws each centre's window
    between 1 and `window` instead. `subsample` drops occurrences of words more frequent than it
    (0 keeps all); they leave a gap, or with `delete` their neighbours close ranks, as in word2vec.
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
) -> Sparse:
    """The weighted counts of each word (row) with each context word (column), float64 CSR.

    Columns are sorted. The counts are equal for any number of threads and any limit of memory; a
    matrix beyond the limit stays in a temporary file and is mapped. See `core.machine`.
    """
    weights, scale = _whole_weights(contexts)
    recipe = _recipe(corpus, contexts, rng, weights)
    return assembled(corpus, recipe, scale, memory(), tell)


def by_position(
    corpus: Corpus, contexts: Contexts, rng: Generator, tell: Progress = silent
) -> dict[int, Sparse]:
    """For each place from -window to window but 0, how often a word has a word at that place.

    Every context counts 1. All places see the same draws. Rows are words, in CSR or CSC.
    """
    recipe = _recipe(corpus, contexts, rng, np.ones(contexts.window + 1, np.int64))
    after = list(range(1, contexts.window + 1))
    before = [-place for place in reversed(after)]
    if contexts.dynamic:
        return _at_places(corpus, recipe, [*before, *after], tell)
    # Where windows are alike, a word has another before it as often as that one has it behind.
    found = _at_places(corpus, recipe, after, tell)
    return {place: found[-place].T for place in before} | found


def _at_places(
    corpus: Corpus, recipe: Recipe, places: list[int], tell: Progress
) -> dict[int, Sparse]:
    number = len(places)
    found = {}
    for before, place in enumerate(places):

        def told(what: str, done: int, of: int, before: int = before) -> None:
            tell(what, before * of + done, number * of)

        here = replace(recipe, lowest=place, highest=place)
        found[place] = assembled(corpus, here, 1, memory(), told, number)
    return found


def _recipe(
    corpus: Corpus, contexts: Contexts, rng: Generator, weights: NDArray[np.int64]
) -> Recipe:
    dropping, drawing = rng.integers(0, 1 << 63, 2).tolist()
    often = corpus.counts
    _check_sums(corpus.name, int(often.max(initial=0)), weights)
    return Recipe(
        words=len(often),
        window=contexts.window,
        lowest=-contexts.window,
        highest=contexts.window,
        weights=weights,
        keep=_chances(often, contexts.subsample),
        delete=contexts.delete,
        dynamic=contexts.dynamic,
        seeds=(dropping, drawing),
    )


def _chances(often: NDArray[np.int64], subsample: float) -> NDArray[np.float64] | None:
    """The chance of each word to stay: sqrt(t / f) where its frequency f is above t."""
    if not subsample or not often.any():
        return None
    frequency: NDArray[np.float64] = np.maximum(often, 1) / often.sum()
    return np.minimum(np.sqrt(subsample / frequency), np.float64(1))


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


def _check_sums(name: str, most: int, weights: NDArray[np.int64]) -> None:
    if 2 * most * int(weights.sum()) > np.iinfo(np.int64).max:
        raise BadData(
            f"{name}: a word that stands there {most:,} times has sums beyond 64 bits with these"
            " weights: count parts of the text, or use flat weights."
        )
