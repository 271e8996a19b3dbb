import json

import pytest

from lexiscope.core.errors import BadData, UnknownName
from lexiscope.data.local_data import LocalData
from lexiscope.data.word_sets import read_tests

SETS = {"flowers": ["rose", "tulip"], "insects": ["ant", "bee"], "good": ["love"], "bad": ["war"]}
TEST = {"name": "T", "targets": ["flowers", "insects"], "attributes": ["good", "bad"]}


def written(path, content):
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, "utf-8")
    return path


def read(path):
    return read_tests(path, LocalData())


def test_toml_json_and_csv_give_the_same_tests(tmp_path):
    toml = """
[sets]
flowers = ["rose", "tulip", "rose"]
insects = ["ant", " bee "]
good = ["love"]
bad = ["war", ""]

[[tests]]
name = "T"
targets = ["flowers", "insects"]
attributes = ["good", "bad"]
"""
    rows = [
        ("X", "flowers", "rose"), ("X", "flowers", "tulip"), ("Y", "insects", "ant"),
        ("Y", "insects", "bee"), ("A", "good", "love"), ("B", "bad", "war"),
    ]  # fmt: skip
    table = "test,role,set,word\n" + "".join(f"T,{','.join(row)}\n" for row in rows)

    found = [
        read(written(tmp_path / "sets.toml", toml)),
        read(written(tmp_path / "sets.json", {"sets": SETS, "tests": [TEST]})),
        read(written(tmp_path / "sets.csv", table)),
    ]

    assert found[0] == found[1] == found[2]
    assert [(each.name, each.words) for each in found[0][0].sets] == [
        ("flowers", ("rose", "tulip")),
        ("insects", ("ant", "bee")),
        ("good", ("love",)),
        ("bad", ("war",)),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[sets", "is not TOML"),
        ({"sets": SETS}, "`tests`"),
        ({"sets": SETS, "tests": []}, "length >= 1"),
        ({"sets": SETS, "tests": [{**TEST, "targets": ["flowers"]}]}, "length >= 2"),
        ({"sets": SETS, "tests": [{**TEST, "about": 1}]}, "unknown field"),
        ({"sets": {**SETS, "good": [3]}, "tests": [TEST]}, "Expected `str`"),
        ({"sets": {**SETS, "good": [" "]}, "tests": [TEST]}, "set 'good' has no words"),
        ({"sets": {**SETS, "bad": ["love"]}, "tests": [TEST]}, "'love' is in both attributes"),
        ("test,role,word\nT,X,rose\n", "header must name test, role, set, word"),
        ("test,role,set,word\nT,Z,flowers,rose\n", ":2: a role is X, Y, A or B, found 'Z'"),
        ("test,role,set,word\nT,X,flowers,rose\n", "'T' has no words with the role Y"),
        ("test,role,set,word\nT,X,f,rose\nT,X,g,ant\n", ":3: X of 'T' has two names"),
        ("test,role,set,word\nT,X,f,\n", ":2: the word is missing"),
    ],
)
def test_a_broken_file_is_reported_in_one_sentence(tmp_path, content, message):
    ending = "json" if isinstance(content, dict) else "toml" if content[0] == "[" else "csv"
    path = written(tmp_path / f"sets.{ending}", content)

    with pytest.raises(BadData, match=message) as problem:
        read(path)
    assert str(path) in str(problem.value)
    assert "\n" not in str(problem.value)


def test_an_unknown_set_or_source_is_reported_with_those_that_exist(tmp_path):
    path = written(
        tmp_path / "sets.json", {"sets": SETS, "tests": [{**TEST, "targets": ["flowers", "bugs"]}]}
    )

    with pytest.raises(UnknownName, match=r"named 'bugs'.*Available: bad, flowers"):
        read(path)
    with pytest.raises(UnknownName, match=r"Available: weat"):
        read("no-such-file.toml")


def test_the_tests_of_the_paper_name_published_sets(tmp_path, monkeypatch):
    import tomllib
    from importlib.resources import files

    content = tomllib.loads((files("lexiscope.data") / "weat_tests.toml").read_text("utf-8"))
    names = {name for test in content["tests"] for name in (*test["targets"], *test["attributes"])}
    published = written(tmp_path / "WEAT.json", {name: [f"{name} word"] for name in names})
    monkeypatch.setattr(LocalData, "paths", lambda self, name: [published])

    found = read_tests("weat", LocalData())

    assert [test.name for test in found] == [f"WEAT {number}" for number in range(1, 11)]
    assert len(names) == 31  # every set of the file is used
    assert found[6].targets[0].name == "math"
