"""Pairs of words that stand near each other, as sortable keys."""

import numpy as np
from numba import njit


@njit(nogil=True, cache=True, boundscheck=False)
def pair_keys(tokens, starts, first, last, window, words, shift, keys):
    """Write a key for each pair of tokens at most `window` apart within a sentence.

    A key is (smaller * words + larger) << shift | distance - 1, for the sentences from `first`
    up to `last`; returns how many keys were written.
    """
    number = 0
    for sentence in range(first, last):
        begin = starts[sentence]
        for i in range(begin, starts[sentence + 1]):
            centre = np.int64(tokens[i])
            for j in range(max(begin, i - window), i):
                other = np.int64(tokens[j])
                pair = centre * words + other if centre < other else other * words + centre
                keys[number] = (pair << shift) | (i - j - 1)
                number += 1
    return number


@njit(nogil=True, cache=True, boundscheck=False)
def summed(keys, shift, weights, pairs, sums):
    """Add up the weights of equal pairs in sorted `keys`; returns how many pairs there are."""
    number = -1
    mask = (1 << shift) - 1
    last = np.int64(-1)
    for k in range(keys.shape[0]):
        pair = keys[k] >> shift
        if pair != last:
            number += 1
            last = pair
            pairs[number] = pair
            sums[number] = 0
        sums[number] += weights[keys[k] & mask]
    return number + 1
