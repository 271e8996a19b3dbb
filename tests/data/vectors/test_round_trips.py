"""Round trips: written and read files have the same words and the same bits."""

import gzip
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as some
from hypothesis.extra.numpy import arrays

from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.data.vectors import load, save
from lexiscope.data.vectors.formats import files as _files
from lexiscope.data.vectors.formats import stream, text_layout

TEXT = ("v.vec", "v.txt.gz", "v.glove", "v.vec.bz2", "v.vec.xz", "v.txt")
RECORDS = ("v.bin", "v.bin.gz")
ARRAYS = ("v.npz", "v.npz.xz", "v.npy", "w.npy.gz", "V.NPY", "v.safetensors")
FINITE = some.floats(width=32, allow_nan=False, allow_infinity=False)
TRICKY = [-0.0, 1e-45, -1.1754942e-38, 1.17549435e-38, 3.4028235e38, -3.4028235e38, 0.1, 16777217.0]

quickly = settings(max_examples=40, deadline=None)


def characters(refused=""):
    return some.characters(exclude_categories=("Cc", "Cs"), exclude_characters=refused)


def words_of(character):
    return some.lists(
        some.text(character, min_size=1, max_size=8), min_size=1, max_size=6, unique=True
    )


@some.composite
def embeddings(draw, words):
    found = draw(words)
    dimension = draw(some.integers(1, 4))
    return embedding("e", found, draw(arrays(np.float32, (len(found), dimension), elements=FINITE)))


def written_and_read(vectors, path):
    return load(save(vectors, path))


def assert_same(found, wanted):
    assert list(found.words) == list(wanted.words)
    assert found.vectors.tobytes() == wanted.vectors.tobytes()
    assert found.repairs == ()


def test_our_own_format_round_trips_with_any_header_length(folder):
    found = embedding("e", ["a", "b"], np.eye(2))
    lengths = set()
    for letters in range(0, 1500, 4):
        wanted = replace(found, origin="o" * letters)
        path = save(wanted, folder / "v.safetensors")
        lengths.add(path.read_bytes()[:2])

        assert_same(load(path), wanted)
        assert load(path).origin == (wanted.origin or "v.safetensors")
    # Lengths with the magic numbers of pickles and zlib streams.
    assert {b"\x80\1", b"\x80\2", b"\x80\3", b"\x80\4", b"\x80\5", b"\x78\1"} <= lengths


@pytest.mark.parametrize("name", TEXT + RECORDS + ARRAYS)
def test_words_of_every_script_round_trip_with_the_same_bits(name, folder):
    @quickly
    @given(embeddings(words_of(characters(" \ufeff"))))
    @example(embedding("e", ["été", "日本", "a\xa0b", "x\u3000y", "1990"], np.ones((5, 2))))
    @example(embedding("e", ["BZh", "PAR1", "<html", "xڀ", "%PDF", "#", ":", '"'], np.ones((8, 2))))
    @example(embedding("e", ["a"], [TRICKY]))
    @example(embedding("e", ["5", "7"], [[1.0], [2.0]]))
    @example(embedding("e", ["nan", "inf", "-1", "null", "NA"], np.ones((5, 3))))
    def check(vectors):
        assert_same(written_and_read(vectors, folder / name), vectors)

    check()


@pytest.mark.parametrize("name", [*TEXT[:3], "v.npz", "v.safetensors"])
def test_words_with_spaces_inside_round_trip(name, folder):
    tokens = some.lists(some.sampled_from(["at", "name@domain.com", ".", "x1", "é"]), min_size=2)

    @quickly
    @given(embeddings(some.lists(tokens.map(" ".join), min_size=1, max_size=5, unique=True)))
    @example(embedding("e", ["a  b", ". . ."], [[1.5], [2.5]]))
    def check(vectors):
        assert_same(written_and_read(vectors, folder / name), vectors)

    check()


