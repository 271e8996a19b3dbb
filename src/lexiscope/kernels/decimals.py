"""Decimal numbers in bytes to float32, and lines of them to rows."""

import numpy as np
from numba import njit

NEWLINE, RETURN = 10, 13
GOOD, ODD = 0, 1

# 10**22 is the largest power of ten that a double holds exactly; beyond it the table is rounded.
_POWERS = np.array([float(f"1e{exponent}") for exponent in range(61)])
_EXACT_POWER = 22
_FITTING_DIGITS = 18
_EXACT_DIGITS = np.uint64(1 << 53)
_LARGEST = np.finfo(np.float32).max


@njit(nogil=True, cache=True, boundscheck=False)
def _long_mantissa(text, i):
    """The first digits of a long number as (mantissa, power of ten)."""
    i += text[i] == 45 or text[i] == 43
    mantissa = np.uint64(0)
    exponent = 0
    behind = False
    while np.uint8(text[i] - 48) < 10 or (text[i] == 46 and not behind):
        if text[i] == 46:
            behind = True
        elif mantissa < np.uint64(1000000000000000000):
            mantissa = mantissa * np.uint64(10) + np.uint64(text[i] - 48)
            exponent -= behind
        else:
            exponent += not behind
        i += 1
    return mantissa, exponent


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def number(text, i):
    """Read a number at `i`: (value as float32, the byte after it, whether it is surely right).

    Some byte that no number holds must follow, such as the end of the line: it stops the reading.
    Right means: the nearest double of the decimal, rounded to the nearest float32, which is
    what Python's float and NumPy's cast give. When the fast arithmetic cannot prove that, the
    caller reads the number the slow way.
    """
    start = i
    negative = text[i] == 45
    if negative or text[i] == 43:
        i += 1
    mantissa = np.uint64(0)
    first = i
    digit = np.uint8(text[i] - 48)
    while digit < 10:
        mantissa = mantissa * np.uint64(10) + np.uint64(digit)
        i += 1
        digit = np.uint8(text[i] - 48)
    digits = i - first
    exponent = 0
    if text[i] == 46:
        i += 1
        first = i
        digit = np.uint8(text[i] - 48)
        while digit < 10:
            mantissa = mantissa * np.uint64(10) + np.uint64(digit)
            i += 1
            digit = np.uint8(text[i] - 48)
        exponent = first - i
        digits -= exponent
    if digits > _FITTING_DIGITS:  # the mantissa has run over: read it again with care
        mantissa, exponent = _long_mantissa(text, start)
    if digits == 0:
        return np.float32(0), start, False
    if text[i] == 101 or text[i] == 69:
        i += 1
        below = text[i] == 45
        if below or text[i] == 43:
            i += 1
        power = 0
        first = i
        while np.uint8(text[i] - 48) < 10:
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
        good = start < i < end
        for d in range(dimension):
            if not good:
                break
            value, i, sure = number(text, i + 1)
            # Only the last number may stand at the end of the line.
            ended = text[i] == separator or (i >= end and d == dimension - 1)
            good = sure and ended and abs(value) <= _LARGEST
            vectors[line, d] = value
        while good and i < end and text[i] == separator:
            i += 1
        state[line] = GOOD if good and i >= end else ODD


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def lists(text, i, vectors, extra):
    """Read bracketed lists of numbers, one per row of `vectors`, skipping keys before each.

    Every list holds `extra` more numbers than a row is long, the last of them the number of the
    row. Returns (rows read, byte reached);
    a list that is not as it should be ends the reading at its first byte. The text must end with
    a byte that no list holds.
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
        if i >= end:
            return row, begin
        for d in range(dimension + extra):
            value, after, sure = number(text, i + 1)
            if not sure or after >= end or (text[after] != 44 and text[after] != 93):
                return row, begin
            if d < dimension:
                vectors[row, d] = value
            i = after
        if text[i] != 93 or value != row:
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


@njit(nogil=True, cache=True, boundscheck=False)
def with_newlines(block, ends, lines):
    """Copy words into `lines`, a newline behind each; says whether one held a control character."""
    start = 0
    place = 0
    control = False
    for word in range(ends.shape[0]):
        for i in range(start, ends[word]):
            byte = block[i]
            control |= byte < 32 or byte == 127
            lines[place] = byte
            place += 1
        lines[place] = NEWLINE
        place += 1
        start = ends[word]
    return control
