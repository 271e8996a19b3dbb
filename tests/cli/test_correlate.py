"""The command correlate, and errors of the command reproduce."""

import json

import numpy as np
import pytest

import lexiscope
from lexiscope.core.embedding import embedding
from tests.cli.conftest import WORDS

MORE = "cat\tdogs\t3\nsun\ttea\t1\ncup\tmoon\t4\nking\tqueen\t9\nman\tqueen\t5\nwoman\tcats\t2\n"


@pytest.fixture
def stored(call, folder):
    """A store with five embeddings on two datasets; two of them are runs of one model."""
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


def test_evaluations_of_a_stored_run_are_correlated(call, stored):
    ended = call("correlate")

    assert "Over 5 embeddings of 5 dimensions, " in ended.stdout
    assert "1 pair of evaluations" in ended.stdout
    assert "similarity on pairs" in ended.stdout


def test_a_pattern_names_the_runs_of_one_model(call, stored):
    document = json.loads(call("correlate", "--same-model", "four-*", "--json").stdout)

    (pair,) = document["pairs"]
    assert (pair["pearson"]["number"], pair["points"]) == (4, 5)
    assert document["models"][0]["embeddings"]["four-2"] == "four-*"


def test_a_dataset_selects_the_target(call, stored):
    ended = call("correlate", "--target", "more")

    row = next(
        line for line in ended.stdout.splitlines() if "on pairs" in line and "on more" in line
    )
    assert row.index("on pairs") < row.index("on more")
    assert "no evaluation significantly predicts similarity on more." in " ".join(
        ended.stdout.split()
    )


def test_a_pattern_without_match_is_an_error(call, stored):
    ended = call("correlate", "--same-model", "zzz*", code=2)

    assert "No embedding of this run named 'zzz*'." in ended.stderr


def test_an_unknown_target_is_an_error(call, stored):
    ended = call("correlate", "--target", "mroe", code=2)

    assert "No evaluation of this run named 'mroe'." in ended.stderr


def test_the_report_has_the_correlations(call, stored):
    call("report", "-o", "r.html")

    assert "Correlations between evaluations" in (stored / "r.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("s3",), 3, "No evaluation can be run. QVEC: qvec-supersenses is not downloaded"),
        (("s3", "--criterion", "ambiguity"), 2, "--criterion does not apply to s3"),
        (("s3", "--sentences", "10"), 2, "--sentences does not apply to s3"),
        (("s0", "--dimension", "10"), 2, "--dimension does not apply to s0"),
    ],
)
def test_a_reproduction_that_cannot_run_is_one_sentence(call, arguments, code, sentence):
    ended = call("reproduce", *arguments, code=code)

    assert sentence in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_the_strongest_correlations_come_first_and_most_are_left_out(call, folder):
    rng = np.random.default_rng(9)
    names = [f"model-{n}" for n in range(5)]
    for name in names:
        lexiscope.save(embedding(name, WORDS, rng.normal(size=(12, 5))), folder / f"{name}.vec")
    datasets = []
    for n in range(7):
        lines = (f"{WORDS[i]}\t{WORDS[i - 1 - n % 3]}\t{rng.random()}" for i in range(12))
        (folder / f"pairs-{n}.tsv").write_text("\n".join(lines))
        datasets += ["--dataset", f"pairs-{n}.tsv"]
    files = [f"{name}.vec" for name in names]
    call("run", *files, "--task", "similarity", *datasets, "--quiet")

    text = call("correlate").stdout
    rows = [line.split() for line in text.splitlines() if line.count(" on ") == 2]
    values = [abs(float(row[6])) for row in rows]

    assert len(values) == 20
    assert values == sorted(values, reverse=True)
    assert "1 more pair: --all shows them." in text
    assert call("correlate", "--all").stdout.count("(") > text.count("(")
