"""Parse blocks of text lines, each a word and the numbers of its vector, to rows of float32."""

import numpy as np
from numba import njit

from lexiscope.kernels.parsing.decimals import NEWLINE, NOT_PARSED, PARSED, RETURN, parse_number
from lexiscope.kernels.simd.instructions import load_eight_bytes, lowest_set_bit

PADDING = 32  # bytes after a block that may be read, but are not parsed

_MINUS, _POINT = 45, 46
_LARGEST = np.finfo(np.float32).max
_EXACT_DIGITS = np.uint64(1 << 53)  # smaller integers are exact in a double
_POWERS = np.array([float(f"1e{exponent}") for exponent in range(17)])
_INTEGER_POWERS = np.array([10**exponent for exponent in range(9)], np.uint64)

# Constants for eight bytes of a uint64 at once.
_EVERY = np.uint64(0x0101010101010101)
_HIGH_HALVES, _LOW_HALVES = np.uint64(0xF0) * _EVERY, np.uint64(0x0F) * _EVERY
_THREES, _SIXES = np.uint64(0x30) * _EVERY, np.uint64(0x06) * _EVERY
_PAIRS, _FOURS = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x000000FF000000FF)
_MILLIONS, _TEN_THOUSANDS = np.uint64(0x000F424000000064), np.uint64(0x0000271000000001)


@njit(nogil=True, cache=True, boundscheck=False)
def leading_digits(eight):
    """How many of eight bytes are decimal digits, up to the first that is none."""
    # A digit is 0x30 to 0x39: its high half is 3, also after 6 is added.
    other = (eight & _HIGH_HALVES) ^ _THREES
    other |= ((eight + _SIXES) & _HIGH_HALVES) ^ _THREES
    return np.int64(8) if other == np.uint64(0) else np.int64(lowest_set_bit(other) >> np.uint64(3))


@njit(nogil=True, cache=True, boundscheck=False)
def integer_of(eight, digits):
    """The integer of the first 1 to 8 digits of eight bytes: pairs, then fours, then all."""
    eight = (eight << np.uint64(64 - 8 * digits)) & _LOW_HALVES
    eight = (eight * np.uint64(10) + (eight >> np.uint64(8))) & _PAIRS
    high = (eight & _FOURS) * _MILLIONS
    low = ((eight >> np.uint64(16)) & _FOURS) * _TEN_THOUSANDS
    return (high + low) >> np.uint64(32)


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def parse_plain(text, i):
    """Parse a number such as -0.123 at byte `i`: (value, byte after it, whether it has this form).

    It has one digit before the point and 1 to 15 after it, so that mantissa and power of ten are
    exact in a double, and their quotient is rounded as in Python. Nearly all numbers are such.
    """
    negative = np.int64(text[i] == _MINUS)
    i += negative
    mantissa = np.uint64(text[i]) - np.uint64(48)
    eight = load_eight_bytes(text, i + 2)
    digits = leading_digits(eight)
    plain = mantissa < np.uint64(10) and text[i + 1] == _POINT and digits > 0
    mantissa = mantissa * _INTEGER_POWERS[digits] + integer_of(eight, max(digits, 1))
    i += 2 + digits
    if digits == 8:
        eight = load_eight_bytes(text, i)
        more = leading_digits(eight)
        if more > 0:
            plain = plain and more < 8
            mantissa = mantissa * _INTEGER_POWERS[more] + integer_of(eight, more)
            digits += more
            i += more
    value = np.float64(mantissa) / _POWERS[digits]
    plain = plain and mantissa < _EXACT_DIGITS
    return np.float32(-value if negative else value), i, plain


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def parse_block(text, i, end, separator, vectors, starts, word_ends, state):
    """Parse the lines of text[i:end], which ends with a newline: (lines parsed, byte reached).

    Stops when `vectors` is full. `starts` (rows + 1,) receives the first byte of each line and the
    byte after the last one, `word_ends` the byte after each word, and `state` PARSED, or NOT_PARSED
    for a line that the caller has to parse: a word with separators inside, too few or too many
    numbers, anything that is not a plain number. PADDING bytes must follow `end`.
    """
    dimension = vectors.shape[1]
    line = 0
    while i < end and line < vectors.shape[0]:
        starts[line] = i
        while text[i] != separator and text[i] != NEWLINE:
            i += 1
        word_ends[line] = i
        valid = starts[line] < i and text[i] == separator
        for d in range(dimension):
            if not valid:
                break
            value, after, valid = parse_plain(text, i + 1)
            valid = valid and _ends_number(text[after], separator, d == dimension - 1)
            if not valid:
                value, after, exact = parse_number(text, i + 1)
                ended = _ends_number(text[after], separator, d == dimension - 1)
                valid = exact and ended and abs(value) <= _LARGEST
            vectors[line, d] = value
            i = after
        while valid and (text[i] == separator or text[i] == RETURN):
            i += 1
        state[line] = PARSED if valid and text[i] == NEWLINE else NOT_PARSED
        while text[i] != NEWLINE:
            i += 1
        i += 1
        line += 1
    starts[line] = i
    return line, i


@njit(nogil=True, cache=True, boundscheck=False)
def _ends_number(byte, separator, is_last):
    """Whether a byte may follow a number; only the last one may be at the end of the line."""
    return byte == separator or (is_last and (byte == NEWLINE or byte == RETURN))
