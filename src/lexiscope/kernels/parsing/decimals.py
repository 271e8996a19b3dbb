"""Parse decimal numbers in bytes to float32, and lines of numbers to rows."""

import numpy as np
from numba import njit

NEWLINE, RETURN = 10, 13
PARSED, NOT_PARSED = 0, 1  # states of a line

# 10**22 is the largest power of ten that a double represents exactly; larger ones are rounded.
_POWERS = np.array([float(f"1e{exponent}") for exponent in range(61)])
_EXACT_POWER = 22
_FITTING_DIGITS = 18
_EXACT_DIGITS = np.uint64(1 << 53)
_LARGEST = np.finfo(np.float32).max


@njit(nogil=True, cache=True, boundscheck=False)
def _long_mantissa(text, i):
    """The leading digits of a long number as (mantissa, power of ten)."""
    i += text[i] == 45 or text[i] == 43
    mantissa = np.uint64(0)
    exponent = 0
    is_fraction = False
    while np.uint8(text[i] - 48) < 10 or (text[i] == 46 and not is_fraction):
        if text[i] == 46:
            is_fraction = True
        elif mantissa < np.uint64(1000000000000000000):
            mantissa = mantissa * np.uint64(10) + np.uint64(text[i] - 48)
            exponent -= is_fraction
        else:
            exponent += not is_fraction
        i += 1
    return mantissa, exponent


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def parse_number(text, i):
    """Parse a number at byte `i`: (value as float32, the byte after it, whether it is exact).

    A byte that cannot be part of a number must follow, such as the end of the line. A value is
    exact if it is the nearest double of the decimal, rounded to the nearest float32, as Python's
    float and NumPy's cast give it. If the fast arithmetic cannot guarantee that, the caller parses
    the number again, with Python.
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
    if digits > _FITTING_DIGITS:  # the mantissa has overflowed
        mantissa, exponent = _long_mantissa(text, start)
    if digits == 0:
        return np.float32(0), start, False
    if text[i] == 101 or text[i] == 69:
        i += 1
        is_negative_power = text[i] == 45
        if is_negative_power or text[i] == 43:
            i += 1
        power = 0
        first = i
        while np.uint8(text[i] - 48) < 10:
            if power < 100000:
                power = power * 10 + (text[i] - 48)
            i += 1
        if i == first:
            return np.float32(0), start, False
        exponent += -power if is_negative_power else power
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
    # The last bits of the double may be wrong; float32 is the same unless a midpoint is near.
    low = np.float32(value * (1.0 - 1e-15))
    high = np.float32(value * (1.0 + 1e-15))
    return high, i, low == high


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def parse_lists(text, i, vectors, extra):
    """Parse bracketed lists of numbers, one per row of `vectors`, skipping keys before each.

    Every list has `extra` more numbers than a row; the last of them is the index of the row.
    Returns (rows parsed, byte reached). Stops before the first invalid list. The last byte of the
    text must not be part of a list.
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
            value, after, exact = parse_number(text, i + 1)
            if not exact or after >= end or (text[after] != 44 and text[after] != 93):
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
    """Concatenate the bytes from each of `starts` to its end in `block`, from byte `filled` on."""
    for k in range(starts.shape[0]):
        for i in range(starts[k], ends[k]):
            block[filled] = text[i]
            filled += 1
        block_ends[k] = filled
    return filled


@njit(nogil=True, cache=True, boundscheck=False)
def join_lines(block, ends, lines):
    """Copy words to `lines`, a newline after each; returns whether any has a control character."""
    start = 0
    position = 0
    control = False
    for word in range(ends.shape[0]):
        for i in range(start, ends[word]):
            byte = block[i]
            control |= byte < 32 or byte == 127
            lines[position] = byte
            position += 1
        lines[position] = NEWLINE
        position += 1
        start = ends[word]
    return control
