"""Labelled adjective-noun phrases."""

import pytest

from lexiscope.core.errors import BadData
from lexiscope.data.datasets import read, read_published


def test_columns_are_recognised_by_name(tmp_path):
    path = tmp_path / "mine.tsv"
    path.write_text("label\tnoun\tadjective\nliteral\twater\twarm\nmetaphor\twelcome\twarm\n")

    found = read("phrases", path, "mine")

    assert found.labels == ["warm water", "warm welcome"]
    assert found.gold.tolist() == ["literal", "metaphor"]
    assert found.units.tolist() == [[0, 1], [0, 2]]


def test_the_published_dataset_has_a_file_for_each_label(tmp_path):
    (tmp_path / "met.txt").write_text("warm welcome\ndark thought\n")
    (tmp_path / "not.txt").write_text("warm water\n")

    found = read_published(
        "phrases", [tmp_path / "met.txt", tmp_path / "not.txt"], "metaphor-pairs"
    )

    assert found.labels == ["warm welcome", "dark thought", "warm water"]
    assert found.label.tolist() == ["metaphor", "metaphor", "literal"]


def test_a_published_line_of_three_words_is_refused(tmp_path):
    (tmp_path / "met.txt").write_text("warm welcome\nvery dark thought\n")

    with pytest.raises(BadData, match=r"met\.txt:2: expected an adjective and a noun, found 3"):
        read_published("phrases", [tmp_path / "met.txt"] * 2, "metaphor-pairs")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("warm,water,literal\ncold,heart,metaphor\n", "does not name adjective, noun and label"),
        ("adjective,noun,label\n", "contains no phrases"),
        ("adjective,noun,label\nwarm,,literal\n", "mine.csv:2: the noun is missing"),
        ("adjective,noun,label\nwarm,tea,x\ncold,tea,x\n", "all phrases have the label 'x'"),
    ],
)
def test_errors_name_the_position(tmp_path, text, message):
    (tmp_path / "mine.csv").write_text(text)

    with pytest.raises(BadData, match=message):
        read("phrases", tmp_path / "mine.csv", "mine")
