"""Contracts of every probe; new probes are found automatically."""

from dataclasses import fields

import pytest
from numpy.random import default_rng

from lexiscope import probes
from lexiscope.core.contracts.probe import Probe
from lexiscope.core.contracts.registry import load, names
from tests.builders import seeded
from tests.probes.corpora import GENDER, WORDS, grammar


@pytest.mark.parametrize("name", names(probes))
def test_the_same_seed_gives_the_same_predictions_and_changes_nothing(name):
    probe, embedding = load(probes, name, Probe)(), seeded("a", WORDS, 1)
    before = embedding.fingerprint

    first, second = (probe.predict(embedding, grammar(GENDER), "it", default_rng(5)) for _ in "ab")

    assert first == second
    assert len(first.items) == len(set(first.items)) > 0
    assert set(first.gold) != {""}
    assert embedding.fingerprint == before


@pytest.mark.parametrize("name", names(probes))
def test_every_probe_names_its_paper_and_explains_its_settings(name):
    kind = load(probes, name, Probe)

    assert kind.paper
    assert all(field.metadata["help"] for field in fields(kind))
