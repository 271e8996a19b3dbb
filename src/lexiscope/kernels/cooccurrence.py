"""Co-occurrence counts, one row of the matrix at a time, and subsampling.

The occurrences of each word are listed first. The contexts of one word are then added to a dense
tally (words,), which stays in the cache, and read from it in column order: no pair is sorted, and
each row is written once.
"""

import numpy as np
from numba import njit

from lexiscope.kernels.rng import bounded, random_bits, state_at
from lexiscope.kernels.simd.instructions import lowest_set_bit, prefetch_read

_ONE = np.uint64(1)
_AHEAD = 8  # occurrences from a prefetch to its use


@njit(nogil=True, cache=True, boundscheck=False)
def random_bits_at(seed, position):
    """The 64 random bits of a token position (splitmix64), independent of how text is sharded."""
    return random_bits(state_at(seed, position))


@njit(nogil=True, cache=True, boundscheck=False)
def subsample(tokens, before, keep, seed, subsampled):
    """Copy tokens, with -1 for dropped occurrences; a word stays with probability keep[word].

    `before` is the number of tokens of the text before these.
    """
    for i in range(tokens.shape[0]):
        sampled = random_bits_at(seed, np.uint64(before + i)) >> np.uint64(11)
        stays = np.float64(sampled) * 2.0**-53 < keep[tokens[i]]
        subsampled[i] = tokens[i] if stays else -1


@njit(nogil=True, cache=True, boundscheck=False)
def sample_windows(before, window, seed, windows):
    """Sample a window size from 1 to `window` for each token."""
    for i in range(windows.shape[0]):
        windows[i] = 1 + bounded(random_bits_at(seed, np.uint64(before + i)), window)


@njit(nogil=True, cache=True, boundscheck=False)
def remove_dropped(tokens, windows, starts, new_starts):
    """Remove dropped tokens in place, write the new sentence starts; returns the tokens left."""
    left = 0
    for sentence in range(starts.shape[0] - 1):
        new_starts[sentence] = left
        for i in range(starts[sentence], starts[sentence + 1]):
            if tokens[i] >= 0:
                tokens[left] = tokens[i]
                windows[left] = windows[i]
                left += 1
    new_starts[starts.shape[0] - 1] = left
    return left


@njit(nogil=True, cache=True, boundscheck=False)
def count_words(tokens, counts):
    """Add the number of occurrences of each word to `counts` (words,), ignoring dropped tokens."""
    for i in range(tokens.shape[0]):
        if tokens[i] >= 0:
            counts[tokens[i]] += 1


@njit(nogil=True, cache=True, boundscheck=False)
def list_occurrences(tokens, starts, windows, ends, occurrences):
    """Write the occurrences of each word, word by word: position and context size on both sides.

    `ends` (words,) holds the begin of each word's list, and its end afterwards. An occurrence is
    position << 32 | left << 16 | right.
    """
    for sentence in range(starts.shape[0] - 1):
        begin, end = starts[sentence], starts[sentence + 1]
        for i in range(begin, end):
            word = tokens[i]
            if word < 0:
                continue
            window = np.int64(windows[i])
            left, right = min(window, i - begin), min(window, end - 1 - i)
            occurrences[ends[word]] = (i << 32) | (left << 16) | right
            ends[word] += 1


@njit(nogil=True, cache=True, boundscheck=False)
def _add(column, weight, tally, marks, groups):
    tally[column] += weight
    marks[column >> 6] |= _ONE << np.uint64(column & 63)
    groups[column >> 12] |= _ONE << np.uint64((column >> 6) & 63)


@njit(nogil=True, cache=True, boundscheck=False)
def _drain(tally, marks, groups, columns, sums, number):
    """Write the non-zero sums from entry `number` on, in column order, and reset the tally."""
    for group in range(groups.shape[0]):
        marked = groups[group]
        groups[group] = 0
        while marked != 0:
            position = (group << 6) + np.int64(lowest_set_bit(marked))
            marked &= marked - _ONE
            found = marks[position]
            marks[position] = 0
            while found != 0:
                column = (position << 6) + np.int64(lowest_set_bit(found))
                found &= found - _ONE
                columns[number] = column
                sums[number] = tally[column]
                tally[column] = 0
                number += 1
    return number


@njit(nogil=True, cache=True, boundscheck=False)
def count_rows(
    tokens, occurrences, heads, first, last, lowest, highest, weights,
    tally, marks, groups, lengths, columns, sums,
):  # fmt: skip
    """Count the contexts of words `first` to `last`; returns the number of entries.

    Contexts are at relative positions `lowest` to `highest` and count weights[distance]. `tally`
    (words,), `marks` (one bit per word) and `groups` (one bit per 64 words) are zero before and
    after. `lengths` receives the number of entries of each row, `columns` and `sums` the entries.
    """
    number = 0
    final = occurrences.shape[0] - 1
    for word in range(first, last):
        begin = number
        if heads[word] == heads[word + 1]:
            lengths[word - first] = 0
            continue
        for k in range(heads[word], heads[word + 1]):
            soon = occurrences[min(k + _AHEAD, final)] >> 32
            prefetch_read(tokens, soon + lowest)
            prefetch_read(tokens, soon + highest)
            position = occurrences[k] >> 32
            left, right = (occurrences[k] >> 16) & 0xFFFF, occurrences[k] & 0xFFFF
            for i in range(position - min(left, -lowest), position + min(highest, -1) + 1):
                if tokens[i] >= 0:
                    _add(np.int64(tokens[i]), weights[position - i], tally, marks, groups)
            for i in range(position + max(lowest, 1), position + min(right, highest) + 1):
                if tokens[i] >= 0:
                    _add(np.int64(tokens[i]), weights[i - position], tally, marks, groups)
        number = _drain(tally, marks, groups, columns, sums, number)
        lengths[word - first] = number - begin
    return number


@njit(nogil=True, cache=True, boundscheck=False)
def merge_rows(bounds, columns, sums, tally, marks, groups, lengths, out_columns, out_sums):
    """Add rows of several sparse matrices; returns the number of entries.

    Row r of matrix m has the entries bounds[m, r] to bounds[m, r + 1].
    """
    number = 0
    for row in range(bounds.shape[1] - 1):
        begin = number
        for m in range(bounds.shape[0]):
            for k in range(bounds[m, row], bounds[m, row + 1]):
                _add(np.int64(columns[k]), sums[k], tally, marks, groups)
        number = _drain(tally, marks, groups, out_columns, out_sums, number)
        lengths[row] = number - begin
    return number
