"""Decimals become the float32 that Python's float and NumPy's cast give, bit for bit."""

import math
import struct

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as some

from lexiscope.core.errors import BadData
from lexiscope.data.vectors import load
from lexiscope.kernels.parsing.decimals import parse_number

thoroughly = settings(max_examples=250, deadline=None)

SPELLED = """
0 -0 +0 0.0 -0.0 00 007 1 +1 -1 .5 -.5 +.5 5. -5. 0. .0 1e0 1E0 1e+0 1e-0 1e00005 1.e1 .1e1
0.1 -0.1 0.3 1.1 123456789 16777216 16777217 16777219 33554433 -16777217 9007199254740993
0.10000000149011612 0.1000000000000000055511151231257827 3.141592653589793238462643383279502884
12345678901234567 1234567890123456789 12345678901234567890 123456789012345678901234567890
0.00000000000000000000000000000000000000000000000000000000000000000001
1e-45 -1e-45 7.006492321624085e-46 7.00649232162408535461864791644958e-46 7.1e-46 6.9e-46 1e-46
1.4e-45 2.1e-45 1.1754942e-38 1.1754943e-38 1.17549435e-38 1e-37 1e-44 5e-324 1e-400 -1e-400
3.4028234e38 3.4028235e38 -3.4028235e38 3.40282346638528859811704183484516925440e+38 3.4028235e+38
340282346638528859811704183484516925440 340282350000000000000000000000000000000 1e38 1e22 1e23
1.00000005960464477539062 1.00000005960464477539063 1.000000059604644775390625
1.0000001788139343 1.00000017881393432617187499 1.000000178813934326171875 0.999999970197678
8388608.5 8388609.5 8388607.75 4194304.25 1.5e-10 6.02214076e23 1.17549421069244107548702944e-38
"""
SPELLINGS = SPELLED.split()


def python_reading(text):
    with np.errstate(over="ignore"):
        return np.float32(float(text))


def bits(value):
    return struct.pack("<f", value)


def kernel_reading(text):
    return parse_number(np.frombuffer(f"{text}\n".encode(), np.uint8), 0)


def assert_right_or_unsure(text):
    value, after, sure = kernel_reading(text)
    if sure:
        assert after == len(text)
        assert bits(value) == bits(python_reading(text)), text


def midpoint(pattern):
    """The decimal that lies exactly between a float32 and the next one, as a string."""
    low, high = np.array([pattern, pattern + 1], np.uint32).view(np.float32).astype(np.float64)
    return f"{(low + high) / 2:.120f}".rstrip("0")


@pytest.mark.parametrize("text", SPELLINGS)
def test_the_kernel_is_right_or_says_that_it_is_not_sure(text):
    assert_right_or_unsure(text)


@pytest.mark.parametrize("text", SPELLINGS)
def test_the_reader_is_right_whatever_the_kernel_says(text, write_file):
    found = load(write_file("v.txt", f"cat {text} 2\ndog 3 4\n".encode()))

    assert bits(found.vectors[0, 0]) == bits(python_reading(text))


@pytest.mark.parametrize(
    "text", ["0.1", "-2.5", "1e-5", "123456", "0.0012345", "5.", ".5", "+7", "1e10", "-0.0"]
)
def test_the_kernel_is_sure_of_everyday_numbers(text):
    assert kernel_reading(text)[2]


@pytest.mark.parametrize(
    "text", ["", "-", "+", ".", "-.", "e5", "1e", "1e+", "1e-", "nan", "inf", "x"]
)
def test_the_kernel_is_not_sure_of_text_that_is_not_a_number(text):
    assert not kernel_reading(text)[2]


@pytest.mark.parametrize(
    "text", ["1_0", "1,5", "0x10", "1e5x", "1-2", "1.2.3", "１", "--1", "1e1.5"]
)
def test_the_kernel_stops_before_what_does_not_belong_to_a_number(text):
    _, after, sure = kernel_reading(text)

    assert not sure or after < len(text.encode())


@pytest.mark.parametrize(
    "text", ["-", "+", ".", "e5", "1e", "1_0", "1,5", "0x10", "1e5x", "1.2.3", "１", "--1", "1e1.5"]
)
def test_the_reader_refuses_text_that_is_not_a_number(text, write_file):
    with pytest.raises(BadData, match=r"v.txt:2: expected 3 numbers after the word, found"):
        load(write_file("v.txt", f"cat 1 2 3\ndog 1 2 {text}\nsun 4 5 6\n".encode()))


@pytest.mark.parametrize(
    "text", ["nan", "-nan", "NaN", "inf", "-inf", "Infinity", "1e39", "3.5e38", "1e400"]
)
def test_the_reader_refuses_what_is_not_finite(text, write_file):
    with pytest.raises(BadData, match=rf"v.txt:2: '{text}' is not a finite number"):
        load(write_file("v.txt", f"cat 1 2 3\ndog 1 2 {text}\n".encode()))


@thoroughly
@given(
    some.from_regex(
        r"[+-]?([0-9]{1,25}(\.[0-9]{0,25})?|\.[0-9]{1,25})([eE][+-]?[0-9]{1,3})?", fullmatch=True
    )
)
@example("3.40282356779733661637539395458142568447e38")
@example("0" * 400 + "1")
@example("1" + "0" * 400)
@example("0." + "0" * 400 + "1e401")
def test_any_spelling_of_a_number_is_read_right_or_left_to_python(text):
    assert_right_or_unsure(text)


@thoroughly
@given(some.floats(width=32, allow_nan=False, allow_infinity=False), some.integers(0, 20))
def test_every_float_is_read_right_in_any_number_of_digits(value, digits):
    for text in (repr(value), f"{value:.{digits}e}", str(np.float32(value))):
        assert_right_or_unsure(text)


@thoroughly
@given(some.floats(allow_nan=False, allow_infinity=False))
def test_every_double_is_read_right(value):
    assert_right_or_unsure(repr(value))


@thoroughly
@given(some.integers(0, 0x7F7FFFFE), some.sampled_from(["", "1", "0000000001"]))
@example(0x3F800000, "")
@example(0x3F800001, "")
@example(0x00000000, "")
@example(0x007FFFFF, "")
def test_numbers_at_and_next_to_midpoints_are_read_right(pattern, more):
    exact = midpoint(pattern)
    for text in (exact + more, exact[:-1] + "4", exact[:20], f"{float(exact):.17e}"):
        assert_right_or_unsure(text)


@settings(max_examples=60, deadline=None)
@given(some.lists(some.integers(0, 0x7F7FFFFE), min_size=3, max_size=3))
def test_the_reader_gives_the_same_bits_at_midpoints(folder, patterns):
    texts = [midpoint(pattern) for pattern in patterns]
    (folder / "v.txt").write_text(f"cat {' '.join(texts)}\n")

    found = load(folder / "v.txt").vectors[0]

    assert found.tobytes() == np.array([python_reading(text) for text in texts]).tobytes()


def test_the_sign_of_zero_survives(write_file):
    found = load(write_file("v.txt", b"cat -0 0 -0.0 -0e5 -1e-400\n")).vectors[0]

    assert [math.copysign(1, value) for value in found] == [-1, 1, -1, -1, -1]
