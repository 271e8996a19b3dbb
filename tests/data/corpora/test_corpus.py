"""The corpus of a text: order, limits, repairs and error messages."""

import gc
import mmap
import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lexiscope import data
from lexiscope.core.corpus import corpus, sentences_of
from lexiscope.core.errors import BadData, BadUsage, TooLarge
from lexiscope.core.preprocessing import PRESETS, Preprocessing
from lexiscope.data.corpora import _spool, read
from lexiscope.data.vectors import load, save
from lexiscope.data.vectors.formats.stream import word_error

ALL = Preprocessing(min_count=1)
SPACES = Preprocessing("spaces", min_count=1)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Don’t stop, o'clock 'quoted' rock 'n' roll", "don't stop o'clock quoted rock n roll"),
        ("3.14 and 1,000, 5. or 1.2.3", "3.14 and 1,000 5 or 1.2.3"),
        ("well-known a_b x=y don'5", "well known a b x y don 5"),
        ("soft\u00adhyphen می\u200cخواهم m² ❤\ufe0f", "softhyphen می\u200cخواهم m²"),
        ("He left. She stayed! Why? Who…\nNo one", "he left|she stayed|why|who|no one"),
        ("He left (early.) Then “No.” ‘So.’ And", "he left early|then no|so|and"),
        ("wrapped\nline. and on\n\nnext part\n \t\nlast", "wrapped line and on|next part|last"),
        ("Mr. Smith and Dr. No. 5 of J. R. Hartley", "mr smith and dr no 5 of j r hartley"),
        ("He said no. Then see No. 5, vol. 3", "he said no|then see no 5 vol 3"),
        ("e.g. The U.S. The a.m. Then", "e g the u s the a m then"),
        ("www.example.com. Next", "www example com|next"),
        ("她来了。他走了！真的？好", "她来了|他走了|真的|好"),
        ("Первое. Второе। तीसरा। चौथा", "первое|второе|तीसरा|चौथा"),
        ("ΟΔΟΣ ΟΔΟΣ. İzmir", "οδος οδος|i̇zmir"),
    ],
)
def test_words_and_sentences(text, sentences, corpus_of):
    found = corpus_of(text, ALL)

    assert [" ".join(sentence) for sentence in sentences_of(found)] == sentences.split("|")


def test_whitespace_tokens_are_kept_unchanged(corpus_of):
    found = corpus_of(
        'Mr. Smith left . " He said\xa0so. (She) didn’t…\n', replace(SPACES, lower=False)
    )

    assert sentences_of(found) == [
        ["Mr.", "Smith", "left", ".", '"'],
        ["He", "said", "so."],
        ["(She)", "didn’t…"],
    ]


def test_lines_and_documents_end_sentences_on_request(write_file):
    paths = [write_file("a.txt", "One. Two\nthree\r\n\r\nfour"), write_file("b.txt", "five")]

    by_line = read(paths, replace(ALL, sentences="lines"))
    by_document = read(paths, replace(ALL, sentences="documents"))

    assert sentences_of(by_line) == [["one", "two"], ["three"], ["four"], ["five"]]
    assert sentences_of(by_document) == [["one", "two", "three", "four"], ["five"]]


def test_every_file_is_a_document_unless_it_loses_every_word(write_file):
    for name, text in (("a", "One two. Three\n\none"), ("b", "rare"), ("c", ""), ("d", "One. Two")):
        write_file(f"books/{name}.txt", text)
    folder = write_file("books/e.txt", "three one").parent

    found = read(folder, Preprocessing(min_count=2))

    assert [" ".join(each) for each in sentences_of(found)] == [
        *("one two", "three", "one"),
        *("one", "two"),
        "three one",
    ]
    assert found.documents.tolist() == [0, 3, 5, 6]


def test_where_only_documents_end_sentences_every_sentence_is_one(write_file):
    paths = [
        write_file("a.txt", "One. Two\n\nthree"),
        write_file("b.txt", ""),
        write_file("c.txt", "four"),
    ]

    assert read(paths, replace(ALL, sentences="documents")).documents.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("digits", "words"),
    [
        ("keep", ["5", "42", "3.14", "٣", "7", "b2"]),
        ("zero", ["0", "00", "0.00", "0", "0", "b0"]),
        ("seven", ["7", "42", "3.14", "7", "7", "b2"]),
    ],
)
def test_digits_are_kept_or_folded(digits, words, corpus_of):
    found = corpus_of("5 42 3.14 ٣ 7 b2", replace(ALL, digits=digits))

    assert sentences_of(found) == [words]


