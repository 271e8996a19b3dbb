"""--language: data and letters of a language."""

import json

import pytest

from lexiscope.data.catalogue import catalogue


def test_data_of_a_language_are_listed(call):
    rows = json.loads(call("data", "list", "--language", "FR", "--json").stdout)

    assert {row["name"] for row in rows} == {
        name for name, entry in catalogue().items() if entry.language == "fr"
    }
    listed = call("data", "list", "--language", "fr").stdout
    assert "fr-rg65" in listed
    assert "simlex999" not in listed


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("data", "list", "--language", "french"), "Did you mean 'fr' (French)?"),
        (("data", "get", "--language", "cy"), "no such data in Welsh (cy). Languages: ar, bg,"),
        (("data", "get"), "Name entries or suites to download, or a language"),
        (("run", "first.vec", "--language", "fra"), "'fra' is not a language tag"),
        (("run", "first.vec", "--language", "fr"), "lexiscope data get --language fr"),
    ],
)
def test_a_language_that_cannot_be_used_raises_an_error(call, arguments, sentence):
    code = 3 if sentence.startswith("lexiscope") else 2

    assert sentence in call(*arguments, code=code).stderr


def test_a_run_records_the_language(call):
    ended = call("run", "first.vec", "--dataset", "pairs.tsv", "--language", "tr", "--json")

    found = json.loads(ended.stdout)
    assert '"language": "tr"' in json.dumps(found)
