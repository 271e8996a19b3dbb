"""What holds for every study; new ones are found by themselves."""

from dataclasses import fields

import pytest
from numpy.random import default_rng

from lexiscope import studies
from lexiscope.core.discovery import load, names
from lexiscope.core.study import Study
from tests.making import seeded
from tests.studies.made import GENDER, WORDS, grammar


@pytest.mark.parametrize("name", names(studies))
def test_same_seed_gives_same_replies_and_nothing_is_changed(name):
    study, embedding = load(studies, name, Study)(), seeded("a", WORDS, 1)
    before = embedding.fingerprint

    first, second = (study.answer(embedding, grammar(GENDER), "it", default_rng(5)) for _ in "ab")

    assert first == second
    assert len(first.items) == len(set(first.items)) > 0
    assert set(first.gold) != {""}
    assert embedding.fingerprint == before


@pytest.mark.parametrize("name", names(studies))
def test_every_study_says_its_paper_and_explains_its_settings(name):
    kind = load(studies, name, Study)

    assert kind.paper
    assert all(field.metadata["about"] for field in fields(kind))
