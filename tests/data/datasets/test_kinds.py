"""A file of unknown kind is read as the strictest kind that accepts it."""

import pandas as pd
import pytest

from lexiscope.core.datasets import (
    KINDS,
    Analogies,
    Categories,
    Relations,
    Texts,
    WordPairs,
)
from lexiscope.core.errors import BadData
from lexiscope.data.datasets import read_any
from tests.data.datasets.test_frames import FRAMES


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("adjective,noun,label\nwarm,water,0\nwarm,welcome,1\n", "phrases"),  # not word pairs
        ("word1,word2,score\ncat,dog,7\ncar,tree,1\n", "pairs"),
        ("Review,Sentiment\ngood film,1\nbad film,0\n", "texts"),
        ("entity,labels\nparis,city|place\nrome,city\n", "entities"),
        ("cat animal\nowl animal\noak plant\n", "categories"),
    ],
)
def test_a_file_is_read_as_the_strictest_kind(tmp_path, text, kind):
    path = tmp_path / "mine.csv"
    path.write_text(text, "utf-8")

    assert read_any(KINDS.values(), path, "mine").kind == kind


@pytest.mark.parametrize("kind", FRAMES)
def test_a_file_of_any_kind_is_recognised_among_all_kinds(tmp_path, kind):
    path = tmp_path / "mine.csv"
    pd.DataFrame(FRAMES[kind]).to_csv(path, index=False)

    assert read_any(KINDS.values(), path, "mine").kind == kind


def test_the_error_for_a_file_of_no_kind_names_headers(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("one two three four five six seven\n", "utf-8")

    with pytest.raises(BadData, match=r"begins with 'one two.*word1,word2,rating for pairs; adj"):
        read_any([KINDS["phrases"], KINDS["pairs"]], path, "mine")


FIVE = (Texts, WordPairs, Analogies, Relations, Categories)
ROWS = {
    "categories": ("word,label", ["cat,noun", "eat,verb", "dog,noun", "run,verb", "sun,noun"]),
    "pairs": ("word1,word2,score", ["cat,dog,9", "sun,moon,7.5", "cup,tea,6"]),
    "analogies": ("a,b,c,d", ["king,queen,man,woman", "cat,cats,dog,dogs"]),
    "relations": (
        "word1,word2,relation",
        ["cat,cats,plural", "dog,dogs,plural", "king,queen,female", "man,woman,female"],
    ),
    "texts": ("text,label", ["a good film,1", "a bad film,0", "a very good film,1", "so bad,0"]),
}


@pytest.mark.parametrize("separator", ["\t", ",", ";"], ids=["tab", "comma", "semicolon"])
@pytest.mark.parametrize("with_header", [True, False], ids=["header", "no header"])
@pytest.mark.parametrize("kind", ROWS)
def test_tables_for_learning_curves_get_their_kind(tmp_path, kind, with_header, separator):
    header, rows = ROWS[kind]
    path = tmp_path / "mine.txt"
    lines = [header, *rows] if with_header else rows
    path.write_text("\n".join(lines).replace(",", separator) + "\n", "utf-8")

    found = read_any(FIVE, path, "mine")

    assert found.kind == kind
    assert len(found) == len(rows)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("noun,cat\nverb,eat\nnoun,dog\n", "categories"),  # the label first
        ("1\tcat\n0\teat\n1\tdog\n", "categories"),
        ("0\ta bad film\n1\ta good film\n0\ta very bad film\n1\tso very good\n", "texts"),
        ("source,target\ncat,cats\ndog,dogs\n", "relations"),
        ("head,relation,tail\nrome,capital,italy\n", "relations"),
        ("source,target,relation,note\ncat,cats,plural,x\n", "relations"),  # not four words
        ("a,b,relation\ncat,cats,plural\n", "relations"),
        ("a,b,c,d,relation\ncat,cats,dog,dogs,plural\n", "analogies"),
        ("cat cats plural\ndog dogs plural\n", "relations"),
    ],
)
def test_the_kind_follows_from_columns_and_values(tmp_path, text, kind):
    path = tmp_path / "mine.txt"
    path.write_text(text, "utf-8")

    assert read_any(FIVE, path, "mine").kind == kind


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("cat,animal\noak,plant\n", "Add a header, for instance: word,label"),
        ("word,pos\ncat,n\ndog,n\neat,v\nrun,v\n", "'pos' occurs once"),
        ("review,stars\na good film,1\na bad film,0\nso very good,1\n", "'stars' occurs once"),
        (
            "one,two,three\nfour,five,six\n",
            "begins with 'one,two,three', which no chosen task can read",
        ),
    ],
)
def test_an_unclear_table_is_refused(tmp_path, text, reason):
    path = tmp_path / "mine.txt"
    path.write_text(text, "utf-8")

    with pytest.raises(BadData, match=reason):
        read_any(FIVE, path, "mine")


def test_a_table_of_numbers_without_words_is_no_property_table(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("hello;there;friend\n1;2;3\n", "utf-8")

    with pytest.raises(BadData, match="numbers instead of words"):
        read_any([KINDS["properties"]], path, "own")
    with pytest.raises(BadData):
        read_any(KINDS.values(), path, "own")
