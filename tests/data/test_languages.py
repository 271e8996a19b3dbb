"""Entries by language, with a small catalogue whose files are written by the test."""

import hashlib
from types import MappingProxyType

import numpy as np
import pytest

import lexiscope
from lexiscope.core.errors import BadUsage, NotDownloaded
from lexiscope.core.policy import Policy
from lexiscope.data import catalogue as module
from lexiscope.data import languages, local_data
from lexiscope.data.catalogue import Entry, File, Origin, catalogue
from lexiscope.data.inputs import Inputs
from lexiscope.data.languages import available_in, entries_in
from lexiscope.data.local_data import LocalData
from lexiscope.evaluation import resolve

PAIRS = {
    "isim": ("tr", "ISI\tIŞIK\t7\nISI\tkedi\t1\nİNEK\tkedi\t4\n"),
    "paires": ("fr", "chat\tchien\t7\nchat\tvélo\t1\nvélo\tmoto\t6\n"),
    "pairs": ("en", "cat\tdog\t7\ncat\tbike\t1\nbike\tcar\t6\n"),
    "ailleurs": ("fr", "absent\trien\t1\n"),
}


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """Local data whose folder has the files of all entries but one, and their catalogue."""
    folder = tmp_path / "mine"
    folder.mkdir()
    entries = []
    for name, (language, text) in PAIRS.items():
        content = text.encode()
        if name != "ailleurs":
            (folder / f"{name}.tsv").write_bytes(content)
        file = File(
            f"{name}.tsv", hashlib.sha256(content).hexdigest(), len(content), url="file:///nowhere"
        )
        source = Origin("url", (file,))
        entries.append(Entry(name, "pairs", name, 3, language, "CC0", "@misc{toy}", (source,)))
    found = MappingProxyType({entry.name: entry for entry in entries})
    for each in (module, local_data, languages, resolve):
        monkeypatch.setattr(each, "catalogue", lambda: found)
    return LocalData(folder)


def vectors(*words):
    return {"v": (words, np.random.default_rng(0).normal(size=(len(words), 4)))}


def test_a_run_in_a_language_evaluates_its_datasets_with_its_letters(shelf, monkeypatch):
    monkeypatch.setenv("LEXISCOPE_OFFLINE", "1")
    words = ("ısı", "ışık", "kedi", "inek")

    results = lexiscope.run(
        vectors(*words), "similarity", inputs=Inputs(shelf.folder), policy=Policy(language="tr")
    )

    assert {result.dataset for result in results.results} == {"isim"}
    assert [result.used for result in results.main()] == [3]
    assert results.policy.language == "tr"
    assert results.main()[0].policy["language"] == "tr"


def test_a_run_without_a_language_evaluates_english_datasets(shelf):
    results = lexiscope.run(
        vectors("cat", "dog", "bike", "car"), "similarity", inputs=Inputs(shelf.folder)
    )

    assert {result.dataset for result in results.results} == {"pairs"}
    assert "language" not in results.main()[0].policy


def test_what_cannot_be_downloaded_is_named_and_left_out(shelf, capsys, monkeypatch):
    monkeypatch.delenv("LEXISCOPE_OFFLINE", raising=False)

    def fail(name):
        raise NotDownloaded(f"{name} could not be downloaded.")

    monkeypatch.setattr(shelf, "paths", fail)
    found = available_in(list(languages.catalogue().values()), "fr", shelf)

    assert [entry.name for entry in found] == ["paires"]
    assert "Left out: ailleurs could not be downloaded." in capsys.readouterr().err


def test_without_any_available_dataset_the_error_says_how_to_get_some(shelf, tmp_path, monkeypatch):
    monkeypatch.setenv("LEXISCOPE_OFFLINE", "1")
    empty = tmp_path / "empty"
    empty.mkdir()

    with pytest.raises(NotDownloaded, match="lexiscope data get --language fr"):
        lexiscope.run(
            vectors("chat"), "similarity", inputs=Inputs(empty), policy=Policy(language="fr")
        )


def test_a_language_without_data_raises_an_error_that_lists_languages():
    with pytest.raises(BadUsage, match=r"no such data in Welsh \(cy\)\. Languages: ar, bg, ca"):
        entries_in("cy")


def test_entries_of_a_region_include_those_of_the_language():
    brazilian = {entry.name for entry in entries_in("pt-BR")}

    assert {"pt-br-synonyms", "pt-simlex999"} <= brazilian
    assert "pt-synonyms" in brazilian  # tagged with the language only
    assert {entry.language for entry in entries_in("fr")} == {"fr"}


@pytest.mark.parametrize("entry", catalogue().values(), ids=catalogue())
def test_every_entry_has_a_known_language_tag(entry):
    assert lexiscope.core.languages.language_tag(entry.language) == entry.language
