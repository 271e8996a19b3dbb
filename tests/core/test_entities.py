import pickle

import numpy as np

from lexiscope.core.entities import EntityTypes, joined
from lexiscope.core.policy import Policy
from lexiscope.core.vocabulary import Vocabulary
from tests.making import entities


def test_types_are_sorted_and_stand_once():
    assert joined(["place", "city", "place"]) == "city|place"


def test_head_and_tail_leave_a_gap_between_them():
    items = entities(("a", "x", 101), ("b", "x", 100), ("c", "x", 5), ("d", "x", 4), ("e", "x"))

    parts = {name: np.flatnonzero(mask).tolist() for name, mask in items.slices.items()}

    assert parts == {"head": [0], "tail": [3]}  # 5 to 100 and what is not known are in neither


def test_without_frequencies_there_are_no_parts():
    assert entities(("a", "x"), ("b", "y")).slices == {}


def test_what_is_learnt_from_belongs_to_the_fingerprint():
    asked = ("rome", "city")
    alone, one, other = (
        entities(asked, train=lessons)
        for lessons in (None, entities(("oslo", "city")), entities(("oslo", "river")))
    )

    assert len({each.fingerprint for each in (alone, one, other)}) == 3
    assert one.fingerprint == entities(asked, train=entities(("oslo", "city"))).fingerprint


def test_lessons_are_spelt_and_carried_along_but_not_missed():
    items = entities(("Rome", "city"), ("Oslo", "city"), train=entities(("Lima", "city")))

    spelt = items.spelt(Policy(case="fold")).take(np.array([1]))

    assert spelt.word.tolist() == ["oslo"]
    assert spelt.train.word.tolist() == ["lima"]
    assert spelt.all_words == {"oslo", "lima"}
    assert spelt.missing_from(Vocabulary(("x",))) == ["oslo"]


def test_another_process_gets_the_lessons_too():
    items = entities(("rome", "city"), train=entities(("lima", "city|place", 7)))

    again = pickle.loads(pickle.dumps(items))

    assert again.fingerprint == items.fingerprint
    assert again.train.frequency.tolist() == [7]


def test_the_example_has_entities_with_several_types():
    items = EntityTypes.example()

    assert sum("|" in types for types in items.types) == 8
    assert set(items.slices) == {"head", "tail"}
