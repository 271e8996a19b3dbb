"""Typicality ratings and their fillers."""

import pytest

from lexiscope.core.errors import BadData
from lexiscope.data.datasets import read

RATINGS = "eat\tapple\t9\nsing\tsong\t7.5\n"
SPELLINGS = {
    "the slot in the name": ("my_dobj.txt", RATINGS),
    "the slot in the name, in capitals": ("x-DOBJ-1.txt", RATINGS),
    "commas": ("dobj.csv", RATINGS.replace("\t", ",")),
    "spaces": ("dobj.txt", RATINGS.replace("\t", " ")),
    "a header": ("dobj.tsv", "verb\tnoun\trating\n" + RATINGS),
    "a column for the slot": (
        "mine.csv",
        "slot,score,word,head\ndobj,9,apple,eat\ndobj,7.5,song,sing\n",
    ),
    "a role in capitals": (
        "mine.csv",
        "verb,role,noun,mean\neat,DOBJ,apple,9\nsing,dobj,song,7.5\n",
    ),
    "more columns": ("dobj.tsv", "eat\tapple\t9\tN\nsing\tsong\t7.5\tN\n"),
}  # fmt: skip


@pytest.fixture
def preferences(tmp_path):
    """Reads ratings from text, with fillers from text."""

    def read_preferences(text, fillers=None, name="dobj.tsv"):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        if fillers is None:
            return read("preferences", path, "given")
        (tmp_path / "fillers.tsv").write_text(fillers, "utf-8")
        return read("preferences", path, "given", fillers=tmp_path / "fillers.tsv")

    return read_preferences


@pytest.mark.parametrize(("name", "text"), SPELLINGS.values(), ids=SPELLINGS)
def test_the_same_ratings_in_many_spellings(name, text, preferences):
    found = preferences(text, name=name)

    assert found.head.tolist() == ["eat", "sing"]
    assert found.slot.tolist() == ["dobj", "dobj"]
    assert found.word.tolist() == ["apple", "song"]
    assert found.rating.tolist() == [9, 7.5]
    assert found.fillers.tolist() == [(), ()]


FILLERS = {
    "weights": "eat\tdobj\tsoup\t1\neat\tdobj\tbread\t5\n",
    "the order of the file": "eat,dobj,bread\neat,dobj,soup\n",
    "a header": "head,slot,filler,weight\nEat,dobj,bread,5\neat,DOBJ,soup,1\n",
    "a header in another order": "weight,filler,verb,relation\n1,soup,eat,dobj\n5,bread,eat,dobj\n",
    "another slot too": "eat,dobj,bread\neat,nsubj,man\neat,dobj,soup\neat,dobj,bread\n",
}


@pytest.mark.parametrize("fillers", FILLERS.values(), ids=FILLERS)
def test_fillers_come_with_their_slot(fillers, preferences):
    found = preferences(RATINGS, fillers)

    assert found.fillers.tolist() == [("bread", "soup"), ()]


def test_the_slot_of_an_adjective_belongs_to_its_noun(preferences):
    found = preferences("time\tlong\t7.5\n", "time\tamod\tshort\n", name="amod_annotation.txt")

    assert found.labels == ["time · amod · long"]
    assert found.fillers.tolist() == [("short",)]


BROKEN = {
    "two fields": ("eat\tapple\n", ":1: expected a head, a word and a rating, found 2 fields"),
    "a rating that is no number": ("eat\tapple\thigh\n", ":1: expected a number for the rating"),
    "a rating that is not finite": ("eat\tapple\t9\neat\tpie\tinf\n", ":2: expected a number"),
    "a number with a line in it": ("eat\tapple\t1_0\n", ":1: expected a number for the rating"),
    "an empty head": ("\tapple\t9\n", ":1: the head is missing"),
    "an empty word": ("eat\t\t9\n", ":1: the word is missing"),
    "an empty slot": ("head,slot,word,rating\neat,,apple,9\n", ":2: the slot is missing"),
    "comments only": ("# a\n", ": contains no ratings"),
    "a header only": ("head,word,rating\n", ": contains no ratings"),
    "two columns of one name": ("head,word,rating,rating\n", ":1: two columns have the same name"),
}


@pytest.mark.parametrize(("text", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_refused_with_line_and_reason(text, reason, preferences):
    with pytest.raises(BadData) as problem:
        preferences(text)

    assert f"dobj.tsv{reason}" in str(problem.value)


def test_ratings_without_a_slot_are_refused(preferences):
    with pytest.raises(BadData, match="the slot is not given"):
        preferences(RATINGS, name="mine.tsv")


@pytest.mark.parametrize(
    ("fillers", "reason"),
    [
        ("eat\tdobj\n", r":1: expected a head, a slot and a filler, found 2 fields"),
        ("eat\tdobj\tbread\t1\neat\tdobj\t\t2\n", ":2: the filler is missing"),
        ("eat\tdobj\tbread\tmuch\n", ":1: expected a number for the weight"),
        ("", ": is empty"),
    ],
)
def test_broken_fillers_are_named(fillers, reason, preferences):
    with pytest.raises(BadData, match=rf"fillers\.tsv{reason}"):
        preferences(RATINGS, fillers)
