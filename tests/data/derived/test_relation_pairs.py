"""Pairs of words in relations of WordNet."""

from collections import Counter

import pytest

from lexiscope.data.derived import relation_pairs
from lexiscope.data.derived.relation_pairs import RULES, derive
from tests.data.tiny_wordnet import S
from tests.data.tiny_wordnet import wordnet as tiny

WORDS = (
    S("city", "noun.location", "n", "town=1 city=9 urban_center", "~i:rome ~i:oslo ~i:eric"),
    S("rome", "noun.location", "n", "Rome Eternal_City", "@i:city"),
    S("oslo", "noun.location", "n", "OSLO", "@i:city"),  # in capitals, like abbreviations
    S("eric", "noun.location", "n", "Eric", "@i:city ;c:law"),
    S("man", "noun.person", "n", "Eric=5", ";c:law"),  # the second sense of Eric
    S("law", "noun.cognition", "n", "law=3", ";c:judge"),
    S("judge", "noun.person", "n", "judge=1", ";c:law"),  # reversed
    S("sue", "verb.social", "v", "sue=2", ";c:law"),
    S("big", "adj.all", "a", "big=8 large=6", "!:small:0101 &:huge"),
    S("small", "adj.all", "a", "small=8", "!:big:0101"),
    S("huge", "adj.all", "s", "huge(a)=2", "&:big"),
    S("size", "noun.attribute", "n", "bigness=5", "+:big:0101 +:law:0101"),
    S("wheel", "noun.artifact", "n", "wheel=2", "#p:car"),
    S("car", "noun.artifact", "n", "auto=1 car=4", "%p:wheel"),
)


@pytest.fixture
def wordnet(tmp_path):
    return tiny(tmp_path, WORDS)


@pytest.mark.parametrize(
    ("variant", "pairs"),
    [
        ("similar-to", [("huge", "big")]),  # from the satellite, to the best-known word
        ("instance-of", [("Eric", "city"), ("Rome", "city")]),
        ("has-context", [("Eric", "law"), ("judge", "law"), ("sue", "law")]),
        ("derived-from", [("bigness", "big")]),  # no word is a source twice
        ("part-of", [("wheel", "car")]),
    ],
)
def test_the_pairs_of_a_relation(wordnet, variant, pairs):
    assert derive(wordnet, variant) == [(*pair, RULES[variant].name) for pair in pairs]


def test_antonyms_occur_in_one_direction(wordnet):
    ((source, target, relation),) = derive(wordnet, "antonym")

    assert {source, target} == {"big", "small"}
    assert relation == "Antonym"


def test_only_the_first_sense_of_a_word_counts(tmp_path):
    first, second = WORDS[4], WORDS[3]
    words = (*WORDS[:3], first, second, *WORDS[5:])

    assert derive(tiny(tmp_path, words), "instance-of") == [("Rome", "city", "InstanceOf")]


def test_the_best_known_pairs_are_kept(wordnet, monkeypatch):
    monkeypatch.setattr(relation_pairs, "_MOST", 1)
    assert derive(wordnet, "has-context") == [("Eric", "law", "HasContext")]

    monkeypatch.setattr(relation_pairs, "_MOST_PER_TARGET", 0)
    assert derive(wordnet, "has-context") == []


@pytest.mark.parametrize(
    ("variant", "number"),
    [
        ("similar-to", 3000),
        ("instance-of", 2303),
        ("antonym", 2119),
        ("derived-from", 3000),
        ("has-context", 1744),
        ("part-of", 2620),
    ],
)
def test_the_real_pairs_are_pointers_of_wordnet(real_wordnet, variant, number):
    rows = derive(real_wordnet, variant)
    pointers = set(real_wordnet.pairs(RULES[variant].symbol))

    assert len(rows) == number
    assert {name for *_, name in rows} == {RULES[variant].name}
    assert len({source.lower() for source, _, _ in rows}) == number
    assert (
        len({frozenset((source.lower(), target.lower())) for source, target, _ in rows}) == number
    )
    assert max(Counter(target for _, target, _ in rows).values()) <= 50
    for source, target, _ in rows:
        assert (source, target) in pointers or (target, source) in pointers
