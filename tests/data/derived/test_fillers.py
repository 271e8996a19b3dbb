"""Fillers of slots, extracted from sentences that can be counted by hand."""

import math

import pytest

from lexiscope.data.derived._lemmas import Lemmas
from lexiscope.data.derived.fillers import fillers, rows
from tests.data.tiny_wordnet import S
from tests.data.tiny_wordnet import wordnet as tiny

NOUNS = ("bread", "soup", "man", "king", "song", "apple", "pie", "house", "time")
VERBS = ("eat", "sing", "hope", "hop", "carry", "stop", "say", "singe", "watch")
SYNSETS = (
    *(S(word, "noun.food", "n", f"{word}=9") for word in NOUNS),
    *(S(word, "verb.social", "v", f"{word}={9 - place}") for place, word in enumerate(VERBS)),
    *(S(word, "adj.all", "a", f"{word}=5") for word in ("long", "good", "old")),
    S("rome", "noun.location", "n", "Rome=3"),
)


@pytest.fixture
def words(tmp_path):
    return tiny(tmp_path, SYNSETS)


def _found(words, slot, *lines):
    return [filler.word for filler in fillers([slot], lines, words)[slot]]


def test_an_object_is_the_noun_after_the_verb(words):
    lines = ["The man ate the bread .", "Men eat old bread .", "man time song pie soup"]

    assert _found(words, ("eat", "dobj"), *lines) == ["bread"]


def test_the_last_noun_of_a_sequence_is_the_head(words):
    assert _found(words, ("eat", "dobj"), *["they eat apple pies now , king time"] * 2) == ["pie"]


def test_a_subject_is_the_nearest_noun_before(words):
    lines = ["the old king often sings a song", "kings sang"] * 2

    assert _found(words, ("sing", "nsubj"), *lines) == ["king"]


def test_adjectives_are_directly_before_their_noun(words):
    lines = ["a good long time", "long times , old house", "old song"]

    assert _found(words, ("time", "amod"), *lines) == ["long"]


NOTHING = {
    "once": ["they eat bread", "man time song"],
    "across a full stop": ["they eat . bread"] * 3,
    "across a preposition": ["they eat with bread"] * 3,
    "too far away": ["they eat very very very very very bread"] * 3,
    "a form that stands where nouns stand": ["the eat bread"] * 3,
    "the passive": ["they were eaten bread"] * 3,
    "a name": ["they eat Rome"] * 3,
    "an unknown word": ["they eat zyx"] * 3,
    "no more than by chance": ["eat bread", "eat soup"] * 3,
}


@pytest.mark.parametrize("lines", NOTHING.values(), ids=NOTHING)
def test_no_filler_is_found(words, lines):
    assert _found(words, ("eat", "dobj"), *lines) == []


def test_the_weight_is_local_mutual_information(words):
    lines = ["eat bread"] * 3 + ["song", "soup", "bread"]

    ((bread,),) = fillers([("eat", "dobj")], lines, words).values()

    # 3 of 3 objects are bread, as are 4 of all 6 nouns.
    assert bread.weight == pytest.approx(3 * math.log(3 / (3 * 4 / 6)))


def test_other_slots_do_not_change_the_fillers(words):
    lines = ["eat bread", "eat bread", "sing song", "sing song"]
    alone = fillers([("eat", "dobj")], lines, words)

    together = fillers([("eat", "dobj"), ("sing", "dobj")], lines, words)

    assert together["eat", "dobj"] == alone["eat", "dobj"]


def test_no_more_than_fifty_are_kept(tmp_path):
    names = [a + b + "oo" for a in "bcdfghjk" for b in "aeiouyw"]
    words = tiny(
        tmp_path,
        [*(S(w, "noun.food", "n", f"{w}=1") for w in names), SYNSETS[len(NOUNS)], SYNSETS[0]],
    )
    lines = [f"eat {name}" for name in names] * 2 + ["bread"] * 99

    assert len(_found(words, ("eat", "dobj"), *lines)) == 50


def test_the_table_has_a_row_for_each_filler(words):
    table = fillers([("eat", "dobj"), ("say", "dobj")], ["eat bread"] * 2 + ["soup"] * 2, words)

    assert rows(table) == [("eat", "dobj", "bread", f"{2 * math.log(2):.3f}")]


@pytest.mark.parametrize(
    ("form", "verb"),
    [
        ("eat", "eat"),
        ("eats", "eat"),
        ("eating", "eat"),
        ("ate", "eat"),
        ("eaten", "eat"),
        ("hopes", "hope"),
        ("hoped", "hope"),
        ("hoping", "hope"),
        ("hopping", "hop"),
        ("hopped", "hop"),
        ("carries", "carry"),
        ("carried", "carry"),
        ("stopped", "stop"),
        ("watches", "watch"),
        ("said", "say"),
        ("singing", "sing"),
        ("bread", None),
    ],
)
def test_a_form_belongs_to_a_verb(words, form, verb):
    assert Lemmas(words).verb(form) == verb


def test_wordnets_own_irregular_forms_are_used(tmp_path):
    tiny(tmp_path, SYNSETS)
    (tmp_path / "verb.exc").write_text("et eat\n")
    from lexiscope.data.wordnet import load

    assert Lemmas(load(tmp_path)).verb("et") == "eat"
