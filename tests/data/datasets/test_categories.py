"""Categories in published formats."""

import gzip

import pytest

from lexiscope.core.errors import BadData
from lexiscope.data.datasets import read
from tests.data.local_files import shared

SPELLINGS = {
    "no header": "animal\tcat\nanimal\tdog\ntool\tsaw\n",
    "commas": "animal,cat\nanimal,dog\ntool,saw\n",
    "semicolons": "animal;cat\nanimal;dog\ntool;saw\n",
    "spaces": "animal cat\nanimal dog\ntool saw\n",
    "a header": "category,word\nanimal,cat\nanimal,dog\ntool,saw\n",
    "a header the other way": "Word;Class\ncat;animal\ndog;animal\nsaw;tool\n",
    "a column of numbers without a name": ",category,word\n"
    "0,animal,cat\n1,animal,dog\n2,tool,saw\n",
    "several classes": "word\tclass\tclass2\ncat\tanimal\tx\ndog\tanimal\tx\nsaw\ttool\tx\n",
    "marks of the part of speech": "word\tclass\ncat_N\tanimal\ndog_N\tanimal\nsaw_N\ttool\n",
    "no header, the word first": "cat\tanimal\ndog\tanimal\nsaw\ttool\n",
    "no header, the word first, commas": "cat,animal\ndog,animal\nsaw,tool\n",
    "no header, the word first, semicolons": "cat;animal\ndog;animal\nsaw;tool\n",
    "marks in small letters": "animal\tcat-n\nanimal\tdog-n\ntool\tsaw-n\n",
    "empty words at the ends": "category,word\nanimal,cat\nanimal,dog\nanimal,\ntool,saw\ntool,\n",
}


@pytest.fixture
def categories(tmp_path):
    """Reads categories from text or bytes."""

    def read_categories(content, name="categories.tsv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read("categories", path, "given")

    return read_categories


@pytest.mark.parametrize("text", SPELLINGS.values(), ids=SPELLINGS)
def test_the_same_words_in_many_spellings(text, categories):
    found = categories(text)

    assert found.word.tolist() == ["cat", "dog", "saw"]
    assert found.category.tolist() == ["animal", "animal", "tool"]


def test_pos_suffixes_are_kept_if_a_word_has_none(categories):
    words = categories("category\tword\nanimal\tcat_N\ntool\tsaw\n").word

    assert words.tolist() == ["cat_N", "saw"]


def test_formulas_and_control_characters_are_words_like_others(categories):
    found = categories("=1+1,-x\n@a,-x\n\x1b[2J,+y\n\u202eb,+y\n")

    assert found.word.tolist() == ["=1+1", "@a", "\x1b[2J", "\u202eb"]
    assert found.category.tolist() == ["-x", "-x", "+y", "+y"]


BROKEN = {
    "one field": ("cat\ndog\n", ":1: expected a category and a word, found 1 field."),
    "three fields": ("a,b,c\na,b,d\n", ":1: expected a category and a word, found 3 fields."),
    "a later line too long": ("a\tb\nc\td\te\n", ":2: expected a category and a word, found 3"),
    "an empty word": ("a,b\na,\nc,d\n", ":2: the word is missing"),
    "an empty word within a category": ("category,word\na,\na,b\nc,d\n", ":2: the word is missing"),
    "an empty category": ("category,word\n,b\nc,d\n", ":2: the category is missing"),
    "a short row": ("category,x,word\na,1,b\nc,2\n", ":3: the word is missing"),
    "one category": ("a,b\na,c\n", ": there is only one category, 'a'"),
    "numbers for words": ("cat,1\ncat,2\ndog,3\n", ": the words are numbers"),
    "ratings for labels": ("cat,1.5\ndog,1.5\ncow,2\n", ": the labels are numbers"),
    "as many labels as words": ("a,b\nc,d\n", ": both columns have 2 distinct values"),
    "a header with other names": ("token,tag\na,x\nb,x\nc,x\n", ":1: 'tag' occurs once"),
    "a label with a control character": ("a,\x1b[2J\nb,x\nc,x\n", ":1: '\ufffd[2J' occurs once"),
    "texts": ("a good film,1\na bad film,0\na very good film,1\n", ": most rows have a text"),
    "a header only": ("category,word\n", ": contains no words"),
    "two columns of one name": ("category,word,word\na,b,c\n", ":1: two columns have the same"),
    "comments only": ("# a\n", ": contains no words"),
    "nothing": ("", ": is empty"),
    "bytes of no text": (b"a,b\nc,\xff\n", ":2: is not UTF-8"),
}


@pytest.mark.parametrize(("content", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_refused_with_line_and_reason(content, reason, categories):
    with pytest.raises(BadData) as problem:
        categories(content)

    assert f"categories.tsv{reason}" in str(problem.value)


R = {
    "no archive": b"RDX2",
    "no data of R": gzip.compress(b"hello"),
    "truncated": gzip.compress(b"RDX2\nX\n\x00\x00\x00\x02\x00\x04"),
    "no table": gzip.compress(b"RDX2\nX\n" + bytes([0, 0, 0, 2] * 3) + bytes([0, 0, 0, 254])),
    "another kind of value": gzip.compress(b"RDX2\nX\n" + bytes([0, 0, 0, 2] * 3) + b"\0\0\4\3"),
    "a length beyond the end": gzip.compress(
        b"RDX2\nX\n" + bytes([0, 0, 0, 2] * 3) + b"\0\0\0\2\0\0\0\x10\x7f\xff\xff\xff"
    ),
    "nested without end": gzip.compress(
        b"RDX2\nX\n" + bytes([0, 0, 0, 2] * 3) + b"\0\0\0\2" + b"\0\0\0\x13\0\0\0\1" * 9999
    ),
}


@pytest.mark.parametrize("content", R.values(), ids=R)
def test_a_broken_file_of_r_is_refused(content, categories):
    with pytest.raises(BadData, match="contains no plain R data frame"):
        categories(content, "table.rda")


def test_a_file_of_r_and_its_text_are_the_same():
    folder = shared() / "categorization"
    binary = read("categories", folder / "ESSLLI08_Nouns.rda", "nouns")
    text = read("categories", folder / "ESSLLI08_Nouns.derived.tsv", "nouns")

    assert binary.fingerprint == text.fingerprint
    assert binary.word[:2].tolist() == ["chicken", "eagle"]
