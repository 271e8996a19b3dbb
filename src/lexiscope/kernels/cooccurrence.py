"""Words near each other, one row of the matrix at a time, and the draws that come before.

The occurrences of each word are listed first. The contexts of one word are then added into a
tally with a place per word, which stays in the cache, and are taken out of it in order: no pair
is sorted, and a row is finished once and for all.
"""

import numpy as np
from numba import njit

from lexiscope.kernels.simd import lowest_bit, prefetch

_ONE = np.uint64(1)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_HALF = np.uint64(32)
_AHEAD = 8  # occurrences from a prefetch to its use


@njit(nogil=True, cache=True, boundscheck=False)
def bits(seed, place):
    """The 64 random bits of a place (splitmix64); without state, a text may be cut anywhere."""
    mixed = seed + (place + _ONE) * _STEP
    mixed = (mixed ^ (mixed >> np.uint64(30))) * _FIRST
    mixed = (mixed ^ (mixed >> np.uint64(27))) * _SECOND
    return mixed ^ (mixed >> np.uint64(31))


@njit(nogil=True, cache=True, boundscheck=False)
def drop(tokens, before, keep, seed, thinned):
    """Copy tokens, -1 for an occurrence that is dropped; a word stays with chance keep[word].

    `before` is how many tokens of the text come before these.
    """
    for i in range(tokens.shape[0]):
        drawn = bits(seed, np.uint64(before + i)) >> np.uint64(11)
        stays = np.float64(drawn) * 2.0**-53 < keep[tokens[i]]
        thinned[i] = tokens[i] if stays else -1


@njit(nogil=True, cache=True, boundscheck=False)
def draw_windows(before, window, seed, windows):
    """Give each token a window between 1 and `window`."""
    for i in range(windows.shape[0]):
        drawn = bits(seed, np.uint64(before + i)) >> _HALF
        windows[i] = np.uint64(1) + ((drawn * np.uint64(window)) >> _HALF)


@njit(nogil=True, cache=True, boundscheck=False)
def close_ranks(tokens, windows, starts, closed):
    """Take the dropped tokens out in place; `closed` gets the new starts. Returns what is left."""
    left = 0
    for sentence in range(starts.shape[0] - 1):
        closed[sentence] = left
        for i in range(starts[sentence], starts[sentence + 1]):
            if tokens[i] >= 0:
                tokens[left] = tokens[i]
                windows[left] = windows[i]
                left += 1
    closed[starts.shape[0] - 1] = left
    return left


@njit(nogil=True, cache=True, boundscheck=False)
def count_words(tokens, counts):
    """Add to `counts` (words,) how often each word stands in the text, gaps left out."""
    for i in range(tokens.shape[0]):
        if tokens[i] >= 0:
            counts[tokens[i]] += 1


@njit(nogil=True, cache=True, boundscheck=False)
def list_occurrences(tokens, starts, windows, places, occurrences):
    """Write word after word where each occurrence is and how far it sees to the left and right.

    `places` (words,) says where the list of each word begins, and is moved to its end. An
    occurrence is place << 32 | left << 16 | right.
    """
    for sentence in range(starts.shape[0] - 1):
        begin, end = starts[sentence], starts[sentence + 1]
        for i in range(begin, end):
            word = tokens[i]
            if word < 0:
                continue
            window = np.int64(windows[i])
            left, right = min(window, i - begin), min(window, end - 1 - i)
            occurrences[places[word]] = (i << 32) | (left << 16) | right
            places[word] += 1


@njit(nogil=True, cache=True, boundscheck=False)
def _add(column, weight, tally, marks, groups):
    tally[column] += weight
    marks[column >> 6] |= _ONE << np.uint64(column & 63)
    groups[column >> 12] |= _ONE << np.uint64((column >> 6) & 63)


@njit(nogil=True, cache=True, boundscheck=False)
def _take(tally, marks, groups, columns, sums, number):
    """Write what was added from `number` on, in order of the columns, and leave zeros behind."""
    for group in range(groups.shape[0]):
        marked = groups[group]
        groups[group] = 0
        while marked != 0:
            place = (group << 6) + np.int64(lowest_bit(marked))
            marked &= marked - _ONE
            found = marks[place]
            marks[place] = 0
            while found != 0:
                column = (place << 6) + np.int64(lowest_bit(found))
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
    """Count the contexts of the words from `first` up to `last`; returns how many entries.

    Contexts stand from `lowest` to `highest` places off and count weights[distance]. `tally`
    (words,), `marks` and `groups` (a bit per word, a bit per 64 words) are zeros before and
    after. `lengths` gets the entries of each row, `columns` and `sums` the entries.
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
            prefetch(tokens, soon + lowest)
            prefetch(tokens, soon + highest)
            place = occurrences[k] >> 32
            left, right = (occurrences[k] >> 16) & 0xFFFF, occurrences[k] & 0xFFFF
            for i in range(place - min(left, -lowest), place + min(highest, -1) + 1):
                if tokens[i] >= 0:
                    _add(np.int64(tokens[i]), weights[place - i], tally, marks, groups)
            for i in range(place + max(lowest, 1), place + min(right, highest) + 1):
                if tokens[i] >= 0:
                    _add(np.int64(tokens[i]), weights[i - place], tally, marks, groups)
        number = _take(tally, marks, groups, columns, sums, number)
        lengths[word - first] = number - begin
    return number


@njit(nogil=True, cache=True, boundscheck=False)
def merge_rows(bounds, columns, sums, tally, marks, groups, lengths, out_columns, out_sums):
    """Add rows of several matrices; returns how many entries.

    Row r of matrix m has the entries from bounds[m, r] up to bounds[m, r + 1].
    """
    number = 0
    for row in range(bounds.shape[1] - 1):
        begin = number
        for part in range(bounds.shape[0]):
            for k in range(bounds[part, row], bounds[part, row + 1]):
                _add(np.int64(columns[k]), sums[k], tally, marks, groups)
        number = _take(tally, marks, groups, out_columns, out_sums, number)
        lengths[row] = number - begin
    return number
