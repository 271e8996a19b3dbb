import json
import os
import stat
from pathlib import Path
from xml.etree.ElementTree import parse

import numpy as np
import pytest

import lexiscope
from lexiscope.core.embedding import embedding

WORDS = [f"w{k}" for k in range(60)]


@pytest.fixture
def shipped(folder, call):
    """A baseline of a good embedding, and three embeddings: the same, a worse and a better one."""
    rng = np.random.default_rng(0)
    true = rng.normal(size=(60, 6))
    unit = true / np.linalg.norm(true, axis=1, keepdims=True)
    pairs = [rng.choice(60, 2, replace=False) for _ in range(150)]
    (folder / "rated.tsv").write_text(
        "".join(f"{WORDS[a]}\t{WORDS[b]}\t{unit[a] @ unit[b]:.4f}\n" for a, b in pairs), "utf-8"
    )
    for name, noise in (("old", 0.3), ("worse", 2.0), ("better", 0.05)):
        vectors = true + noise * rng.normal(size=true.shape)
        lexiscope.save(embedding(name, WORDS, vectors), folder / f"{name}.vec")
    call("check", "old.vec", "--save", "results.json", "--dataset", "rated.tsv")
    return folder


def test_a_baseline_is_the_document_of_a_run_with_the_predictions(call, shipped):
    saved = json.loads((shipped / "results.json").read_text("utf-8"))
    plain = json.loads(call("run", "old.vec", "--dataset", "rated.tsv", "--json").stdout)

    assert set(saved) == {*plain, "predictions", "sources"}
    assert saved["results"] == plain["results"]
    assert saved["sources"] == {"rated": "rated.tsv"}
    assert [(entry["items"], len(entry["predictions"])) for entry in saved["predictions"]] == [
        ("all", 150)
    ] * 2


def test_a_worse_embedding_gives_exit_code_1_and_a_junit_file(call, shipped):
    ended = call("check", "worse.vec", "--baseline", "results.json", "--junit", "junit.xml", code=1)

    assert "significantly worse" in ended.stdout
    assert ended.stdout.rstrip().splitlines()[-1].startswith("Failed: 2 of 2 evaluations")
    assert parse(shipped / "junit.xml").find("testsuite").get("failures") == "2"


@pytest.mark.parametrize("name", ["old", "better"])
def test_the_same_or_a_better_embedding_gives_exit_code_0(call, shipped, name):
    ended = call("check", f"{name}.vec", "--baseline", "results.json", "--junit", "junit.xml")

    assert "Passed: 2 evaluations" in ended.stdout
    assert parse(shipped / "junit.xml").find("testsuite").get("failures") == "0"


def test_the_margin_decides_what_is_equivalent(call, shipped):
    arguments = ("check", "better.vec", "--baseline", "results.json", "--json")

    wide, narrow = (
        json.loads(call(*arguments, "--margin", margin).stdout)["evaluations"][-1]
        for margin in ("1.5", "0.001")
    )

    assert wide["comparison"]["margin"] == 1.5
    assert wide["comparison"]["p_equivalence"] < 0.05 < narrow["comparison"]["p_equivalence"]


def test_json_is_one_document(call, shipped):
    ended = call("check", "worse.vec", "old.vec", "--baseline", "results.json", "--json", code=1)

    found = json.loads(ended.stdout)
    assert found["passed"] is False
    assert found["fail_on"] == ["significant-drop"]
    worse, _, same, _ = found["evaluations"]
    assert (worse["embedding"], worse["verdict"]) == ("worse", "significantly worse")
    assert worse["comparison"]["p_holm"] < 0.05
    assert (same["comparison"]["difference"], same["comparison"]["p"]) == (0.0, 1.0)
    assert same["verdict"] in ("equivalent", "undecided")
    assert ": same score (p = 1" in same["sentence"]


def test_the_document_of_a_run_is_a_baseline_too(call, shipped):
    document = call("run", "old.vec", "--dataset", "rated.tsv", "--json").stdout
    (shipped / "plain.json").write_text(document, "utf-8")

    ended = call("check", "worse.vec", "--baseline", "plain.json", "--dataset", "rated.tsv", code=1)

    assert "unpaired" in ended.stdout
    assert "'rated'" in call("check", "old.vec", "--baseline", "plain.json", code=3).stderr


def test_parallel_processes_give_the_same_result(call, shipped):
    arguments = ("check", "worse.vec", "--baseline", "results.json", "--json")

    one, two = (json.loads(call(*arguments, "--jobs", n, code=1).stdout) for n in ("1", "2"))

    for each in (*one["evaluations"], *two["evaluations"]):
        each["seconds"] = 0
    assert one == two


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["old.vec"], 2, "--baseline FILE"),
        (["old.vec", "--baseline", "results.json", "--margin", "0"], 2, "'--margin'"),
        (["old.vec", "--baseline", "results.json", "--save", "x.json"], 2, "--baseline FILE"),
        (["old.vec", "--save", "x.json", "--junit", "x.xml"], 2, "only together with --baseline"),
        (["old.vec", "--baseline", "results.json", "--task", "ranking"], 2, "with --save"),
        (["old.vec", "--baseline", "results.json", "--fail-on", "drop"], 2, "drop=0.01"),
        (["old.vec", "--baseline", "results.json", "--embedding", "odl"], 2, "mean 'old'"),
        (["old.vec", "--baseline", "results.json", "--junit", "old.vec/x"], 3, "cannot be written"),
        (["old.vec", "--baseline", "absent.json"], 3, "absent.json"),
        (["old.vec", "--baseline", "rated.tsv"], 3, "is not a JSON document"),
        (["absent.vec", "--baseline", "results.json"], 3, "absent.vec: there is no such file"),
        (["--baseline", "results.json"], 2, "VECTORS"),
    ],
)  # fmt: skip
def test_a_mistake_gives_a_message_and_its_exit_code(call, shipped, arguments, code, sentence):
    ended = call("check", *arguments, code=code)

    assert sentence in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_hostile_baseline_cannot_send_control_characters(call, shipped):
    saved = (shipped / "results.json").read_text("utf-8")
    (shipped / "results.json").write_text(saved.replace('"rated"', '"\\u001b[31m\\u202e"'), "utf-8")

    ended = call("check", "old.vec", "--baseline", "results.json")

    assert "\x1b" not in ended.stdout + ended.stderr
    assert "\u202e" not in ended.stdout + ended.stderr


def test_a_baseline_has_the_usual_permissions(call, shipped):
    umask = os.umask(0)
    os.umask(umask)

    assert stat.S_IMODE(Path("results.json").stat().st_mode) == 0o666 & ~umask
