"""Broken rows are left out on request, and listed with their position and cause."""

import numpy as np
import pytest

from lexiscope.core.errors import BadData
from lexiscope.data.vectors import load
from tests.data.vectors.vector_files import binary, npy, npz, record

TEXT = (
    b"cat 1 2\n"
    b"short 1\n"
    b"long 1 2 3\n"
    b"\n"
    b" 1 2\n"
    b"odd 1 x\n"
    b"far 1 1e99\n"
    b"b\xe9te 5 6\n"
    b"bell\x07 7 8\n"
    b"dog 3 4\n"
)
CAUSES = [
    (":2:", "found 1. Left out."),
    (":3:", "found 3. Left out."),
    (":4:", "the line is empty. Left out."),
    (":5:", "there is no word before the numbers. Left out."),
    (":6:", "found 0 and 'x'. Left out."),
    (":7:", "'1e99' is not a finite number of 32 bits. Left out."),
    (":8:", "the word is not UTF-8 (byte 0xe9 at its byte 2). Left out."),
    (":9:", "control characters in the word 'bell\ufffd'. Left out."),
]


def assert_listed(repairs, causes):
    assert len(repairs) == len(causes)
    for sentence, (where, cause) in zip(repairs, causes, strict=True):
        assert where in sentence
        assert sentence.endswith(cause)


@pytest.mark.parametrize("header", [b"", b"10 2\n"])
def test_skip_gives_the_good_rows_and_lists_the_others(header, write_file):
    found = load(write_file("v.txt", header + TEXT), on_error="skip")

    assert list(found.words) == ["cat", "dog"]
    assert found.vectors.tolist() == [[1, 2], [3, 4]]
    if not header:
        assert_listed(found.repairs, CAUSES)
    assert len(found.repairs) == len(CAUSES)


def test_replace_keeps_broken_words_and_leaves_broken_rows_out(write_file):
    found = load(write_file("v.txt", TEXT), on_error="replace")

    assert list(found.words) == ["cat", "b\ufffdte", "bell\ufffd", "dog"]
    assert found.vectors.tolist() == [[1, 2], [5, 6], [7, 8], [3, 4]]
    assert_listed(found.repairs[:6], CAUSES[:6])
    assert ":8: bytes that are not UTF-8 became U+FFFD" in found.repairs[6]
    assert ":9: control characters became U+FFFD" in found.repairs[7]


def test_stop_reports_the_first_broken_row_and_what_to_do(write_file):
    with pytest.raises(BadData, match=r"v\.txt:2: .* --on-error skip leaves such rows out"):
        load(write_file("v.txt", TEXT))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"3 2\ncat 1 2\ndog 3 4\n", "announces 3 words, found 2 lines"),
        (b"1 2\ncat 1 2\ndog 3 4\n", "announces 1 words, found 2 lines"),
    ],
)
def test_skip_reads_the_rows_if_the_header_is_wrong(content, sentence, write_file):
    found = load(write_file("v.vec", content), on_error="skip")

    assert list(found.words) == ["cat", "dog"]
    assert sentence in found.repairs[0]


RECORDS = binary(
    record(b"cat", 1, 2),
    record(b"b\xe9te", 5, 6),
    record(b"far", np.inf, 1),
    record(b"", 1, 2),
    record(b"bell\x07", 7, 8),
    record(b"dog", 3, 4),
)


def test_skip_gives_the_good_records(write_file):
    found = load(write_file("v.bin", RECORDS), on_error="skip")

    assert list(found.words) == ["cat", "dog"]
    assert found.vectors.tolist() == [[1, 2], [3, 4]]
    causes = [
        ("byte 16:", "not UTF-8 (byte 0xe9 at its byte 2). Left out."),
        ("byte 41:", "there is no word before the numbers. Left out."),
        ("byte 50:", "control characters in the word 'bell\ufffd'. Left out."),
        ("byte 29:", "the vector of this word is not finite. Left out."),
    ]
    assert_listed(found.repairs, causes)


def test_replace_repairs_the_words_of_records(write_file):
    found = load(write_file("v.bin", RECORDS), on_error="replace")

    assert list(found.words) == ["cat", "b\ufffdte", "bell\ufffd", "dog"]
    assert found.vectors.tolist() == [[1, 2], [5, 6], [7, 8], [3, 4]]


