"""Plain decimals, eight digits at once, are the float32 that Python gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from lexiscope.kernels.parsing.rows import PADDING, parse_block, parse_plain


def padded(text):
    return np.frombuffer(text.encode() + bytes(PADDING), np.uint8)


@given(some.from_regex(r"-?[0-9]\.[0-9]{1,18}", fullmatch=True))
def test_a_plain_number_is_that_of_python_or_is_left_to_other_code(text):
    value, after, plain = parse_plain(padded(f"{text} "), 0)

    digits = len(text) - text.index(".") - 1
    if plain:
        assert after == len(text)
        assert np.float32(value).tobytes() == np.float32(float(text)).tobytes()
    else:
        assert digits > 14


@pytest.mark.parametrize("text", ["", "5", "5.", ".5", "+0.5", "x", "12.5", "nan", "- 0.5"])
def test_another_form_is_not_plain(text):
    assert not parse_plain(padded(f"{text} "), 0)[2]


def test_a_block_gives_words_rows_and_the_lines_that_are_left():
    text = "cat 0.5 -0.25\nno row\ndog 1e-3 2\r\n"
    vectors, starts = np.empty((5, 2), np.float32), np.empty(6, np.int64)
    ends, state = np.empty(5, np.int64), np.empty(5, np.uint8)

    lines, reached = parse_block(padded(text), 0, len(text), 32, vectors, starts, ends, state)

    assert (lines, reached) == (3, len(text))
    assert state[:3].tolist() == [0, 1, 0]
    assert [text[a:b] for a, b in zip(starts[:3:2], ends[:3:2], strict=True)] == ["cat", "dog"]
    assert vectors[[0, 2]].tolist() == [[0.5, -0.25], [np.float32(1e-3), 2.0]]
