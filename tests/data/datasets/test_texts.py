"""Labelled texts: your own tables, and published formats."""

import gzip
import json

import pytest

from lexiscope.core.errors import BadData
from lexiscope.data.datasets import read, read_published
from lexiscope.data.datasets.texts import tokenise


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
def test_words_are_tokenised_as_in_most_vectors(text, words):
    assert tokenise(text) == words


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


def test_train_and_dev_parts_of_a_table_are_not_test_items(texts):
    found = texts("text,label,part\na,x,train\nb,y,TRAIN\nc,x,dev\nd,y,test\ne,x,test\n")

    assert found.text.tolist() == ["d", "e"]
    assert found.train.text.tolist() == ["a", "b"]
    assert found.dev.label.tolist() == ["x"]
    assert found.all_words == {"a", "b", "c", "d", "e"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\nc,d\n", "does not name the columns text and label"),
        ("text,label\n,pos\n", "mine.csv:2: the text or its label is missing"),
        ("text,label\ngood\n", "mine.csv:2: the text or its label is missing"),
        (
            "text,label\nwell, really,a\n",
            "mine.csv:2: 3 fields, but the header names 2. Put a text",
        ),
        ("text,label\ngood,a\nbad,a\n", "all texts have the label 'a'"),
        ("text,label,part\ngood,a,later\n", "mine.csv:2: a part is train, dev or test, found 'la"),
        ("text,label,part\ngood,a,train\n", "contains no test texts"),
        ("text,label,text\n", "two columns have the same name"),
        ("text,label\n" + "x" * 200_000 + ",a\n", "cannot be split into fields"),
    ],
)
def test_errors_name_the_position(texts, text, message):
    with pytest.raises(BadData, match=message):
        texts(text)


def test_reviews_come_with_their_sentiment(tmp_path):
    rows = [{"t": "Good.<br />Fine", "s": 1}, {"t": "Bad", "s": 0}]
    (tmp_path / "reviews.json").write_text(json.dumps(rows))

    found = read_published("texts", [tmp_path / "reviews.json"], "imdb-sentiment")

    assert found.text.tolist() == ["Good . Fine", "Bad"]
    assert found.label.tolist() == ["positive", "negative"]


def test_two_newsgroups_are_selected_from_the_published_tables(tmp_path):
    head = "Category\tText\nd\tstring\nclass\t\n"
    table = head + "sci.med\ta pill\nrec.autos\ta car\nsci.space\ta moon\n"
    for part in ("train", "test"):
        (tmp_path / f"{part}.tab").write_bytes(gzip.compress(table.encode()))

    paths = [tmp_path / "train.tab", tmp_path / "test.tab"]
    found = read_published("texts", paths, "20newsgroups-science")

    assert found.text.tolist() == ["a pill", "a moon"]
    assert found.train.label.tolist() == ["sci.med", "sci.space"]
    assert found.dev is None


def test_the_treebank_has_a_development_set(tmp_path):
    paths = [tmp_path / part for part in ("train", "dev", "test")]
    for number, path in enumerate(paths):
        path.write_text(f"1 it 's good {number}\n0 it 's bad {number}\n")

    found = read_published("texts", paths, "sst-binary")

    assert found.text.tolist() == ["it 's good 2", "it 's bad 2"]
    assert found.label.tolist() == ["positive", "negative"]
    assert found.dev.text.tolist()[0] == "it 's good 1"


def test_only_the_sentences_of_rotten_tomatoes_are_used(tmp_path):
    path = tmp_path / "combined.csv"
    path.write_text(
        'text,label,source\n"a ""long"" one",1,imdb\n"fine , but",1,rotten_tomatoes\n'
        "dull,0,rotten_tomatoes\n"
    )

    found = read_published("texts", [path], "rt-sentences")

    assert found.text.tolist() == ["fine , but", "dull"]
    assert found.label.tolist() == ["positive", "negative"]
