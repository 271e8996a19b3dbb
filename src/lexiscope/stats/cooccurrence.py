"""How often words stand near each other."""

from dataclasses import dataclass
from math import lcm
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.corpus import Corpus
from lexiscope.core.progress import Progress, silent
from lexiscope.kernels.cooccurrence import pair_keys, summed

Weights = Literal["flat", "linear", "harmonic"]
Matrix = Any  # scipy.sparse.csr_array, which has no types


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


def cooccurrences(
    corpus: Corpus, contexts: Contexts, rng: Generator, tell: Progress = silent
) -> Matrix:
    """The weighted counts of each word (row) with each context word (column), float64 CSR."""
    from scipy.sparse import csr_array

    words = len(corpus.vocabulary)
    numerators, scale = _whole_weights(contexts)
    shift = max(1, (contexts.window - 1).bit_length())
    keys = np.empty(len(corpus) * contexts.window, np.int64)
    args = corpus.tokens, corpus.starts, 0, corpus.sentences, contexts.window, words, shift, keys
    keys = keys[: pair_keys(*args)]
    keys.sort()
    pairs, sums = np.empty_like(keys), np.empty_like(keys)
    number = summed(keys, shift, numerators, pairs, sums)
    rows, columns = np.divmod(pairs[:number], words)
    half = csr_array((sums[:number] / scale, (rows, columns)), (words, words))
    return (half + half.T).tocsr()


def _whole_weights(contexts: Contexts) -> tuple[NDArray[np.int64], int]:
    """Weights by distance as whole numbers, and what to divide their sums by."""
    window = contexts.window
    if contexts.weights == "flat":
        return np.ones(window, np.int64), 1
    if contexts.weights == "linear":
        return np.arange(window, 0, -1, dtype=np.int64), window
    scale = lcm(*range(1, window + 1))
    return np.array([scale // d for d in range(1, window + 1)], np.int64), scale
