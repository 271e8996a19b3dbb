"""Decimal numbers in bytes to float32, and lines of them to rows."""

import numpy as np
from numba import njit

SPACE, NEWLINE, RETURN = 32, 10, 13
GOOD, ODD = 0, 1

# 10**22 is the largest power of ten that a double holds exactly; beyond it the table is rounded.
_POWERS = np.array([float(f"1e{exponent}") for exponent in range(61)])
_EXACT_POWER = 22
_EXACT_DIGITS = np.uint64(1 << 53)
_LARGEST = np.finfo(np.float32).max


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def number(text, i, end):
    """Read a number at `i`: (value as float32, the byte after it, whether it is surely right).

    Right means: the nearest double of the decimal, rounded to the nearest float32, which is
    what Python's float and NumPy's cast give. When the fast arithmetic cannot prove that, the
    caller reads the number the slow way.
    """
    start = i
    negative = False
    if i < end and (text[i] == 45 or text[i] == 43):
        negative = text[i] == 45
        i += 1
    mantissa = np.uint64(0)
    digits = 0
    exponent = 0
    while i < end and 48 <= text[i] <= 57:
        if mantissa < np.uint64(1000000000000000000):
            mantissa = mantissa * np.uint64(10) + np.uint64(text[i] - 48)
        else:
            exponent += 1
        digits += 1
        i += 1
    if i < end and text[i] == 46:
        i += 1
        while i < end and 48 <= text[i] <= 57:
            if mantissa < np.uint64(1000000000000000000):
                mantissa = mantissa * np.uint64(10) + np.uint64(text[i] - 48)
                exponent -= 1
            digits += 1
            i += 1
    if digits == 0:
        return np.float32(0), start, False
    if i < end and (text[i] == 101 or text[i] == 69):
        i += 1
        below = False
        if i < end and (text[i] == 45 or text[i] == 43):
            below = text[i] == 45
            i += 1
        power = 0
        first = i
        while i < end and 48 <= text[i] <= 57:
            if power < 100000:
                power = power * 10 + (text[i] - 48)
            i += 1
        if i == first:
            return np.float32(0), start, False
        exponent += -power if below else power
    if mantissa == np.uint64(0):
        return np.float32(-0.0) if negative else np.float32(0.0), i, True
    if exponent < -60 or exponent > 60:
        return np.float32(0), i, False
    value = np.float64(mantissa)
    if exponent < 0:
        value /= _POWERS[-exponent]
    else:
        value *= _POWERS[exponent]
    if negative:
        value = -value
    if mantissa <= _EXACT_DIGITS and -_EXACT_POWER <= exponent <= _EXACT_POWER:
        return np.float32(value), i, True
    # The double may be off by a few units; float32 is the same unless a midpoint lies between.
    low = np.float32(value * (1.0 - 1e-15))
    high = np.float32(value * (1.0 + 1e-15))
    return high, i, low == high


@njit(nogil=True, cache=True, boundscheck=False)
def line_starts(text, starts):
    """Write the byte after each newline into `starts`; returns how many there are."""
    found = 0
    for i in range(text.shape[0]):
        if text[i] == NEWLINE:
            starts[found] = i + 1
            found += 1
    return found


@njit(nogil=True, cache=True, boundscheck=False)
def newlines(text):
    """How many lines end in `text`."""
    found = 0
    for i in range(text.shape[0]):
        found += text[i] == NEWLINE
    return found


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def rows(text, starts, first, last, separator, vectors, word_ends, state):
    """Read lines `first` to `last` of `text`, each a word and as many numbers as a row is long.

    `starts` (lines + 1,) holds where lines begin; `word_ends` gets the byte after each word and
    `state` GOOD, or ODD for a line that wants a slow look: a word with separators inside, too few
    or too many numbers, anything that is not a plain number.
    """
    dimension = vectors.shape[1]
    for line in range(first, last):
        i = starts[line]
        end = starts[line + 1] - 1
        if end > i and text[end - 1] == RETURN:
            end -= 1
        start = i
        while i < end and text[i] != separator:
            i += 1
        word_ends[line] = i
        good = i > start
        for d in range(dimension):
            if not good:
                break
            i += 1
            value, after, sure = number(text, i, end)
            inside = abs(value) <= _LARGEST
            good = sure and inside and (after >= end or text[after] == separator)
            vectors[line, d] = value
            i = after
        while good and i < end and text[i] == separator:
            i += 1
        state[line] = GOOD if good and i >= end else ODD


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def lists(text, i, vectors, extra):
    """Read bracketed lists of numbers, one per row of `vectors`, skipping keys before each.

    Every list holds `extra` more numbers than a row is long. Returns (rows read, byte reached);
    a list that is not as it should be, or is cut off, ends the reading at its first byte.
    """
    dimension = vectors.shape[1]
    end = text.shape[0]
    row = 0
    while row < vectors.shape[0]:
        begin = i
        quoted = False
        while i < end and (quoted or text[i] != 91):
            if quoted and text[i] == 92:
                i += 1
            elif text[i] == 34:
                quoted = not quoted
            i += 1
        for d in range(dimension + extra):
            value, after, sure = number(text, i + 1, end)
            if not sure or after >= end or (text[after] != 44 and text[after] != 93):
                return row, begin
            if d < dimension:
                vectors[row, d] = value
            i = after
        if text[i] != 93:
            return row, begin
        i += 1
        row += 1
    return row, i


@njit(nogil=True, cache=True, boundscheck=False)
def gather(text, starts, ends, block, block_ends, filled):
    """Copy the bytes from `starts` to `ends` one after another into `block`."""
    for k in range(starts.shape[0]):
        for i in range(starts[k], ends[k]):
            block[filled] = text[i]
            filled += 1
        block_ends[k] = filled
    return filled
