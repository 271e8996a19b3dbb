"""Loops over words in a block of UTF-8: hashes, look-up, first occurrences, selection.

Word k is block[ends[k - 1]:ends[k]], where ends[-1] stands for 0. `hashes` are sorted, and
`order` has the number of the word of each hash.
"""

import numpy as np
from numba import njit

_START, _PRIME = np.uint64(14695981039346656037), np.uint64(1099511628211)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_SHIFT = np.uint64(31)


@njit(nogil=True, cache=True)
def hash_words(block, ends, hashes):
    """Write the hash of each word: 64-bit FNV-1a with a final mix."""
    first = 0
    for k in range(len(ends)):
        found = _START
        for i in range(first, ends[k]):
            found = (found ^ np.uint64(block[i])) * _PRIME
        hashes[k] = (found ^ (found >> _SHIFT)) * _MIX
        first = ends[k]


@njit(nogil=True, cache=True)
def _are_equal(block, ends, k, other, other_ends, n):
    first = ends[k - 1] if k else 0
    other_first = other_ends[n - 1] if n else 0
    length = ends[k] - first
    if other_ends[n] - other_first != length:
        return False
    for i in range(length):
        if block[first + i] != other[other_first + i]:
            return False
    return True


@njit(nogil=True, cache=True)
def find_words(block, ends, hashes, order, wanted, wanted_ends, wanted_hashes, found):
    """Write the number of each wanted word, -1 for one that does not occur."""
    for n in range(len(wanted_ends)):
        found[n] = -1
        at = np.searchsorted(hashes, wanted_hashes[n])
        while at < len(hashes) and hashes[at] == wanted_hashes[n]:
            if _are_equal(block, ends, order[at], wanted, wanted_ends, n):
                found[n] = order[at]
                break
            at += 1


@njit(nogil=True, cache=True)
def mark_first(block, ends, hashes, order, is_first):
    """Mark the words that no equal word precedes in `order`; `is_first` is all False before."""
    start = 0
    for at in range(len(order)):
        if hashes[at] != hashes[start]:
            start = at
        k = order[at]
        known = False
        for before in range(start, at):
            earlier = order[before]
            if is_first[earlier] and _are_equal(block, ends, earlier, block, ends, k):
                known = True
                break
        is_first[k] = not known


@njit(nogil=True, cache=True)
def take_words(block, ends, indices, taken, taken_ends):
    """Copy words to `taken`, which has the size of their sum, and write where each ends."""
    at = 0
    for n in range(len(indices)):
        k = indices[n]
        first = ends[k - 1] if k else 0
        for i in range(first, ends[k]):
            taken[at] = block[i]
            at += 1
        taken_ends[n] = at
