import numpy as np
import pytest

from lexiscope.core.errors import BadData
from lexiscope.data.datasets import read
from lexiscope.data.datasets.formats.tables import rows
from tests.data.local_files import shared

SPELLINGS = {
    "tabs": "word\ttypes\nrome\tcity|place\nnile\triver\n",
    "commas": "word,types\nrome,place|city\nnile,river\n",
    "semicolons and other names": "Entity;Labels\nrome;city | place\nnile;river\n",
    "another order and other columns": "types,id,word\ncity|place|city,1,rome\nriver,2,nile\n",
}


@pytest.fixture
def given(tmp_path):
    """Writes files by name and reads one of them."""

    def read_entities(text, name="entities.csv", **companions):
        for other, content in companions.items():
            (tmp_path / other).write_text(content)
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read("entities", path, "given")

    return read_entities


@pytest.mark.parametrize("text", SPELLINGS.values(), ids=SPELLINGS)
def test_the_same_entities_in_many_spellings(text, given):
    found = given(text)

    assert found.word.tolist() == ["rome", "nile"]
    assert found.types.tolist() == ["city|place", "river"]
    assert np.isnan(found.frequency).all()
    assert found.train is None


def test_some_frequencies_may_be_unknown(given):
    found = given("word,types,frequency\nrome,city,120\nnile,river,\noslo,city,0\n")

    assert found.frequency[[0, 2]].tolist() == [120, 0]
    assert np.isnan(found.frequency[1])


def test_rows_for_training_become_the_training_set(given):
    found = given("word,types,split\nrome,city,Train\nnile,river,test\noslo,city,train\n")

    assert found.word.tolist() == ["nile"]
    assert found.train.word.tolist() == ["rome", "oslo"]
    assert found.train.types.tolist() == ["city", "city"]


BROKEN = {
    "no header": ("rome,city\n", ":1: the header does not name word and types"),
    "a header only": ("word,types\n", ": contains no entities"),
    "no types": ("word,types\nrome,\n", ":2: the type is missing"),
    "an empty type": ("word,types\nrome,city||place\n", ":2: a type is empty"),
    "no word": ("word,types\n,city\n", ":2: the word is missing"),
    "a short row": ("types,x,word\ncity,1\n", ":2: the word is missing"),
    "a word twice": ("word,types\nrome,a\noslo,a\nrome,b\n", ":4: 'rome' is in line 2 too"),
    "a frequency that is none": (
        "word,types,frequency\nrome,a,often\n",
        ":2: expected a number for the frequency, found 'often'",
    ),
    "a frequency below 0": ("word,types,freq\nrome,a,-1\n", ":2: a frequency must be 0 or more"),
    "a frequency without end": ("word,types,freq\nrome,a,inf\n", ":2: expected a number for"),
    "another part": ("word,types,split\nrome,a,dev\n", ":2: expected train or test for the split"),
    "no test": ("word,types,split\nrome,a,train\n", ": every row is in the split train"),
    "no training": ("word,types,split\nrome,a,test\n", ": every row is in the split test"),
    "two columns of one name": ("word,types,word\na,b,c\n", ":1: two columns have the same"),
    "nothing": ("", ": is empty"),
    "bytes of no text": (b"word,types\nrome,\xff\n", ":2: is not UTF-8"),
    "a control character in a word": (
        "word,types\n\x1b[2J,a\n\x1b[2J,b\n",
        ":3: '\ufffd[2J' is in line 2 too",
    ),
}


@pytest.mark.parametrize(("content", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_refused_with_line_and_reason(content, reason, given):
    with pytest.raises(BadData) as problem:
        given(content)

    assert f"entities.csv{reason}" in str(problem.value)


TEST = "/m/01\t-location-city\t-location -odd\t120\n/m/02\t-art-film\t\t3\n/m/03\t-odd\n"
TRAIN = "/m/11\t-person\t-person-author -award\n/m/12\t-art-film\n"
TYPES = "-location\t1\t2\n-location-city\t1\t2\n-art-film\t1\t2\n-person\t1\t2\n"


def test_figment_is_read_with_its_companion_files(given):
    found = given(TEST, "Etest", Etrain=TRAIN, types=TYPES)

    # Unlisted types are left out, and entities without a listed type.
    assert found.word.tolist() == ["/m/01", "/m/02"]
    assert found.types.tolist() == ["-location|-location-city", "-art-film"]
    assert found.frequency.tolist() == [120, 3]
    assert found.train.word.tolist() == ["/m/11", "/m/12"]
    assert found.train.types.tolist() == ["-person", "-art-film"]


def test_figment_without_etrain_has_no_training_set_and_all_its_types(given):
    found = given(TEST, "Etest")

    assert found.train is None
    assert found.types.tolist()[0] == "-location|-location-city|-odd"
    assert len(found) == 3


def test_etrain_is_not_its_own_training_set(given):
    assert given(TRAIN, "Etrain").train is None


BROKEN_FIGMENT = {
    "no type": ("/m/01\t\n", {}, "Etest:1: the type is missing"),
    "one field": ("/m/01\ta\n/m/02\n", {}, "Etest:2: expected an entity such as /m/0abc"),
    "another entity": ("/m/01\ta\nrome\ta\n", {}, "Etest:2: expected an entity such as /m/0abc"),
    "too many fields": ("/m/01\ta\tb\t1\t2\n", {}, "Etest:1: expected an entity such as /m/0abc"),
    "no number": ("/m/01\ta\tb\tmany\n", {}, "Etest:1: expected a number for the frequency"),
    "our mark": ("/m/01\ta|b\n", {}, "Etest:1: a type contains |"),
    "twice": ("/m/01\ta\n/m/01\tb\n", {}, "Etest:2: '/m/01' is in line 1 too"),
    "no known type": (
        "/m/01\ta\n",
        {"types": "b\t1\t1\n"},
        "Etest: no entity has one of the types",
    ),
    "a leak": ("/m/01\ta\n", {"Etrain": "/m/01\ta\n"}, "Etest: '/m/01' is in Etrain too"),
    "broken training_sets": ("/m/01\ta\n", {"Etrain": "x\ty\n"}, "Etrain:1: expected an entity"),
}


@pytest.mark.parametrize(
    ("text", "companions", "reason"), BROKEN_FIGMENT.values(), ids=BROKEN_FIGMENT
)
def test_broken_figment_files_are_refused(text, companions, reason, given):
    with pytest.raises(BadData) as problem:
        given(text, "Etest", **companions)

    assert reason in str(problem.value)


def test_the_real_list_of_types_is_read(given):
    real = shared() / "figment" / "types"
    names = [row.fields[0] for row in rows(real)]

    found = given(f"/m/01\t{names[0]}\t{names[1]} -nobody\n", "Etest", types=real.read_text())

    assert len(set(names)) == 102
    assert found.types.tolist() == ["|".join(sorted(names[:2]))]
