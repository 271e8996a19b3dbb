"""Words of hostile vector files: repeated millions of times, or too long once they are repaired."""

import tracemalloc

import pytest

import lexiscope
from lexiscope.core.errors import BadData
from lexiscope.data.vectors import load

ROWS = 40_000


def peak_of_loading(path):
    load(path, on_error="skip")  # kernels are compiled
    tracemalloc.start()
    try:
        load(path, on_error="skip")
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_repeated_rows_need_no_more_memory_than_distinct_ones(tmp_path):
    (tmp_path / "repeated.vec").write_text("abcde 1\n" * ROWS)
    (tmp_path / "distinct.vec").write_text("".join(f"w{k:04x} 1\n" for k in range(ROWS)))

    repeated, distinct = (
        peak_of_loading(tmp_path / f"{name}.vec") for name in ("repeated", "distinct")
    )

    assert repeated <= 1.01 * distinct


def test_repeated_rows_are_all_counted(tmp_path):
    (tmp_path / "v.vec").write_text("cat 1\n" * 5000)

    found = load(tmp_path / "v.vec", on_error="skip")

    assert found.repairs[0] == (
        f"{tmp_path}/v.vec:2: the word 'cat' occurs a second time. The first vector is kept."
    )
    assert found.repairs[-1] == "... and 3,999 more."
    assert len(found.repairs) == 1001


@pytest.mark.parametrize("ending", [".vec", ".bin", ".npz", ".safetensors", ".npy"])
@pytest.mark.parametrize(
    "word", [b"\xff" * 400, b"\x01" * 342, b"\xff" * 341, b"a\x7fb", b"\xed\xa0\x80", b"\0"]
)
def test_replaced_words_can_be_written(tmp_path, word, ending):
    (tmp_path / "v.vec").write_bytes(b"cat 1 2\n" + word + b" 3 4\n")

    found = load(tmp_path / "v.vec", on_error="replace")
    again = load(lexiscope.save(found, tmp_path / f"again{ending}"))

    assert list(again.words) == list(found.words)
    assert len(found) == (2 if len(word) < 342 else 1)


def test_a_replaced_word_that_is_too_long_is_left_out_with_a_note(tmp_path):
    (tmp_path / "v.vec").write_bytes(b"cat 1 2\n" + b"\xff" * 400 + b" 3 4\n")

    assert (
        load(tmp_path / "v.vec", on_error="replace")
        .repairs[-1]
        .endswith("v.vec:2: a word of more than 1,024 bytes with its U+FFFD. Left out.")
    )
    with pytest.raises(BadData, match="not UTF-8"):
        load(tmp_path / "v.vec")
