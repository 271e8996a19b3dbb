"""Binary sets of words derived from WordNet: parts of speech and members of a synset."""

from collections import Counter

import pytest

from lexiscope.core.errors import BadData
from lexiscope.data.derived import dominant_pos, synset_members
from lexiscope.data.derived._two_classes import matched
from tests.data.tiny_wordnet import S
from tests.data.tiny_wordnet import wordnet as tiny

WORDS = (
    S("dog", "noun.animal", "n", "dog=3"),
    S("sun", "noun.object", "n", "sun=2"),
    S("oak", "noun.plant", "n", "oak=1"),  # too few tags
    S("paris", "noun.location", "n", "Paris=3"),  # a name
    S("icecream", "noun.food", "n", "ice_cream=3"),
    S("run", "noun.act", "n", "run=3"),
    S("running", "verb.motion", "v", "run=7"),  # a noun and a verb
    S("fly", "noun.animal", "n", "fly=1"),
    S("flying", "verb.motion", "v", "fly=9"),  # nearly always a verb
    S("eat", "verb.consumption", "v", "eat=2"),
    S("big", "adj.all", "a", "big=3"),
    S("often", "adv.all", "r", "often=400"),  # no noun is as frequent
)


def test_the_dominant_part_of_speech_has_nearly_all_tags(tmp_path):
    wordnet = tiny(tmp_path, WORDS)

    found = {word: dominant_pos.dominant(wordnet, word, 2) for word in sorted(wordnet.lemmas)}

    assert {word: part for word, part in found.items() if part} == {
        "dog": "n", "sun": "n", "ice_cream": "n", "fly": "v", "eat": "v", "big": "a", "often": "r",
    }  # fmt: skip


def test_each_noun_has_another_word_of_its_frequency_band(tmp_path):
    rows = dominant_pos.derive(tiny(tmp_path, WORDS), "noun")

    assert rows == [("big", "other"), ("dog", "noun"), ("eat", "other"), ("sun", "noun")]


def test_classes_are_matched_in_frequency_and_limited():
    members, others = [f"m{n}" for n in range(9)], [f"o{n}" for n in range(9)]

    rows = matched(members, others, lambda word: int(word[1:]) // 3, "yes", 4)

    bands = Counter((label, int(word[1:]) // 3) for word, label in rows)
    assert Counter(label for _, label in rows) == {"yes": 4, "other": 4}
    assert all(bands["yes", band] == bands["other", band] for band in range(3))
    assert rows == sorted(rows)
    assert rows == matched(members[::-1], others[::-1], lambda word: int(word[1:]) // 3, "yes", 4)


NOUNS = (
    S("person", "noun.Tops", "n", "person=3", "~:cook ~:baker ~:star"),
    S("cook", "noun.person", "n", "cook=3", "@:person ~:chef"),
    S("chef", "noun.person", "n", "chef=2", "@:cook"),
    S("baker", "noun.person", "n", "baker=1", "@:person"),
    S("star", "noun.person", "n", "star=1", "@:person"),
    S("sky", "noun.object", "n", "star=5"),  # mainly not a person
    S("tea", "noun.food", "n", "tea=3"),
    S("cup", "noun.artifact", "n", "cup=2"),
    S("pot", "noun.artifact", "n", "pot=1"),
    S("jar", "noun.artifact", "n", "jar"),  # no tags
    S("go", "verb.motion", "v", "walk=3"),
)


def test_members_are_hyponyms_and_the_others_have_no_sense_below_the_synset(tmp_path):
    rows = synset_members.derive(tiny(tmp_path, NOUNS), "person")

    labels = dict(rows)
    assert {word for word, label in rows if label == "other"} == {"tea", "cup", "pot"}
    assert labels.keys() & {"star", "jar", "walk"} == set()
    assert {"baker", "person"} & labels.keys()
    assert len(rows) == 6


def test_a_wordnet_without_the_synset_is_refused(tmp_path):
    with pytest.raises(BadData, match=r"has no artifact in noun\.Tops"):
        synset_members.derive(tiny(tmp_path, NOUNS), "artifact")


@pytest.mark.parametrize(("part", "tag"), [("noun", "n"), ("verb", "v"), ("adjective", "a")])
def test_the_real_parts_of_speech_are_balanced(real_wordnet, part, tag):
    rows = dominant_pos.derive(real_wordnet, part)

    assert Counter(label for _, label in rows) == {part: 1500, "other": 1500}
    assert len({word for word, _ in rows}) == 3000
    for word, label in rows:
        assert (real_wordnet.part_of_speech(word) == tag) == (label == part), word


@pytest.mark.parametrize(("name", "number"), [("person", 921), ("artifact", 939)])
def test_the_real_members_are_balanced(real_wordnet, name, number):
    rows = synset_members.derive(real_wordnet, name)
    root = real_wordnet.named(name, "noun.Tops")

    assert Counter(label for _, label in rows) == {name: number, "other": number}
    assert len({word for word, _ in rows}) == 2 * number
    for word, label in rows:
        senses = real_wordnet.of(word, "n")
        below = [sense == root or root.id in real_wordnet.hypernyms(sense) for sense in senses]
        assert any(below) == (label == name), word
