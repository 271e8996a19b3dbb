"""Contexts of terms and of words: weights of context words, and sums of their vectors.

Sentence `s` is codes[starts[s]:starts[s + 1]]; a code is a row of the background, -1 for an unknown
word, or -2 for an occurrence of the term.
"""

import numpy as np
from numba import njit

_TERM = -2


@njit(nogil=True, cache=True, boundscheck=False)
def window_weights(codes, starts, counted, window, weights):
    """Count, for each word, the occurrences of the term within `window` positions.

    `counted` (tokens,) says which tokens take up a position; the others are ignored. Writes
    `weights` (tokens,), 0 for unknown words and the term.
    """
    line = np.empty(codes.shape[0], np.int64)
    for sentence in range(starts.shape[0] - 1):
        length = 0
        for token in range(starts[sentence], starts[sentence + 1]):
            weights[token] = 0.0
            if counted[token]:
                line[length] = token
                length += 1
        for position in range(length):
            if codes[line[position]] != _TERM:
                continue
            end = length if window >= length - position else position + window + 1
            for near in range(max(0, position - window), end):
                if codes[line[near]] >= 0:
                    weights[line[near]] += 1.0


@njit(nogil=True, cache=True, boundscheck=False)
def sentence_weights(codes, starts, counted, weights):
    """Write 1 for each counted word of a sentence that contains the term, else 0."""
    for sentence in range(starts.shape[0] - 1):
        has_term = False
        for token in range(starts[sentence], starts[sentence + 1]):
            has_term |= codes[token] == _TERM
        for token in range(starts[sentence], starts[sentence + 1]):
            weights[token] = 1.0 if has_term and counted[token] and codes[token] >= 0 else 0.0


@njit(nogil=True, cache=True, boundscheck=False)
def keep_first(codes, bounds, seen, weights):
    """Set the weight of all but the first weighted token of each word to 0, sample by sample.

    Sample `s` is the tokens from bounds[s] to bounds[s + 1]. `seen` (words,) is -1 at the start.
    """
    for sample in range(bounds.shape[0] - 1):
        for token in range(bounds[sample], bounds[sample + 1]):
            if weights[token] > 0.0:
                weights[token] = 0.0 if seen[codes[token]] == sample else 1.0
                seen[codes[token]] = sample


@njit(nogil=True, cache=True, boundscheck=False)
def weighted_sums(codes, bounds, weights, vectors, sums):
    """Add weight times vector of each token of a sample to `sums` (samples, dimension)."""
    for sample in range(bounds.shape[0] - 1):
        for token in range(bounds[sample], bounds[sample + 1]):
            weight = weights[token]
            if weight > 0.0:
                row = codes[token]
                for k in range(sums.shape[1]):
                    sums[sample, k] += weight * vectors[row, k]


@njit(nogil=True, cache=True, boundscheck=False)
def word_context_sums(codes, starts, window, vectors, slots, sums, counts):
    """Add the vectors within `window` tokens of each word to `sums` (slots, dimension).

    `slots` (words,) is the row of a word in `sums` and `counts`, -1 if there is none. Unknown words
    take up a position. A running sum makes the time independent of the window.
    """
    dimension = sums.shape[1]
    around = np.empty(dimension, np.float64)
    for sentence in range(starts.shape[0] - 1):
        begin, end = starts[sentence], starts[sentence + 1]
        around[:] = 0.0
        ahead = begin  # the first token that is not yet in the running sum
        for token in range(begin, end):
            last = end if window >= end - token else token + window + 1
            while ahead < last:
                if codes[ahead] >= 0:
                    for k in range(dimension):
                        around[k] += vectors[codes[ahead], k]
                ahead += 1
            behind = token - window - 1
            if behind >= begin and codes[behind] >= 0:
                for k in range(dimension):
                    around[k] -= vectors[codes[behind], k]
            if codes[token] >= 0 and slots[codes[token]] >= 0:
                slot = slots[codes[token]]
                counts[slot] += 1
                for k in range(dimension):
                    sums[slot, k] += around[k] - vectors[codes[token], k]
