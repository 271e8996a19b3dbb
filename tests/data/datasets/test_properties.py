"""Word-property matrices: the published format, tables, WordNet's counts."""

import gzip
import json

import numpy as np
import pytest

from lexiscope.core.datasets.properties import Properties
from lexiscope.core.errors import BadData, TooLarge
from lexiscope.data.datasets import properties, read
from lexiscope.data.derived.part_of_speech import table, tag_proportions
from lexiscope.data.local_data import LocalData
from tests.data.local_files import shared


@pytest.fixture
def write(tmp_path):
    def written(text, name="file.tsv"):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return written


def rows(path):
    found = read("properties", path, "name")
    return {
        word: dict(zip(has, amount, strict=True))
        for word, has, amount in zip(found.word, found.has, found.amount, strict=True)
    }


PUBLISHED = '#\t{"x": 1.0}\nfish\t{"animal": 0.75, "food": 0.25}\n'


def test_the_published_format_has_a_word_and_an_object_per_line(write):
    found = read("properties", write(PUBLISHED), "name")

    assert found.word.tolist() == ["#", "fish"]  # not a comment
    assert found.matrix.names == ("animal", "food", "x")
    assert found.matrix.amounts.tolist() == [[0, 0, 1], [0.75, 0.25, 0]]
    assert found.gold.tolist() == ["x", "animal"]


def test_a_compressed_file_is_read_like_a_plain_one(write, tmp_path):
    packed = tmp_path / "file.gz"
    packed.write_bytes(gzip.compress(PUBLISHED.encode()))

    assert rows(packed) == rows(write(PUBLISHED))


@pytest.mark.parametrize("mark", [",", "\t", ";"])
def test_a_table_names_its_properties_in_a_header(write, mark):
    text = "word,animal,Cibo è\n# a comment\nfish,0.5,-2\nstone,0,0\n".replace(",", mark)

    assert rows(write(text)) == {"fish": {"animal": 0.5, "Cibo è": -2}, "stone": {}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("word\ta\nfish\tnan\n", r":2: expected a number for the a, found 'nan'"),
        ("word\ta\nfish\tinf\n", r":2: expected a number"),
        ("word\ta\tb\nfish\t1\n", r":2: expected a word and 2 numbers, found 2 fields"),
        ("word\ta\n\t1\n", r":2: the word is missing"),
        ("word\ta\ta\nfish\t1\t2\n", r":1: two properties are called 'a'"),
        ("word\ta\t\nfish\t1\t2\n", r":1: a property has no name"),
        ("fish\t1\t2\nduck\t1\t2\n", r":1: expected a header"),
        ("word\ta\nfish\t1\nfish\t2\n", r":3: 'fish' is on line 2 already"),
        ("word\ta\n", "contains no words"),
        ("word\ta\nfish\t0\n", "all numbers are 0"),
        ("  \n", "is empty"),
        ('fish\t{"a": 1}\nduck\t{"a": NaN}\n', r":2: expected a word, a tab and an object"),
        ('fish\t{"a": 1}\nduck\t{"a": "1"}\n', r":2: expected a word"),
        ('fish\t{"a": 1}\nduck\t{"a": true}\n', r":2: expected a word"),
        ('fish\t{"a": 1}\nduck\t{"a": 1, "a": 2}\n', r":2: expected a word"),
        ('fish\t{"a": 1}\n\t{"a": 1}\n', r":2: expected a word"),
        ('fish\t{"a": 1}\nduck\n', r":2: expected a word"),
        ('fish\t{"a": 1e999}\n', r":1: expected a word"),
        ('fish\t{"a": 1}\nfish\t{"b": 1}\n', r":2: 'fish' is on line 1 already"),
        ("duck%1:05:00:: 1 4\nduck 4\n", r":2: expected a sense key"),
    ],
)
def test_errors_name_the_file_and_the_line(write, text, message):
    with pytest.raises(BadData, match=message):
        read("properties", write(text), "name")


def test_a_matrix_that_is_too_large_is_refused(write, monkeypatch):
    monkeypatch.setattr(properties, "_MOST_PROPERTIES", 2)

    with pytest.raises(TooLarge, match="properties"):
        read("properties", write(PUBLISHED), "name")


