import pytest

from lexiscope.core.errors import BadData
from lexiscope.data.thesaurus import Sense, read

TEXT = "ISO8859-1\nabîme|2\n(nom)|gouffre|précipice (profond)\n-|ruine\n\nété|1\n|saison\n"


def written(folder, content):
    path = folder / "th.dat"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_words_have_their_senses_in_the_encoding_of_the_first_line(tmp_path, ends):
    found = read(written(tmp_path, TEXT.replace("\n", ends).encode("latin-1")))

    assert dict(found) == {
        "abîme": (Sense("(nom)", ("gouffre", "précipice (profond)")), Sense("-", ("ruine",))),
        "été": (Sense("", ("saison",)),),
    }


def test_a_byte_order_mark_and_a_word_with_two_entries_are_understood(tmp_path):
    found = read(written(tmp_path, b"\xef\xbb\xbfUTF-8\na|1\n-|b\na|1\nn|c|\n"))

    assert found["a"] == (Sense("-", ("b",)), Sense("n", ("c",)))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"UTF-8\n", "contains no words"),
        (b"", "'' is no encoding, so this is not a MyThes thesaurus"),
        (b"word2vec 3 4\na|1\n-|b\n", "'word2vec 3 4' is no encoding"),
        (b"UTF-8\na|1\n-|\xe9\n", r"th.dat:3: is not UTF-8, the encoding that line 1 names"),
        (b"UTF-8\na|1\n-|b\n-|c\n", r"th.dat:4: expected a word, \| and its number of senses"),
        (b"UTF-8\na|3\n-|b", "ends within the senses of 'a'"),
        (b"UTF-8\na|999999999999999999\n-|b", "ends within the senses of 'a'"),
        (b"hex\n00\n", "'hex' is no encoding"),
    ],
)
def test_a_broken_file_raises_an_error(tmp_path, content, sentence):
    with pytest.raises(BadData, match=sentence):
        read(written(tmp_path, content))
