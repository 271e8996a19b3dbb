"""Texts with classes: tables of people's own, and the published forms."""

import gzip
import json

import pytest

from lexiscope.core.errors import BadData
from lexiscope.data.datasets import catalogued, read
from lexiscope.data.datasets.texts import words_of


@pytest.fixture
def texts(tmp_path):
    def read_texts(text):
        (tmp_path / "mine.csv").write_text(text, "utf-8")
        return read("texts", tmp_path / "mine.csv", "mine")

    return read_texts


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't go, it's John's!", "Do n't go , it 's John 's !"),
        ("We’ll CAN'T\tok\n", "We 'll CA N'T ok"),
        ("a  b", "a b"),
        ("", ""),
    ],
)
def test_words_are_cut_as_in_most_vectors(text, words):
    assert words_of(text) == words


@pytest.mark.parametrize(
    "text",
    [
        'text,label\n"Good, very\ngood",pos\nBad,neg\n',
        "label;Sentence\npos;Good, very good\nneg;Bad\n",
        "Text\tClass\nGood, very good\tpos\nBad\tneg\n",
    ],
)
def test_a_table_of_texts_and_labels(texts, text):
    found = texts(text)

    assert found.text.tolist() == ["Good , very good", "Bad"]
    assert found.label.tolist() == ["pos", "neg"]
    assert found.train is None


def test_parts_of_a_table_are_learned_from_and_not_asked(texts):
    found = texts("text,label,part\na,x,train\nb,y,TRAIN\nc,x,dev\nd,y,test\ne,x,test\n")

    assert found.text.tolist() == ["d", "e"]
    assert found.train.text.tolist() == ["a", "b"]
    assert found.dev.label.tolist() == ["x"]
    assert found.all_words == {"a", "b", "c", "d", "e"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a,b\nc,d\n", "does not name the columns text and label"),
        ("text,label\n,pos\n", "mine.csv:2: the text or its label is missing"),
        ("text,label\ngood\n", "mine.csv:2: the text or its label is missing"),
        (
            "text,label\nwell, really,a\n",
            "mine.csv:2: 3 fields where the first line names 2. A text",
        ),
        ("text,label\ngood,a\nbad,a\n", "all texts have the label 'a'"),
        ("text,label,part\ngood,a,later\n", "mine.csv:2: a part is train, dev or test, found 'la"),
        ("text,label,part\ngood,a,train\n", "holds no texts to ask about"),
        ("text,label,text\n", "two columns have the same name"),
        ("text,label\n" + "x" * 200_000 + ",a\n", "cannot be taken apart"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(texts, text, told):
    with pytest.raises(BadData, match=told):
        texts(text)


def test_reviews_come_with_their_sentiment(tmp_path):
    rows = [{"t": "Good.<br />Fine", "s": 1}, {"t": "Bad", "s": 0}]
    (tmp_path / "reviews.json").write_text(json.dumps(rows))

    found = catalogued("texts", [tmp_path / "reviews.json"], "imdb-sentiment")

    assert found.text.tolist() == ["Good . Fine", "Bad"]
    assert found.label.tolist() == ["positive", "negative"]


def test_two_newsgroups_are_taken_out_of_the_published_tables(tmp_path):
    head = "Category\tText\nd\tstring\nclass\t\n"
    table = head + "sci.med\ta pill\nrec.autos\ta car\nsci.space\ta moon\n"
    for part in ("train", "test"):
        (tmp_path / f"{part}.tab").write_bytes(gzip.compress(table.encode()))

    paths = [tmp_path / "train.tab", tmp_path / "test.tab"]
    found = catalogued("texts", paths, "20newsgroups-science")

    assert found.text.tolist() == ["a pill", "a moon"]
    assert found.train.label.tolist() == ["sci.med", "sci.space"]
    assert found.dev is None


def test_the_treebank_has_a_part_to_choose_on(tmp_path):
    paths = [tmp_path / part for part in ("train", "dev", "test")]
    for number, path in enumerate(paths):
        path.write_text(f"1 it 's good {number}\n0 it 's bad {number}\n")

    found = catalogued("texts", paths, "sst-binary")

    assert found.text.tolist() == ["it 's good 2", "it 's bad 2"]
    assert found.label.tolist() == ["positive", "negative"]
    assert found.dev.text.tolist()[0] == "it 's good 1"


def test_only_the_sentences_of_rotten_tomatoes_are_taken(tmp_path):
    path = tmp_path / "combined.csv"
    path.write_text(
        'text,label,source\n"a ""long"" one",1,imdb\n"fine , but",1,rotten_tomatoes\n'
        "dull,0,rotten_tomatoes\n"
    )

    found = catalogued("texts", [path], "rt-sentences")

    assert found.text.tolist() == ["fine , but", "dull"]
    assert found.label.tolist() == ["positive", "negative"]