@pytest.mark.parametrize(
    ("content", "words", "sentence"),
    [
        (b"2 2\n" + record(b"elephant", 1, 2) + b"dog 1234", ["elephant"], "ends within word 2"),
        (
            binary(record(b"cat", 1, 2)) + b"tail",
            ["cat"],
            "there are bytes after the last of the 1",
        ),
    ],
)
def test_skip_reads_the_complete_records(content, words, sentence, write_file):
    found = load(write_file("v.bin", content), on_error="skip")

    assert list(found.words) == words
    assert sentence in found.repairs[0]


TABLE = np.array([[1, 2], [np.nan, 1], [5, 6], [7, 8], [3, 4]], np.float32)
NAMES = np.array([b"cat", b"far", b"b\xe9te", b"bell\x07", b"dog"])


def arrays(kind, write_file):
    if kind == "npz":
        return write_file("v.npz", npz(words=NAMES, vectors=TABLE))
    write_file("v.words", b"\n".join(NAMES.tolist()) + b"\n")
    return write_file("v.npy", npy(TABLE))


@pytest.mark.parametrize("kind", ["npz", "npy"])
def test_skip_gives_the_good_rows_of_arrays(kind, write_file):
    found = load(arrays(kind, write_file), on_error="skip")

    assert list(found.words) == ["cat", "dog"]
    assert found.vectors.tolist() == [[1, 2], [3, 4]]
    causes = [
        ("row 2:", "the vector of 'far' is not finite. Left out."),
        ("row 3:", "bytes that are not UTF-8 in the word 'b\ufffdte'. Left out."),
        ("row 4:", "control characters in the word 'bell\ufffd'. Left out."),
    ]
    assert_listed(found.repairs, causes)


@pytest.mark.parametrize("kind", ["npz", "npy"])
def test_replace_repairs_the_words_of_arrays(kind, write_file):
    found = load(arrays(kind, write_file), on_error="replace")

    assert list(found.words) == ["cat", "b\ufffdte", "bell\ufffd", "dog"]
    assert ["became U+FFFD" in sentence for sentence in found.repairs] == [False, True, True]


DOUBLE = {
    "v.txt": b"cat 1 2\ndog 3 4\ncat 5 6\n",
    "v.vec": b"3 2\ncat 1 2\ndog 3 4\ncat 5 6\n",
    "v.bin": binary(record(b"cat", 1, 2), record(b"dog", 3, 4), record(b"cat", 5, 6)),
    "v.npz": npz(words=np.array(["cat", "dog", "cat"]), vectors=np.array([[1, 2], [3, 4], [5, 6]])),
}
SECOND = {"v.txt": ":3:", "v.vec": ":4:", "v.bin": "byte 28:", "v.npz": "row 3:"}


@pytest.mark.parametrize("name", DOUBLE)
@pytest.mark.parametrize("on_error", ["stop", "skip", "replace"])
def test_of_a_repeated_word_the_first_vector_is_kept_and_the_second_noted(
    name, on_error, write_file
):
    found = load(write_file(name, DOUBLE[name]), on_error=on_error)

    assert list(found.words) == ["cat", "dog"]
    assert found.vectors.tolist() == [[1, 2], [3, 4]]
    assert len(found.repairs) == 1
    assert SECOND[name] in found.repairs[0]
    assert "'cat' occurs a second time" in found.repairs[0]


def test_words_that_become_equal_by_replacing_count_as_repeated(write_file):
    found = load(write_file("v.txt", b"a\xe9 1\na\xe8 2\nb 3\n"), on_error="replace")

    assert list(found.words) == ["a\ufffd", "b"]
    assert len(found.repairs) == 3


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("v.txt", b"a\xe9 1\n\x07 2\n"),
        ("v.bin", binary(record(b"\xe9", 1, 2))),
        ("v.bin", binary(record(b"a", np.nan, 2))),
        ("v.npz", npz(words=np.array([b"\xe9"]), vectors=np.ones((1, 2)))),
    ],
)
def test_skipping_everything_is_an_error(name, content, write_file):
    with pytest.raises(BadData, match="contains no usable vectors"):
        load(write_file(name, content), on_error="skip")


def test_the_list_of_repairs_has_an_end(write_file):
    found = load(write_file("v.txt", b"cat 1 2\n" + b"x 1\n" * 1500), on_error="skip")

    assert len(found.repairs) == 1001
    assert found.repairs[-1] == "... and 500 more."