def test_the_most_frequent_word_is_first_and_equal_ones_are_in_the_order_of_letters(corpus_of):
    found = corpus_of("b a c b a é z 你 b", ALL)

    assert list(found.vocabulary) == ["b", "a", "c", "z", "é", "你"]
    assert found.counts.tolist() == [3, 2, 1, 1, 1, 1]


def test_rare_and_short_words_and_those_beyond_the_limit_are_left_out_with_their_sentences(
    corpus_of,
):
    text = "aa bb x aa\ncc\naa bb dd dd\nx x x x"
    steps = Preprocessing("spaces", "lines", min_count=2, min_length=2, limit=2)

    found = corpus_of(text, steps)

    assert list(found.vocabulary) == ["aa", "bb"]
    assert sentences_of(found) == [["aa", "bb", "aa"], ["aa", "bb"]]
    assert found.left_out == 8
    assert found.preprocessing == steps


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_reads(preset, corpus_of):
    found = corpus_of("The 3 cats, the 4 dogs a b. " * 10, PRESETS[preset])

    assert "7" in found.vocabulary or preset != "yaghoobzadeh2016"
    assert "0" in found.vocabulary or preset != "schnabel2015"
    assert "a" not in found.vocabulary or preset != "bloem2019"
    assert "cats," in found.vocabulary or preset != "as-is"


def test_lists_of_words_and_their_text_have_the_same_fingerprint(corpus_of):
    sentences = [["the", "cat"], ["The", "dog,", "the"]]
    text = "\n".join(map(" ".join, sentences))

    assert corpus_of(text, PRESETS["as-is"]).fingerprint == corpus("c", sentences).fingerprint


def test_a_corpus_of_one_word(corpus_of):
    found = corpus_of("word", ALL)

    assert found.tokens.tolist() == [0]
    assert found.starts.tolist() == [0, 1]
    assert (found.name, found.origin) == ("text", "text.txt (4 bytes)")


@pytest.mark.parametrize(
    ("text", "steps", "said"),
    [
        ("", ALL, "text: contains no words."),
        (" \n — ...\n", ALL, "text: contains no words."),
        ("a b c b", replace(ALL, min_count=5), "4 tokens, but no word occurs 5 times or more"),
        ("a b c b", replace(ALL, min_count=5), r"\(the most frequent one 2\). Use --min-count 2"),
        ("a b c b", replace(ALL, min_length=2), "4 tokens, but each has fewer than 2 characters"),
    ],
)
def test_a_text_without_frequent_words_is_reported_with_counts(text, steps, said, corpus_of):
    with pytest.raises(BadData, match=said):
        corpus_of(text, steps)


def test_bytes_that_are_not_utf8_are_reported_with_their_position(write_file):
    path = write_file("latin.txt", "one\ntwo\ncafé".encode("latin-1"))

    with pytest.raises(BadData, match=r"latin\.txt:3: byte 11 \(0xe9\) is not UTF-8\. .*iconv"):
        read(path, ALL)


def test_bytes_that_are_not_utf8_can_be_replaced_and_are_counted(write_file):
    path = write_file(
        "latin.txt", "naïve café \ufffd".encode("latin-1", "replace") + "\ufffd".encode()
    )

    found = read(path, ALL, on_error="replace")

    assert sentences_of(found) == [["na\ufffdve", "caf\ufffd", "\ufffd"]]
    assert found.repairs == (
        f"{path}:1: byte 2 (0xef) is not UTF-8. In all, 2 invalid sequences became U+FFFD.",
    )


def test_a_truncated_character_at_the_end_is_not_utf8(write_file):
    with pytest.raises(BadData, match=r"byte 2 \(0xe4\) is not UTF-8"):
        read(write_file("a.txt", b"a \xe4\xbd"), ALL)


def test_truncated_utf16_is_reported(write_file):
    with pytest.raises(BadData, match="is not UTF-16"):
        read(write_file("a.txt", "word".encode("utf-16")[:-1]), ALL)


@pytest.mark.parametrize("content", [b"some\0thing", "text".encode("utf-16-le"), b"\0"])
def test_nul_bytes_are_not_text(content, write_file):
    with pytest.raises(BadData, match=r"odd\.txt: byte \d is NUL, so this is not text"):
        read(write_file("odd.txt", content), ALL)


