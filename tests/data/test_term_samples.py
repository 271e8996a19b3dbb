"""Published terms with samples: tiny files in the published formats, and the real ones."""

import pytest

from lexiscope.core.errors import BadData, UnknownName
from lexiscope.data.local_data import LocalData
from lexiscope.data.term_samples import load, names, read
from tests.data.local_files import shared


def _written(path, text):
    path.write_text(text, "utf-8")
    return path


def test_samples_of_wiki_rnd_are_columns(tmp_path):
    terms = _written(tmp_path / "terms", "perch\nowl\nperch\n")
    text = "perch\ta ___ swims @@ two ___s trans___ ___\tthe ___\n"

    found = read("wiki-rnd", [terms, _written(tmp_path / "text", text)])

    (term,) = found.terms
    assert term.term == "perch"
    assert term.samples == (
        (("a", "___", "swims"), ("two", "perchs", "transperch", "___")),
        (("the", "___"),),
    )
    assert found.notes == (
        "perch: is listed twice, and used once.",
        "owl: is listed, but has no sentences.",
    )


def test_samples_of_the_marked_file_are_numbered(tmp_path):
    terms = _written(tmp_path / "terms", "perch\nowl\n")
    text = (
        "perch\ta perch__xx00 swims\npikeperch__xx01 and perch__xx01\nowl\towl__xx00 owl__xx00s\n"
    )

    found = read("wiki-rnd-marked", [terms, _written(tmp_path / "text", text)])

    assert [each.samples for each in found.terms] == [
        ((("a", "___", "swims"),), (("pikeperch", "and", "___"),)),
        ((("___", "owls"),),),
    ]


def test_a_sentence_of_two_samples_is_refused(tmp_path):
    path = _written(tmp_path / "text", "owl\towl__xx00 owl__xx01\n")

    with pytest.raises(BadData, match=r"text:1: a sentence without a term, or of two samples"):
        read("wiki-rnd-marked", [path, path])


def test_chimeras_have_probes_and_ratings(tmp_path):
    path = _written(tmp_path / "text", "7\ta ___ b @@ no mark @@ c___ d\tfish,owl\t1.5,3\n")

    found = read("chimeras-2", [path])

    (term,) = found.terms
    assert term.samples == ((("a", "___", "b"), ("c", "___", "d")),)
    assert (term.probes, term.ratings) == (("fish", "owl"), (1.5, 3.0))
    assert found.notes == ("1 sentence in which the term is not marked is left out.",)


def test_lines_with_other_fields_are_refused(tmp_path):
    with pytest.raises(BadData, match=r"text:1: has 1 field"):
        read("nonce-definitions", [_written(tmp_path / "text", "owl\n")])


def test_an_unknown_dataset_is_named():
    with pytest.raises(UnknownName, match="wiki-rnd"):
        load("wiki-rdn")


@pytest.mark.parametrize(
    ("name", "terms", "sentences"),
    [
        ("wiki-rnd", 298, 14355),
        ("wiki-rnd-marked", 298, 14355),
        ("nonce-definitions", 299, 299),
        ("chimeras-2", 110, 219),
        ("chimeras-4", 110, 436),
        ("chimeras-6", 110, 656),
    ],
)
def test_the_published_files_are_read_completely(name, terms, sentences):
    assert name in names()
    local_data = LocalData(shared())

    found = load(name, local_data)

    assert len(found.terms) == terms
    every = [words for each in found.terms for sample in each.samples for words in sample]
    assert len(every) == sentences
    assert all("___" in words for words in every)
    assert not any("__xx" in word or (word != "___" and "___" in word) for s in every for word in s)


def test_the_two_files_of_wiki_rnd_are_different_draws():
    local_data = LocalData(shared())
    first, second = load("wiki-rnd", local_data), load("wiki-rnd-marked", local_data)

    assert [each.term for each in first.terms] == [each.term for each in second.terms]
    sizes = [[tuple(map(len, each.samples)) for each in one.terms] for one in (first, second)]
    assert sizes[0] == sizes[1]
    assert first.terms[0].samples != second.terms[0].samples