@pytest.mark.parametrize("name", TEXT[:3] + RECORDS + ARRAYS)
def test_a_word_round_trips_or_is_refused_when_written(name, folder):
    @quickly
    @given(embeddings(words_of(some.characters())))
    @example(embedding("e", ["a b"], [[1.0]]))
    @example(embedding("e", ["\ufeffa", "b"], np.ones((2, 2))))
    def check(vectors):
        try:
            path = save(vectors, folder / name)
        except BadData:
            return
        assert_same(load(path), vectors)

    check()


@pytest.mark.parametrize("name", TEXT[:3] + RECORDS + ARRAYS)
@pytest.mark.parametrize(
    "word", ["", "a\nb", "a\rb", "\0", "tab\tbed", "\x7f", "\ud800", "x" * 1025]
)
def test_an_invalid_word_is_refused_when_written(name, word, tmp_path):
    with pytest.raises(BadData, match="cannot be written"):
        save(embedding("e", ["good", word], np.ones((2, 3))), tmp_path / name)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("word", [" a", "a ", "a 1", "a 1e5", "a nan", "a -inf", "a .5", "a +1"])
def test_text_refuses_a_word_that_would_read_as_numbers(word, tmp_path):
    with pytest.raises(BadData, match="cannot be written to a text file"):
        save(embedding("e", [word], [[1.0]]), tmp_path / "v.vec")


@pytest.mark.parametrize("name", ["v.vec", "v.bin", "v.npz", "v.npy", "v.safetensors"])
def test_a_vector_that_is_not_finite_is_refused_when_written(name, tmp_path):
    with pytest.raises(BadData, match="'b' is not finite"):
        save(embedding("e", ["a", "b"], [[1.0], [np.nan]]), tmp_path / name)


def test_the_longest_word_round_trips(tmp_path):
    vectors = embedding("e", ["é" * 512, "b"], [[1.0], [2.0]])
    for name in ("v.vec", "v.bin", "v.npz", "v.npy", "v.safetensors"):
        assert_same(written_and_read(vectors, tmp_path / name), vectors)


