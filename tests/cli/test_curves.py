"""lexiscope curves on the command line."""

import json

import numpy as np
import pytest

import lexiscope
from lexiscope.core.embedding import embedding

FAST = ("--store", ":memory:", "--repeats", "2", "--sizes", "20,100%")
LINEAR = ("--model", "logistic_regression")


@pytest.fixture
def words(folder):
    """Two vector files with 60 words, and their classes."""
    rng = np.random.default_rng(0)
    names = [f"word{n}" for n in range(60)]
    signal = np.where(np.arange(60) % 2, 1.0, -1.0)[:, None]
    for name, strength in (("good", 1.0), ("bad", 0.0)):
        vectors = strength * signal + rng.normal(size=(60, 5))
        lexiscope.save(embedding(name, names, vectors), folder / f"{name}.vec")
    rows = [f"{name},{'odd' if n % 2 else 'even'}\r\n" for n, name in enumerate(names)]
    (folder / "mine.csv").write_text("\ufeffword,label\r\n" + "".join(rows), "utf-8", newline="")
    return ("good.vec", "bad.vec", "--dataset", "mine.csv", *FAST)


def test_a_table_of_ones_own_gives_a_verdict_and_every_file(call, words, folder):
    ended = call("curves", *words, *LINEAR, "--report", "new/r.html", "--csv", "r.csv")

    assert "Labels: training size at which the best model reaches the target" in ended.stdout
    assert "Of 1 comparison of areas" in ended.stdout
    assert "<h2>Labels needed</h2>" in (folder / "new/r.html").read_text("utf-8")
    assert (folder / "r.csv").read_text("utf-8").startswith("embedding,control,dataset")


def test_json_is_alone_on_stdout_and_does_not_depend_on_the_number_of_jobs(call, words):
    one, two = (
        json.loads(call("curves", *words, *LINEAR, "--json", "--jobs", jobs).stdout)
        for jobs in ("1", "2")
    )

    for each in (one, two):
        del each["manifest"]["n_jobs"], each["manifest"]["backend"]
    assert one == two
    assert one["format"] == "lexiscope curves 1"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--set", "logistic_regression.c=-1"), "logistic_regression.c must be more than 0"),
        (("--set", "logistic_regression.d=1"), "No setting of logistic_regression named 'd'"),
        (("--sizes", "20,nan%"), "A training size is a count (50) or a percentage (30%)"),
        (("--target", "90"), "The target is a score"),
        (("--weight", "models.svn=1"), "No model named 'svn'"),
    ],
)
def test_a_wrong_option_is_one_sentence(call, words, options, message):
    ended = call("curves", *words, *LINEAR, *options, code=2)

    assert message in ended.stderr
    assert "Internal error" not in ended.stderr
    assert ended.stdout == ""
