"""The error for a file with a broken row is that of the kind that it was meant to be."""

import pytest

from lexiscope.core.datasets import KINDS
from lexiscope.core.errors import BadData
from lexiscope.data.datasets import read_any

CASES = {
    "a header of pairs": (
        "word1,word2,rating\ncat,dog,9\ncat,tea,x\n",
        "mine.csv:3: expected a number for the rating, found 'x'.",
    ),
    "pairs without a header": (
        "cat,dog,9\ncat,tea,x\ncup,tea,3\n",
        "mine.csv:2: expected a number for the rating, found 'x'.",
    ),
    "a header with unknown names": (
        "one,two,three\ncat,dog,9\ncup,tea,3\nsun,moon,5\n",
        "mine.csv:1: expected a number for the rating, found 'three'. A header must name word1, "
        "word2 and rating.",
    ),
    "all ratings broken": (
        "word1,word2,rating\ncat,dog,a\ncat,tea,b\n",
        "mine.csv:2: expected a number for the rating, found 'a'.",
    ),
    "analogies": (
        "man woman king queen\ncat cats dog\ntea teas cup cups\n",
        "mine.csv:2: expected four words, found 3.",
    ),
    "categories": (
        "animal cat\nanimal dog\nplant oak\nplant\n",
        "mine.csv:4: expected a category and a word, found 1 field. Other columns need a header "
        "that names category and word.",
    ),
    "entities": ("word,types\ncat,animal\ndog,\n", "mine.csv:3: the type is missing."),
    "synonym questions": (
        "query,answer,other1,other2,other3\nbig,large,wet,odd,red\nsad,sad,wet,odd,red\n",
        "mine.csv:3: 'sad' is the query and an option too.",
    ),
    "properties": (
        "word,animal,food\ncat,1,0\nfish,.5,x\nbun,0,1\n",
        "mine.csv:3: expected a number for the food, found 'x'.",
    ),
    "texts": (
        'text,label\n"a film,\nand good",1\nbad,\n',
        "mine.csv:4: the text or its label is missing.",
    ),
    "phrases": ("adjective,noun,label\nwarm,tea,0\nwarm,,1\n", "mine.csv:3: the noun is missing."),
    "preferences": (
        "head,slot,word,rating\neat,dobj,tea,9\neat,dobj,cup,1\neat,dobj,bun,8\neat,dobj,sun,x\n",
        "mine.csv:5: expected a number for the rating, found 'x'.",
    ),
    "a row without a comma": (
        "cat,dog,9\ncat tea 3\ncup,tea,3\n",
        "mine.csv:2: contains no comma, which separates the fields of other lines.",
    ),
    "a row without a comma below a broken one": (
        "cat,dog,9\ncat,tea,x\ncup,tea,3\nsun moon 3\n",
        "mine.csv:4: contains no comma, which separates the fields of other lines.",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_error_is_that_of_the_likely_kind(tmp_path, monkeypatch, case):
    content, expected = CASES[case]
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mine.csv"
    path.write_text(content, "utf-8")

    with pytest.raises(BadData) as caught:
        read_any(KINDS.values(), path, "mine")

    assert str(caught.value) == f"{tmp_path}/{expected}"


def test_a_broken_row_far_down_a_sorted_file_is_found(tmp_path):
    path = tmp_path / "mine.tsv"
    rows = [f"{category}\tword{n}" for category in ("animal", "plant") for n in range(400)]
    path.write_text("\n".join([*rows, "plant\tone\ttwo"]), "utf-8")

    with pytest.raises(BadData, match=r"mine\.tsv:801: expected a category and a word, found 3"):
        read_any(KINDS.values(), path, "mine")


def test_a_broken_table_of_fillers_is_reported(tmp_path):
    rows = "head,slot,word,rating\neat,dobj,tea,9\neat,dobj,cup,1\n"
    (tmp_path / "mine.csv").write_text(rows, "utf-8")
    (tmp_path / "fillers.csv").write_text("eat,dobj,soup\neat,dobj\n", "utf-8")

    with pytest.raises(BadData, match=r"fillers\.csv:2: expected a head, a slot and a filler"):
        read_any(KINDS.values(), tmp_path / "mine.csv", "mine", tmp_path / "fillers.csv")


def test_a_reader_with_a_second_file_is_recognised_by_the_rows_that_it_reads(tmp_path):
    sentence = "the DT B-NP\ncat NN I-NP\nsat VB O\n\n"
    (tmp_path / "my-train.txt").write_text(sentence, "utf-8")
    (tmp_path / "my-test.txt").write_text(f"{sentence}the DT\n", "utf-8")

    with pytest.raises(BadData, match=r"my-test\.txt:5: expected a word, its part of speech and"):
        read_any(KINDS.values(), tmp_path / "my-test.txt", "mine")
