"""Names and their types, derived from WordNet."""

import pytest

from lexiscope.core.errors import BadData
from lexiscope.data.derived import entity_types as types
from lexiscope.data.derived.entity_types import TYPES, Class, derive
from tests.data.tiny_wordnet import S
from tests.data.tiny_wordnet import wordnet as tiny

CITY = S("city", "noun.location", "n", "city", "@:location")
PORT = S("port", "noun.location", "n", "port", "@:location")
NAMES = (
    S("location", "noun.Tops", "n", "location"),
    S("poet", "noun.person", "n", "poet"),
    S("oslo", "noun.location", "n", "Oslo Christiania", "@i:city @i:port"),
    S("york", "noun.location", "n", "New_York", "@i:city"),
    S("homer", "noun.person", "n", "Homer=2", "@i:poet"),
    S("town", "noun.location", "n", "Homer", "@i:city"),
    S("run", "noun.act", "n", "homer=1"),
    S("bath", "noun.artifact", "n", "bath=5"),
    S("spa", "noun.location", "n", "Bath", "@i:city"),
    S("chad", "noun.location", "n", "Chad", "@i:city"),
    S("paper", "noun.artifact", "n", "chad"),
    S("argentina", "noun.location", "n", "Argentina", "@i:location"),
    S("fish", "noun.animal", "n", "Argentina"),
    S("deed", "noun.act", "n", "Deed", "@i:run"),
)


@pytest.fixture
def three_types(monkeypatch):
    chosen = (
        Class("place", "location", "noun.Tops"),
        Class("city", "city", "noun.location"),
        Class("poet", "poet", "noun.person"),
    )
    monkeypatch.setattr(types, "TYPES", chosen)


@pytest.mark.usefixtures("three_types")
def test_names_have_the_types_of_all_that_they_name(tmp_path):
    rows = derive(tiny(tmp_path, (CITY, PORT, *NAMES)))

    # Christiania is Oslo's second name, bath and chad are mainly words, New York is two words, and
    # a deed has no type. Homer is also a home run, but mainly a name.
    assert rows == [
        ("Argentina", "place"),
        ("Homer", "city|place|poet"),
        ("Oslo", "city|place"),
    ]


@pytest.mark.usefixtures("three_types")
def test_a_name_in_two_spellings_occurs_once(tmp_path):
    names = (
        S("soho", "noun.location", "n", "Soho", "@i:location"),
        S("other", "noun.location", "n", "SoHo", "@i:city"),
    )

    rows = derive(tiny(tmp_path, (CITY, *NAMES[:2], *names)))

    assert rows == [("Soho", "city|place")]


@pytest.mark.usefixtures("three_types")
def test_a_wordnet_without_a_type_is_refused(tmp_path):
    with pytest.raises(BadData, match=r"has no poet in noun\.person"):
        derive(tiny(tmp_path, (CITY, NAMES[0])))


@pytest.fixture(scope="session")
def rows(real_wordnet):
    return derive(real_wordnet)


def test_every_real_type_has_25_names_and_most_names_several_types(rows):
    sets = [text.split("|") for _, text in rows]

    assert len(rows) == 4223
    counts = {each.name: sum(each.name in found for found in sets) for each in TYPES}
    assert len(counts) == 51
    assert min(counts.values()) >= 25
    assert sum(len(found) > 1 for found in sets) > 0.7 * len(sets)


def test_real_names_have_their_well_known_types(rows):
    known = dict(rows)

    assert known["Lisbon"] == "city|location|national capital|port"
    assert "mythical being" in known["Paris"]  # and a city, and a town in Texas
    assert known["Archimedes"] == "mathematician|person|physicist|scientist"
    assert "Bath" not in known
    assert len({name.casefold() for name in known}) == len(known)


def test_the_same_wordnet_gives_the_same_names(real_wordnet, rows):
    assert derive(real_wordnet) == rows