def test_only_known_on_error_values_are_accepted(write_file):
    with pytest.raises(BadUsage, match="on_error is 'stop' or 'replace', found 'skip'"):
        read(write_file("a.txt", "a"), ALL, on_error="skip")


@pytest.mark.parametrize("steps", [ALL, SPACES])
def test_tokens_that_no_vector_file_can_contain_are_dropped_and_counted(steps, corpus_of):
    fine, long, wide = "x" * 1024, "x" * 1025, "你" * 342

    found = corpus_of(f"{fine} {long} a {wide} {long}", steps)

    assert sentences_of(found) == [[fine, "a"]]
    assert found.left_out == 3
    assert found.repairs == ("text: 3 tokens of more than 1,024 bytes. Left out.",)


def test_tokens_with_control_characters_are_dropped(corpus_of):
    found = corpus_of("a\x01b c \x7f d\x1ce", SPACES)

    assert sentences_of(found) == [["c", "d", "e"]]
    assert found.left_out == 2
    assert found.repairs == (
        "text: 2 tokens with control characters, which no vector file can contain. Left out.",
    )


def test_every_word_of_a_corpus_can_be_saved_with_its_vector(corpus_of, tmp_path):
    text = " ".join(f"a{chr(n)} {chr(n)}b" for n in range(1, 0x3000))
    found = corpus_of(text, SPACES)
    embedding = found.embedding("e", np.ones((len(found.vocabulary), 2), np.float32))

    assert not any(map(word_error, found.vocabulary))
    assert list(load(save(embedding, tmp_path / "v.vec")).words) == list(found.vocabulary)


def test_a_text_without_spaces_needs_little_memory(corpus_of, tmp_path):
    path = tmp_path / "long.txt"
    path.write_bytes(b"word " + b"x" * 30_000_000 + b". Next word")
    read(path, ALL)
    tracemalloc.start()

    found = read(path, ALL)

    assert tracemalloc.get_traced_memory()[1] < 60_000_000
    tracemalloc.stop()
    assert sentences_of(found) == [["word"], ["next", "word"]]
    assert found.repairs == ("long: 1 tokens of more than 1,024 bytes. Left out.",)


def test_long_texts_are_memory_maps_of_anonymous_files(corpus_of, monkeypatch, tmp_path):
    monkeypatch.setattr(_spool, "IN_MEMORY", 100)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()

    found = corpus_of("one two. Three " * 1000, ALL)

    mapped = found.tokens.base
    while isinstance(mapped, np.ndarray):
        mapped = mapped.base
    assert isinstance(mapped.obj if isinstance(mapped, memoryview) else mapped, mmap.mmap)
    assert list((tmp_path / "temporary").iterdir()) == []
    assert len(found) == 3000
    assert not found.tokens.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        found.tokens[0] = 1


def test_no_file_stays_open(corpus_of, monkeypatch):
    monkeypatch.setattr(_spool, "IN_MEMORY", 100)
    handles = Path("/proc/self/fd")
    if not handles.is_dir():
        pytest.skip("no list of open files here")
    gc.collect()  # otherwise files of earlier tests may be closed in between
    before = len(list(handles.iterdir()))

    found = corpus_of("one two. Three " * 1000, ALL)
    del found
    gc.collect()

    assert len(list(handles.iterdir())) == before


def test_a_full_disk_is_reported(corpus_of, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.SpooledTemporaryFile.write", full)

    with pytest.raises(
        TooLarge, match=r"\(No space left on device\). Free disk space, or .* TMPDIR"
    ):
        corpus_of("one two", ALL)


def test_the_catalogue_is_read_document_by_document(monkeypatch, tmp_path):
    from lexiscope.data.corpora import published

    class Shelf:
        def paths(self, name):
            return [tmp_path / "content"]

    (tmp_path / "content").write_bytes(b"12345")
    reports = []
    monkeypatch.setattr(published, "documents", lambda entry, paths: iter([b"one two", b"three"]))

    found = data.corpora.read("brown", ALL, None, lambda *what: reports.append(what), Shelf())

    assert sentences_of(found) == [["one", "two"], ["three"]]
    assert found.documents.tolist() == [0, 1, 2]
    assert found.name == "brown"
    assert found.origin == "brown (5 bytes)"
    assert reports[-1] == ("Reading", 5, 5)
