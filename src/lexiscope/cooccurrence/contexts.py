"""Co-occurrence counts of words within context windows."""

from dataclasses import dataclass, replace
from math import lcm
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.cooccurrence.assembly import count_corpus
from lexiscope.cooccurrence.shards import CountSettings
from lexiscope.core.contracts.settings import Configurable, setting
from lexiscope.core.corpus import Corpus
from lexiscope.core.errors import BadData
from lexiscope.core.progress import Progress, silent
from lexiscope.core.vectors import Sparse

Weights = Literal["flat", "linear", "harmonic"]

_MAX_WINDOW = 10_000
_MAX_EXACT_DISTANCE = 22  # up to here, 1 / d is an integer multiple of 1 / 232,792,560


@dataclass(frozen=True)
class Contexts(Configurable):
    """Definition of a word's contexts and their weights.

    A word at distance d, at most `window`, counts 1 (flat), (window - d + 1) / window (linear) or
    1 / d (harmonic; to nine decimals where d is above 22). `dynamic_window` samples the window size
    of each centre word from 1 to `window`. `subsample` is the relative frequency above which
    occurrences of a word are randomly dropped (0 keeps all). Dropped tokens leave a gap, or are
    deleted before windows are formed (`delete`), as in word2vec.
    """

    window: int = setting(5, minimum=1, maximum=_MAX_WINDOW)
    weights: Weights = setting("flat")
    dynamic_window: bool = setting(False)
    subsample: float = setting(0.0, minimum=0)
    delete: bool = setting(False)


def cooccurrences(
    corpus: Corpus, contexts: Contexts, rng: Generator, progress: Progress = silent
) -> Sparse:
    """Weighted counts of each word (row) with each context word (column), float64 CSR.

    Columns are sorted. The counts do not depend on the number of threads or the memory limit; a
    matrix beyond the limit is memory-mapped from a temporary file. See `core.machine`.
    """
    weights, scale = _integer_weights(contexts)
    settings = _count_settings(corpus, contexts, rng, weights)
    return count_corpus(corpus, settings, scale, progress)


def by_position(
    corpus: Corpus, contexts: Contexts, rng: Generator, progress: Progress = silent
) -> dict[int, Sparse]:
    """Co-occurrence counts for each relative position from -window to window except 0.

    Every context counts 1. All positions use the same subsampling and windows. Rows are words, in
    CSR or CSC.
    """
    settings = _count_settings(corpus, contexts, rng, np.ones(contexts.window + 1, np.int64))
    following = list(range(1, contexts.window + 1))
    preceding = [-position for position in reversed(following)]
    if contexts.dynamic_window:
        return _count_positions(corpus, settings, [*preceding, *following], progress)
    # With fixed windows the counts of position -d are the transpose of those of d.
    counts = _count_positions(corpus, settings, following, progress)
    return {position: counts[-position].T for position in preceding} | counts


def _count_positions(
    corpus: Corpus, settings: CountSettings, positions: list[int], progress: Progress
) -> dict[int, Sparse]:
    counts = {}
    for number, position in enumerate(positions):
        at_position = replace(settings, lowest=position, highest=position)
        counts[position] = count_corpus(corpus, at_position, 1, progress, number, len(positions))
    return counts


def _count_settings(
    corpus: Corpus, contexts: Contexts, rng: Generator, weights: NDArray[np.int64]
) -> CountSettings:
    drop_seed, window_seed = rng.integers(0, 1 << 63, 2).tolist()
    counts = corpus.counts
    _check_sums(corpus.name, int(counts.max(initial=0)), weights)
    return CountSettings(
        words=len(counts),
        window=contexts.window,
        lowest=-contexts.window,
        highest=contexts.window,
        weights=weights,
        keep=_keep_probabilities(counts, contexts.subsample),
        delete=contexts.delete,
        dynamic_window=contexts.dynamic_window,
        seeds=(drop_seed, window_seed),
    )


def _keep_probabilities(counts: NDArray[np.int64], subsample: float) -> NDArray[np.float64] | None:
    """Probability of each word to survive subsampling: sqrt(t / f), at most 1."""
    if not subsample or not counts.any():
        return None
    frequency: NDArray[np.float64] = np.maximum(counts, 1) / counts.sum()
    return np.minimum(np.sqrt(subsample / frequency), np.float64(1))


def _integer_weights(contexts: Contexts) -> tuple[NDArray[np.int64], int]:
    """Integer weights by distance (window + 1,), and the scale to divide their sums by.

    Sums of integers are exact, so they do not depend on threads or shards.
    """
    distance = np.arange(contexts.window + 1, dtype=np.int64)
    if contexts.weights == "flat":
        return np.minimum(distance, 1), 1
    if contexts.weights == "linear":
        return np.where(distance, contexts.window - distance + 1, 0), contexts.window
    # Departs from the paper: 1/d is rounded to nine digits where d does not divide the scale,
    # because a scale for all d of a wide window does not fit into 64 bits.
    scale = lcm(*range(1, min(contexts.window, _MAX_EXACT_DISTANCE) + 1))
    distance[0] = 2 * scale + 1  # so that the weight of the word itself is 0
    return (2 * scale + distance) // (2 * distance), scale


def _check_sums(name: str, highest_count: int, weights: NDArray[np.int64]) -> None:
    """Raise an error if the weighted counts of a word may overflow 64 bits."""
    if 2 * highest_count * int(weights.sum()) > np.iinfo(np.int64).max:
        raise BadData(
            f"{name}: the weighted counts of a word that occurs {highest_count:,} times overflow"
            " 64 bits: count parts of the text, or use flat weights."
        )