def test_supersenses_are_counted_in_wordnets_list(write):
    path = write(
        "duck%1:05:00:: 1 4\nduck%2:38:00:: 1 6\nold%3:00:00:: 1 9\nhot_dog%1:13:00:: 1 9\n"
        "rare%1:05:00:: 1 4\nred%5:00:00:coloured:00 1 9\n"
    )

    assert rows(path) == {"duck": {"noun.animal": 0.4, "verb.motion": 0.6}}


def test_a_matrix_round_trips_through_the_store(tmp_path):
    from lexiscope.store.datasets import add_dataset, content
    from lexiscope.store.store import Store

    example = Properties.example()
    assert len(json.loads(content(example))["word"]) == len(example)
    with Store(tmp_path / "store.sqlite") as store:
        with store._transaction() as database:
            add_dataset(database, example)
        again = store.dataset(example.fingerprint, "again")
    assert again.fingerprint == example.fingerprint


def test_tags_are_counted_for_each_word(write):
    slashed = write("The/at cat/nn runs/vbz\n\nthe/at run/nn and/or/cc\n", "one")
    columns = write("The DT B-NP\nend NN I-NP\n\n# NN B-NP\n", "two")

    assert tag_proportions([slashed], 2) == {"the": {"at": 1}}
    assert tag_proportions([slashed], 1)["and/or"] == {"cc": 1}
    assert tag_proportions([slashed, columns], 1)["the"] == {"DT": 1 / 3, "at": 2 / 3}
    again = write(table(tag_proportions([columns], 1)).decode(), "three")
    assert rows(again) == {"#": {"NN": 1}, "end": {"NN": 1}, "the": {"DT": 1}}


def test_text_without_tags_is_refused_with_its_line(write):
    with pytest.raises(BadData, match=r":2: expected a word and its tag"):
        tag_proportions([write("The DT\nend\n")], 1)
    with pytest.raises(BadData, match=r":1: expected a word and its tag"):
        tag_proportions([write("the/DT dog/NN runs\n")], 1)
    with pytest.raises(BadData, match=r":2: expected a word and its tag"):
        tag_proportions([write("this is prose\nand nothing but prose\n")], 1)
    with pytest.raises(BadData, match="No word is tagged 5 times"):
        tag_proportions([write("The DT\n")], 5)


def test_the_published_supersenses_are_those_of_the_paper():
    path = shared() / "qvec-oracles" / "semcor_noun_verb.supersenses.en"
    found = read("properties", path, "semcor")
    names, amounts = found.matrix

    assert amounts.shape == (4199, 41)
    assert amounts.sum(axis=1) == pytest.approx(np.ones(4199))
    assert sum(name.startswith("semcor.noun") for name in names) == 26
    table = {word: row.round(2) for word, row in zip(found.word, amounts, strict=True)}
    columns = [names.index(f"semcor.{n}") for n in ("noun.animal", "noun.food", "verb.motion")]
    assert table["fish"][columns].tolist() == [0.68, 0.16, 0]
    assert table["duck"][columns].tolist() == [0.31, 0, 0.69]
    assert table["chicken"][columns].tolist() == [0.33, 0.67, 0]


def test_the_published_parts_of_speech_keep_all_their_words():
    found = read("properties", shared() / "qvec-oracles" / "ptb.pos_tags", "ptb")

    assert found.matrix.amounts.shape == (10865, 45)


def test_the_supersenses_of_wordnets_counts_are_near_the_published_ones():
    from lexiscope.data.catalogue import catalogue

    folder = LocalData(shared())
    places = (folder.find(catalogue()[n]) for n in ("wordnet-supersenses", "qvec-supersenses"))
    made, published = (rows(place[0]) for place in places)
    plain = {
        word: {name.removeprefix("semcor."): share for name, share in row.items()}
        for word, row in published.items()
    }

    both = sorted(made.keys() & plain.keys())
    same = [max(made[w], key=made[w].get) == max(plain[w], key=plain[w].get) for w in both]
    assert len(made) == 4334
    assert len(both) == 3969
    assert np.mean(same) == pytest.approx(0.825, abs=0.005)
