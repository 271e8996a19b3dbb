"""lexiscope.reproduce: one function for every paper."""

import json
from dataclasses import replace

import pytest

import lexiscope
from lexiscope.core.errors import BadUsage, NotDownloaded, UnknownName
from lexiscope.data.download import DownloadFailed
from lexiscope.papers.reproduce import KINDS, plan_for
from lexiscope.papers.schema import CorrelationPaper, SyntheticPaper, load, names
from lexiscope.papers.verdicts import WORDS
from tests.report.hostile_words import NAMES

SMALL = {
    "criteria": ["sparseness"],
    "models": ["PPMI", "CBOW"],
    "sentences": 400,
    "trials": 2,
    "settings": [("epochs", "2"), ("dimension", "8")],
}


@pytest.fixture(scope="module")
def small():
    return lexiscope.reproduce("s0", **SMALL)


def test_every_claim_is_judged_or_explained(small):
    assert [each.claim for each in small.verdicts] == list(load("s0").claims)
    assert all(each.verdict in WORDS for each in small.verdicts)
    assert all(each.reason for each in small.verdicts if each.verdict in ("not run", "unknown"))
    judged = [v.claim.row for v in small.verdicts if v.verdict != "not run"]
    assert judged == ["PPMI", "CBOW"]


def test_the_document_is_json_and_names_paper_scale_and_departures(small):
    document = json.loads(json.dumps(small.to_dict()))

    assert document["format"] == "lexiscope reproduction 1"
    assert (document["paper"], document["scale"]) == ("s0", "small")
    assert document["citation"] == "Yaghoobzadeh and Schütze 2016"
    assert document["departures"]
    assert document["experiment"]["format"] == "lexiscope probe 1"
    assert len(document["verdicts"]) == len(load("s0").claims)


def test_the_first_line_says_that_the_scale_is_not_that_of_the_paper(small, capsys):
    from lexiscope.report.papers.document import page, show, to_markdown

    sentence = (
        "Not at the scale of the paper: 400 instead of 100,000 sentences per corpus, 2 instead of "
        "50 trials. The verdicts hold for this scale only."
    )
    assert small.smaller_scale == small.to_dict()["smaller_scale"] == sentence
    show(small)
    assert " ".join(capsys.readouterr().out.split()).startswith(sentence)
    assert to_markdown(small).replace("\\", "").startswith(sentence)
    assert sentence in page(small)


def test_at_the_scale_of_the_paper_there_is_no_such_line(small):
    paper = load("s0")
    full = replace(small, results=replace(small.results, plan=plan_for(paper, "paper")))

    assert full.smaller_scale == ""
    for dimension, expected in ((300, ""), (100, "100 instead of 300 dimensions")):
        plan = plan_for("s3", "paper", dimensions=[dimension])
        found = KINDS[CorrelationPaper].departures(plan, plan_for("s3", "paper"))
        assert found == ([expected] if expected else [])


def test_a_part_of_a_sweep_is_not_the_scale_of_the_paper():
    found = KINDS[SyntheticPaper].departures(
        plan_for("s0", criteria=["ambiguity"]), plan_for("s0", "paper")
    )

    assert found[-1] == "3 instead of 11 values of the sweep of ambiguity"


@pytest.mark.parametrize(
    ("paper", "options", "name"),
    [
        ("s0", {"texts": ["a.txt"]}, "texts"),
        ("s0", {"dimensions": [50]}, "dimensions"),
        ("s0", {"folder": "x"}, "folder"),
        ("s0", {"inputs": lexiscope.Inputs()}, "inputs"),
        ("s3", {"criteria": ["sparseness"]}, "criteria"),
        ("s3", {"sentences": 7}, "sentences"),
        ("s3", {"speed": 7}, "speed"),
    ],
)
def test_an_option_of_another_paper_is_refused(paper, options, name):
    with pytest.raises(BadUsage, match=f"The option '{name}' does not apply to {paper}. Its opt"):
        lexiscope.reproduce(paper, **options)


@pytest.mark.parametrize("paper", names())
def test_every_paper_has_a_plan_at_every_scale(paper):
    for scale in load(paper).scales:
        plan = plan_for(paper, scale)
        assert [model.name for model in plan.models] == [m.name for m in load(paper).models]
    with pytest.raises(UnknownName, match="No scale named 'huge'"):
        plan_for(paper, "huge")


def test_without_data_the_correlation_paper_says_what_to_get(tmp_path, monkeypatch):
    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("LEXISCOPE_DATA_DIR", raising=False)

    with pytest.raises(NotDownloaded, match=r"QVEC: qvec-supersenses is not downloaded. Get it"):
        lexiscope.reproduce("s3", folder=tmp_path / "vectors")


def test_naming_a_paper_downloads_its_data_once_and_goes_on_without_the_rest(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("LEXISCOPE_DATA_DIR", raising=False)
    monkeypatch.delenv("LEXISCOPE_OFFLINE")
    tried = []

    def unreachable(local_data, entry, progress):
        tried.append(entry.name)
        raise DownloadFailed(f"{entry.name} could not be downloaded.")

    monkeypatch.setattr("lexiscope.papers.reproduce.fetch", unreachable)
    monkeypatch.setattr(
        "lexiscope.data.download.fetch", lambda local, entry: unreachable(local, entry, None)
    )
    with pytest.raises(NotDownloaded):
        lexiscope.reproduce("s3", folder=tmp_path / "vectors")

    assert "qvec-supersenses" in tried
    assert "Left out: qvec-supersenses could not be downloaded." in capsys.readouterr().err


@pytest.mark.parametrize("name", [*NAMES, "../s0", "s0.toml\0", "", "a" * 5000])
def test_hostile_names_of_papers_are_refused_in_one_line(name):
    with pytest.raises(UnknownName) as problem:
        lexiscope.reproduce(name)

    assert "\n" not in str(problem.value)
    assert "\x1b" not in str(problem.value)


def test_hostile_text_in_a_paper_file_stays_text(tmp_path):
    from lexiscope.report.papers.document import page, to_markdown

    path = tmp_path / "mine.toml"
    name = json.dumps(NAMES[0])
    path.write_text(
        f"""
kind = "synthetic"
title = {name}
citation = {name}
about = {name}
departures = [{name}]
models = [{{name = {name}, trainer = "ppmi", family = {name}}}]
probes = [{{name = "subspace"}}]
criteria = [{{name = {name}, grammar = "sparseness"}}]
[scales.small]
sentences = 400
trials = 2
[[claims]]
kind = "proportion"
table = {name}
row = {name}
column = {name}
value = 0.5
printed = {name}
note = {name}
""",
        "utf-8",
    )

    found = lexiscope.reproduce(path)

    assert 0 < found.verdicts[0].ours.value < 1
    assert "<script>alert" not in page(found)
    assert "<script>" not in to_markdown(found)