def test_a_zip_archive_with_one_file_is_read(tmp_path):
    with zipfile.ZipFile(tmp_path / "v.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("folder/", "")
        archive.writestr("folder/v.vec", "2 2\ncat 1 2\ndog 3 4\n")

    found = load(tmp_path / "v.zip")

    assert list(found.words) == ["cat", "dog"]
    assert found.vectors.tolist() == [[1, 2], [3, 4]]


def test_a_member_of_a_zip_archive_can_be_selected(tmp_path):
    with zipfile.ZipFile(tmp_path / "v.zip", "w") as archive:
        archive.writestr("a.txt", "cat 1\n")
        archive.writestr("b.txt", "dog 2\n")

    found = load(f"{tmp_path}/v.zip#b.txt")

    assert (list(found.words), found.name) == (["dog"], "b")


def test_a_zip64_archive_is_read(tmp_path):
    with (
        zipfile.ZipFile(tmp_path / "v.zip", "w") as archive,
        archive.open("v.txt", "w", force_zip64=True) as file,
    ):
        file.write(b"cat 1 2\n")

    assert load(tmp_path / "v.zip").vectors.tolist() == [[1, 2]]


def record(word, *numbers, end=b""):
    return word.encode() + b" " + np.array(numbers, "<f4").tobytes() + end


@pytest.mark.parametrize("end", [b"", b"\n"])
@pytest.mark.parametrize("last", [b"", b"\n"])
def test_binary_records_may_end_with_a_newline(end, last, write_file):
    body = record("cat", 1, 2, end=end) + record("été", 3, 4)
    found = load(write_file("v.bin", b"2 2\n" + body + last))

    assert list(found.words) == ["cat", "été"]
    assert found.vectors.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("start", [b"\n\n\n\n", b"5\n.1", b"A\n\n\n", b" 1 \n", b"1\n2\n", b"0000"])
@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_binary_vector_that_looks_like_text_is_still_a_vector(start, end, write_file):
    body = b"a " + start + end + b"b " + b"abcd" + end
    found = load(write_file("v.bin", b"2 1\n" + body))

    assert list(found.words) == ["a", "b"]
    assert found.vectors.tobytes() == start + b"abcd"


def test_a_binary_file_is_recognised_by_its_content(write_file):
    records = b"".join(record(f"word{row}", row, -row / 3) for row in range(100))
    assert len(load(write_file("vectors.txt", b"100 2\n" + records))) == 100


LINES = {
    "a header with a trailing space": b"2 2 \ncat 1 2\ndog 3 4\n",
    "trailing spaces as fastText writes them": b"2 2\ncat 1 2 \ndog 3 4 \n",
    "line ends of Windows": b"2 2\r\ncat 1 2\r\ndog 3 4\r\n",
    "Windows and trailing spaces": b"2 2\r\ncat 1 2 \r\ndog 3 4 \r\n",
    "a byte order mark": b"\xef\xbb\xbf2 2\ncat 1 2\ndog 3 4\n",
    "a byte order mark without a header": b"\xef\xbb\xbfcat 1 2\ndog 3 4\n",
    "tabs": b"cat\t1\t2\ndog\t3\t4\n",
    "tabs and a header with a tab": b"2\t2\ncat\t1\t2\ndog\t3\t4\n",
    "tabs and a header with a space": b"2 2\ncat\t1\t2\ndog\t3\t4\n",
    "no line end at the end": b"cat 1 2\ndog 3 4",
    "a header and no line end at the end": b"2 2\ncat 1 2\ndog 3 4",
    "exponents and signs": b"cat 1e0 +2\ndog .3e1 4.\n",
}


@pytest.mark.parametrize("content", LINES.values(), ids=LINES)
@pytest.mark.parametrize("packed", [False, True])
def test_the_same_table_in_many_spellings(content, packed, write_file):
    found = load(write_file("v.txt", gzip.compress(content) if packed else content))

    assert list(found.words) == ["cat", "dog"]
    assert found.vectors.tolist() == [[1, 2], [3, 4]]
    assert found.repairs == ()


def test_tokens_may_contain_the_separator(write_file):
    found = load(write_file("v.txt", b". . . 1 2\nat name@domain.com 3 4\ncat 5 6\n"))

    assert list(found.words) == [". . .", "at name@domain.com", "cat"]
    assert found.vectors.tolist() == [[1, 2], [3, 4], [5, 6]]


def test_words_of_a_tab_separated_file_may_contain_spaces(write_file):
    found = load(write_file("v.txt", b"new york\t1\t2\ncat\t5\t6\n"))

    assert list(found.words) == ["new york", "cat"]


@pytest.mark.parametrize("space", "\x85\xa0\u1680\u2003\u2028\u2029\u202f\u3000\ufeff")
def test_only_the_plain_space_separates(space, write_file):
    found = load(write_file("v.txt", f"a{space}b 1 2\n{space} 3 4\n".encode()))

    assert list(found.words) == [f"a{space}b", space]
    assert found.vectors.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("content", "words", "numbers"),
    [
        (b"1990 3\n1991 4\ncat 5\n", ["1990", "1991", "cat"], [3, 4, 5]),
        (b"1990 3.5\ncat 5\n", ["1990", "cat"], [3.5, 5]),
        (b"2 1\n1990 3\ncat 5\n", ["1990", "cat"], [3, 5]),
        (b"cat 5\n1990 3\n", ["cat", "1990"], [5, 3]),
    ],
)
def test_a_number_may_be_the_first_word_of_one_dimensional_vectors(
    content, words, numbers, write_file
):
    found = load(write_file("v.txt", content))

    assert list(found.words) == words
    assert found.vectors.ravel().tolist() == numbers


