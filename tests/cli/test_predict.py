"""lexiscope predict and lexiscope reproduce s3, as a person calls them."""

import json

import numpy as np
import pytest

import lexiscope
from lexiscope.core.embedding import embedding
from tests.cli.conftest import WORDS

MORE = "cat\tdogs\t3\nsun\ttea\t1\ncup\tmoon\t4\nking\tqueen\t9\nman\tqueen\t5\nwoman\tcats\t2\n"


@pytest.fixture
def stored(call, folder):
    """A store with five embeddings on two datasets; two of them are runs of one."""
    rng = np.random.default_rng(8)
    names = ("one", "two", "three", "four-1", "four-2")
    for name in names:
        lexiscope.save(embedding(name, WORDS, rng.normal(size=(12, 5))), folder / f"{name}.vec")
    (folder / "more.tsv").write_text(MORE, "utf-8")
    files = [f"{name}.vec" for name in names]
    ended = call(
        "run", *files, "--task", "similarity", "--dataset", "pairs.tsv", "--dataset", "more.tsv"
    )
    assert "pair of evaluations" in ended.stdout
    return folder


def test_which_evaluation_predicts_which_is_read_from_a_store(call, stored):
    ended = call("predict")

    assert "Over 5 embeddings of 5 dimensions, " in ended.stdout
    assert "1 pair of evaluations" in ended.stdout
    assert "similarity on pairs" in ended.stdout


def test_runs_of_one_are_named_by_a_pattern(call, stored):
    document = json.loads(call("predict", "--same", "four-*", "--json").stdout)

    (pair,) = document["pairs"]
    assert (pair["pearson"]["number"], pair["points"]) == (4, 5)
    assert document["units"][0]["embeddings"]["four-2"] == "four-*"


def test_a_target_is_named_by_its_dataset(call, stored):
    ended = call("predict", "--target", "more")

    row = next(line for line in ended.stdout.splitlines() if line.lstrip().startswith("5"))
    assert row.index("on pairs") < row.index("on more")
    assert "no evaluation is known to predict similarity on more." in ended.stdout


def test_a_pattern_that_no_name_has_is_one_sentence(call, stored):
    ended = call("predict", "--same", "zzz*", code=2)

    assert "No embedding of this run named 'zzz*'." in ended.stderr


def test_an_unknown_target_is_one_sentence(call, stored):
    ended = call("predict", "--target", "mroe", code=2)

    assert "No evaluation of this run named 'mroe'." in ended.stderr


def test_the_page_of_a_run_says_what_predicts_what(call, stored):
    call("report", "-o", "r.html")

    assert "What predicts your task?" in (stored / "r.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("s3",), "Nothing can be asked: qvec-supersenses is not at hand"),
        (("s3", "--criterion", "ambiguity"), "--criterion says nothing about s3"),
        (("s3", "--sentences", "10"), "--sentences says nothing about s3"),
        (("s0", "--dimension", "10"), "--dimension says nothing about s0"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(call, arguments, sentence):
    ended = call("reproduce", *arguments, code=2)

    assert sentence in ended.stderr
    assert ended.stderr.count("\n") == 1
