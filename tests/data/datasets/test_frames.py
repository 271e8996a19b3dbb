"""DataFrames as datasets: equal to the same table in a CSV file."""

import pandas as pd
import pytest

from lexiscope.core.datasets import KINDS, Categories, SynonymQuestions, WordPairs
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.data.datasets import read
from lexiscope.data.datasets.frames import from_frame, is_frame

FRAMES = {
    "pairs": {"word1": ["cat", "tea"], "word2": ["dog", "cup"], "rating": [9.25, 0.1]},
    "analogies": {
        "a": ["man"], "b": ["king"], "c": ["woman"], "d": ["queen"], "section": ["family"],
    },
    "synonym questions": {
        "query": ["big", "glad"], "option1": ["large", "flat"], "option2": ["green", "cold"],
        "option3": ["early", "happy"], "option4": ["wet", "loud"], "answer": ["large", "happy"],
    },
    "categories": {"word": ["cat", "dog", "tea"], "category": ["animal", "animal", "drink"]},
    "entities": {
        "word": ["rome", "bohr", "oslo"], "types": ["city|place", "person", "city"],
        "frequency": [400, 3, 12], "split": ["test", "train", "train"],
    },
    "preferences": {
        "head": ["eat", "eat"], "slot": ["dobj", "dobj"], "word": ["apple", "song"],
        "rating": [9.0, 1.5],
    },
    "properties": {"word": ["cat", "fish"], "animal": [1.0, 0.5], "food": [0.0, 0.5]},
    "relations": {
        "source": ["cat", "king"], "target": ["cats", "queen"], "relation": ["plural", "female"],
    },
    "texts": {
        "text": ["A cat, and a dog.", 'He said "tea"\nand left.', "Milk; wine."],
        "label": ["animals", "drinks", "drinks"], "part": ["test", "test", "test"],
    },
    "phrases": {
        "adjective": ["warm", "warm"], "noun": ["water", "welcome"],
        "label": ["literal", "metaphor"],
    },
}  # fmt: skip


@pytest.mark.parametrize("kind", FRAMES)
def test_a_frame_gives_the_same_dataset_as_its_csv_file(kind, tmp_path):
    frame = pd.DataFrame(FRAMES[kind])
    frame.to_csv(tmp_path / "mine.csv", index=False)

    found = from_frame(frame, "mine", [KINDS[kind]])

    assert type(found) is KINDS[kind]
    assert found.name == "mine"
    assert found.fingerprint == read(kind, tmp_path / "mine.csv", "mine").fingerprint


@pytest.mark.parametrize("kind", FRAMES)
def test_the_columns_select_the_kind(kind):
    found = from_frame(pd.DataFrame(FRAMES[kind]), "mine")

    assert found.kind == kind


def test_every_kind_but_tagged_sentences_can_be_a_frame():
    # Sentences need two files in the CoNLL format, which is not a table.
    assert {*FRAMES, "sentences"} == set(KINDS)


def test_ratings_keep_every_digit():
    frame = pd.DataFrame({"word1": ["a", "b"], "word2": ["c", "d"], "rating": [0.1 + 0.2, 1 / 3]})

    assert from_frame(frame, "mine", [WordPairs]).rating.tolist() == [0.1 + 0.2, 1 / 3]


def test_the_index_is_ignored():
    frame = pd.DataFrame(FRAMES["pairs"], index=["x", "y"])

    assert len(from_frame(frame, "mine", [WordPairs])) == 2


def test_a_missing_value_is_reported_with_the_name_of_the_frame():
    frame = pd.DataFrame({"word1": ["cat"], "word2": [None], "rating": [1.0]})

    with pytest.raises(BadData, match=r"^DataFrame mine:2: a word is empty"):
        from_frame(frame, "mine", [WordPairs])


def test_a_frame_that_no_kind_accepts_gets_a_header_that_would_do():
    frame = pd.DataFrame({"x": ["one"], "y": ["two"], "z": ["three"]})

    with pytest.raises(
        BadData, match=r"DataFrame mine: begins with 'x,y,z'.*word,label for categories"
    ):
        from_frame(frame, "mine", [Categories, SynonymQuestions])


def test_column_names_must_be_text():
    with pytest.raises(BadUsage, match=r"column names must be text.* found 0, 1"):
        from_frame(pd.DataFrame([["cat", "dog"]]), "mine")


def test_an_empty_frame_is_an_error():
    with pytest.raises(BadData, match="DataFrame mine: has no rows"):
        from_frame(pd.DataFrame({"word": [], "category": []}), "mine")


def test_frames_are_recognised_without_pandas():
    assert is_frame(pd.DataFrame())
    assert not is_frame(WordPairs.example())
    assert not is_frame("table.csv")