@pytest.mark.parametrize("name", ["v.vec", "v.glove", "v.bin", "v.npz", "v.npy", "v.safetensors"])
@pytest.mark.parametrize("limit", [1, 3, 5, 6, 10**15])
def test_a_limit_keeps_the_first_words(name, limit, tmp_path):
    vectors = embedding("e", "abcde", np.arange(10).reshape(5, 2))

    found = load(save(vectors, tmp_path / name), limit=limit)

    assert list(found.words) == list("abcde")[:limit]
    assert found.vectors.tolist() == vectors.vectors[:limit].tolist()


@pytest.mark.parametrize(
    "content",
    [b"cat 1 2\ndog 3 4\nbroken\n", b"3 2\ncat 1 2\ndog 3 4\n\xff nan inf\n"],
)
def test_rows_after_the_limit_are_not_read(content, write_file):
    assert list(load(write_file("v.txt", content), limit=2).words) == ["cat", "dog"]


@pytest.mark.parametrize("name", ["v.vec", "v.glove.gz", "v.bin", "v.bin.gz"])
@pytest.mark.parametrize("size", [1, 7, 64])
def test_rows_may_be_split_between_chunks(name, size, tmp_path, monkeypatch):
    vectors = embedding(
        "e", [f"w{'é' * n}" for n in range(40)], np.random.default_rng(0).random((40, 3))
    )
    path = save(vectors, tmp_path / name)
    for module in (_files, stream, text_layout):
        monkeypatch.setattr(module, "HEAD", 150)
    monkeypatch.setattr(stream, "_CHUNK", size)

    assert_same(load(path), vectors)


def test_a_file_larger_than_the_detection_window_round_trips(tmp_path):
    rng = np.random.default_rng(0)
    vectors = embedding("e", [f"word{n}" for n in range(40_000)], rng.standard_normal((40_000, 8)))
    for name in ("v.vec", "v.bin"):
        assert_same(written_and_read(vectors, tmp_path / name), vectors)


def test_two_npy_files_share_a_word_list_only_if_they_have_the_same_words(tmp_path):
    vectors = embedding("a", ["a", "b", "c"], np.eye(3, dtype=np.float32))
    first = save(vectors, tmp_path / "a.npy")
    part = embedding("a", ["a", "b"], np.eye(2, 3, dtype=np.float32))

    for name in ("a.npy.gz", "a.npy.xz"):
        with pytest.raises(BadUsage, match=r"would replace that of a\.npy, which has other words"):
            save(part, tmp_path / name)
        assert not (tmp_path / name).exists()

    save(vectors, tmp_path / "a.npy.gz")
    save(part, tmp_path / "b.npy.gz")
    assert list(load(first).words) == list(load(tmp_path / "a.npy.gz").words) == ["a", "b", "c"]
    assert list(load(tmp_path / "b.npy.gz").words) == ["a", "b"]
    with pytest.raises(BadUsage, match=r"that of a\.npy\.gz"):
        save(part, first)


def test_a_new_word_list_does_not_hide_the_list_of_another_file(tmp_path):
    np.save(tmp_path / "a.npy", np.eye(3, dtype=np.float32))
    (tmp_path / "a.vocab").write_text("a\nb\nc\n")

    with pytest.raises(BadUsage, match="word list"):
        save(embedding("a", ["x", "y", "z"], np.eye(3, dtype=np.float32)), tmp_path / "a.npy.gz")

    assert list(load(tmp_path / "a.npy").words) == ["a", "b", "c"]


def test_an_npy_file_can_be_written_again_with_other_words(tmp_path):
    save(embedding("a", ["a", "b"], np.eye(2, dtype=np.float32)), tmp_path / "a.npy")

    save(embedding("a", ["c"], np.eye(1, 2, dtype=np.float32)), tmp_path / "a.npy")

    assert list(load(tmp_path / "a.npy").words) == ["c"]
