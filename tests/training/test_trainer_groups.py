"""The trainers by kind, and the names under which they are known elsewhere."""

import pytest

from lexiscope import trainers
from lexiscope.core.contracts.registry import TRAINERS, names
from lexiscope.core.errors import UnknownName
from lexiscope.training.spec import trainer_class
from lexiscope.training.trainer_groups import _ALIASES, GROUPS, grouped, usual_names


def test_every_built_in_trainer_is_in_one_group():
    listed = [name for group in GROUPS.values() for name in group]

    assert sorted(listed) == names(trainers)


def test_trainers_that_are_not_ours_come_last():
    found = grouped(["svd", "mine", "skipgram"])

    assert found == {"Start here": ["skipgram", "svd"], "Other trainers": ["mine"]}


def test_usual_names_lead_to_trainers_that_exist():
    assert {name for meant in _ALIASES.values() for name in meant} <= set(names(trainers, TRAINERS))


@pytest.mark.parametrize(
    ("name", "meant"),
    [("word2vec", "'skipgram' or 'cbow'"), ("C&W", "'senna'"), ("skip-gramm", "'skipgram'")],
)
def test_the_error_for_a_usual_name_suggests_our_name(name, meant):
    with pytest.raises(UnknownName, match=f"No trainer named .* Did you mean {meant}"):
        trainer_class(name)


def test_a_name_in_capitals_leads_to_the_trainer():
    assert usual_names("LSA") == ("lsa",)
    assert usual_names("fastText") == ("skipgram", "cbow")
