"""Lexicons of features, turned into words of two classes."""

from collections import Counter

import pytest

from lexiscope.core.errors import BadData
from lexiscope.data.catalogue import catalogue
from lexiscope.data.datasets import read_published
from lexiscope.data.datasets.formats.word_features import RULES, features, labelled_words
from lexiscope.data.local_data import LocalData
from tests.data.local_files import shared


@pytest.fixture
def lexicon(tmp_path):
    """Writes a lexicon."""

    def write(text):
        path = tmp_path / "lexicon.txt"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


CLASSES = {
    "lexicon-noun": (
        "dog ptb.n\nrun ptb.n ptb.v\neat ptb.v\nco-op ptb.n\n",
        {"dog": "noun", "eat": "other"},
    ),
    "lexicon-adjective": (
        "big ptb.j\nred ptb.n ptb.j\neat ptb.v\n",
        {"big": "adjective", "eat": "other"},
    ),
    "lexicon-sentiment": (
        "joy emotion_joy emotion_positive\nwar emotion_negative\n"
        "awe emotion_positive emotion_negative\nfoo emotion_fear\n",
        {"joy": "positive", "war": "negative"},
    ),
    "lexicon-connotation": (
        "fawn noun,neutral verb,negative\ngem noun,positive\nrot noun,negative verb,negative\n"
        "odd noun,positive verb,negative\n",
        {"gem": "positive", "rot": "negative"},
    ),
    "lexicon-colour": (
        "sky Color:blue\nlaw Color:None\npoor Color:grey Color:None\n",
        {"sky": "colour", "law": "none"},
    ),
    "lexicon-act": (
        "run.v WN_syn:run.v.01 WN_root_hyper:act.v.01\nrun.n WN_syn:run.n.01\n"
        "dog.n WN_syn:dog.n.01\nexist.v WN_syn:be.v.01 WN_root_hyper:be.v.01\n",
        {"run": "act", "exist": "other"},
    ),
}


@pytest.mark.parametrize("name", CLASSES)
def test_the_features_of_a_word_give_its_class(name, lexicon):
    text, expected = CLASSES[name]

    assert dict(labelled_words(lexicon(text), name)) == expected


def test_lines_of_one_word_are_merged(lexicon):
    path = lexicon("run.v x\nrun.n y\n\nrun.v z\nu.s.n x\n")

    assert features(path) == {"run": {"x", "y", "z"}, "u.s": {"x"}}


def test_an_ending_is_part_of_the_word_unless_every_word_has_one(lexicon):
    assert features(lexicon("run.v x\nrun y\n")) == {"run.v": {"x"}, "run": {"y"}}


def test_the_larger_class_is_reduced(lexicon):
    nouns = "".join(f"{letter}oun ptb.n\n" for letter in "abcdefgh")

    found = labelled_words(lexicon(f"{nouns}eat ptb.v\nrun ptb.v\n"), "lexicon-noun")

    assert Counter(label for _, label in found) == {"noun": 2, "other": 2}
    assert found == sorted(found)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("dog ptb.n\n", r"lexicon\.txt: does not have words of both classes of lexicon-noun"),
        ("dog ptb.n\n\n\x1b[2J\n", r"lexicon\.txt:3: '\ufffd\[2J' has no features"),
        ("", "is empty"),
        (b"dog \xff\n", "is not UTF-8"),
    ],
)
def test_a_broken_lexicon_is_refused(text, reason, lexicon):
    with pytest.raises(BadData, match=reason):
        read_published("categories", [lexicon(text)], "lexicon-noun")


@pytest.mark.parametrize("name", RULES)
def test_the_published_lexicons_are_found_and_give_balanced_sets(name):
    entry = catalogue()[name]

    found = read_published("categories", LocalData(shared()).paths(name), name)

    assert len(found) == len(set(found.word)) == entry.rows
    assert set(Counter(found.category).values()) == {entry.rows // 2}
