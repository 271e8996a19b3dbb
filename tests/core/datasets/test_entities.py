import pickle

import numpy as np

from lexiscope.core.datasets.entities import EntityTypes, join_types
from lexiscope.core.policy import Policy
from lexiscope.core.vocabulary import Vocabulary
from tests.builders import entities


def test_types_are_sorted_and_distinct():
    assert join_types(["place", "city", "place"]) == "city|place"


def test_head_and_tail_leave_a_gap_between_them():
    items = entities(("a", "x", 101), ("b", "x", 100), ("c", "x", 5), ("d", "x", 4), ("e", "x"))

    parts = {name: np.flatnonzero(mask).tolist() for name, mask in items.slices.items()}

    assert parts == {
        "head": [0],
        "tail": [3],
    }  # frequencies of 5 to 100 and unknown ones are in neither


def test_without_frequencies_there_are_no_slices():
    assert entities(("a", "x"), ("b", "y")).slices == {}


def test_the_training_set_is_part_of_the_fingerprint():
    test_item = ("rome", "city")
    alone, one, other = (
        entities(test_item, train=train)
        for train in (None, entities(("oslo", "city")), entities(("oslo", "river")))
    )

    assert len({each.fingerprint for each in (alone, one, other)}) == 3
    assert one.fingerprint == entities(test_item, train=entities(("oslo", "city"))).fingerprint


def test_training_sets_are_normalised_and_pickled_but_not_reported_missing():
    items = entities(("Rome", "city"), ("Oslo", "city"), train=entities(("Lima", "city")))

    normalised = items.normalised(Policy(case="fold")).take(np.array([1]))

    assert normalised.word.tolist() == ["oslo"]
    assert normalised.train.word.tolist() == ["lima"]
    assert normalised.all_words == {"oslo", "lima"}
    assert normalised.missing_from(Vocabulary(("x",))) == ["oslo"]


def test_another_process_gets_the_training_set_too():
    items = entities(("rome", "city"), train=entities(("lima", "city|place", 7)))

    again = pickle.loads(pickle.dumps(items))

    assert again.fingerprint == items.fingerprint
    assert again.train.frequency.tolist() == [7]


def test_the_example_has_entities_with_several_types():
    items = EntityTypes.example()

    assert sum("|" in types for types in items.types) == 8
    assert set(items.slices) == {"head", "tail"}
