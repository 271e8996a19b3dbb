"""lexiscope probe and lexiscope reproduce on the command line."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

import lexiscope

MINE = """
about = "Animals make sounds, machines move."
rules = \"\"\"
S -> D Animal Sound [1/2] | D Machine Motion [1/2]
D -> the | a
Animal -> cat | dog | cow | hen
Machine -> car | bus | van | jet
Sound -> purrs | barks | moos
Motion -> rolls | turns | stops
\"\"\"
[target]
positive = "cat dog cow hen"
negative = "car bus van jet"
held_out = "hen jet"
"""
FAST = ("--trials", "2", "--sentences", "500", "--set", "epochs=3", "--set", "dimension=8")


@pytest.fixture
def mine(folder):
    (folder / "mine.toml").write_text(MINE, "utf-8")
    return folder


def test_a_grammar_of_ones_own_is_probed_with_all_models(call, mine):
    ended = call("probe", "mine.toml", *FAST, "--report", "r.html", "--markdown", "r.md")

    assert "7 models, 1 target, 2 trials of 500 sentences each, seed 0." in ended.stdout
    assert all(
        name in ended.stdout for name in ("PPMI", "LBL", "vLBL", "CBOW", "CWIN", "SKIP", "SSKIP")
    )
    page = (mine / "r.html").read_text("utf-8")
    assert "Animals make sounds, machines move." in page
    assert "hen jet" in page
    assert "| mine | PPMI | 100.0 (" in (mine / "r.md").read_text("utf-8")


def test_the_json_document_contains_scores_settings_and_fingerprints(call, mine):
    arguments = ("probe", "mine.toml", *FAST, "--model", "ppmi", "--model", "skip", "--json")
    document, again = (json.loads(call(*arguments).stdout) for _ in range(2))

    assert document == again
    assert document["format"] == "lexiscope probe 1"
    assert {row["model"] for row in document["scores"]} == {"PPMI", "SKIP"}
    assert document["models"][1]["settings"]["epochs"] == 3
    assert document["models"][1]["settings"]["subsample"] == 0
    assert len(document["criteria"][0]["sha256"]) == 64
    assert document["probes"][0]["settings"]["cost"] == 1.0


def test_claims_of_the_paper_are_next_to_our_values(call):
    ended = call(
        "reproduce", "S0", "--criterion", "sparseness", "--model", "PPMI", "--model", "CBOW",
        *FAST, "--report", "found.html",
    )  # fmt: skip

    words = " ".join(ended.stdout.split())
    assert "all 20 words negative:" in words
    assert "Not at the scale of the paper: 500 instead of 100,000 sentences" in words
    assert "Verdicts on 106 claims of the paper:" in ended.stdout


def test_python_and_the_command_line_give_the_same_document(call, folder):
    arguments = ("reproduce", "s0", "--criterion", "sparseness", "--model", "SKIP", *FAST, "--json")

    document = json.loads(call(*arguments).stdout)
    found = lexiscope.reproduce(
        "s0",
        criteria=["sparseness"],
        models=["SKIP"],
        trials=2,
        sentences=500,
        settings=[("epochs", 3), ("dimension", 8)],
    )

    assert document == json.loads(json.dumps(found.to_dict()))


CORRELATION = """
kind = "correlation"
title = "Which evaluation predicts which"
citation = "Someone 2020"
about = "Two evaluations of four models."
models = [
    {name = "LSA", trainer = "lsa"},
    {name = "SVD", trainer = "svd"},
    {name = "SG", trainer = "skipgram", repeated = true},
    {name = "CBOW", trainer = "cbow", repeated = true},
]
hyperparameters = {window = 2}
analysis = {predictor = "one", tasks = ["two"], downstream = ["two"], dimension = 3}

[scales.small]
texts = ["text.txt"]
dimensions = [3]
runs = 2
hyperparameters = {epochs = 1}

[[evaluations]]
name = "one"
mean_of = [["similarity", "pairs.tsv"]]

[[evaluations]]
name = "two"
first_of = [["similarity", "absent-dataset"], ["similarity", "other.tsv"]]

[[claims]]
kind = "correlation"
table = "Table 1"
row = "r"
column = "two"
value = 0.5
metric = "pearson"
predictor = "one"
target = "two"
dimension = 3
points = 4

[[claims]]
kind = "score"
table = "Table 1"
row = "SG"
column = "one"
value = 50.0
dimension = 3

[[claims]]
kind = "ranking"
table = "text"
row = "ranking"
column = "two"
dimension = 3
models = ["LSA", "SVD", "SG", "CBOW"]
"""


def test_a_correlation_paper_of_ones_own_is_the_same_from_python(call, folder):
    words = ["cat", "dog", "sun", "moon", "cup", "tea"]
    lines = (" ".join(words[i:] + words[:i]) for i in range(6))
    (folder / "text.txt").write_text("\n".join(lines) + "\n" + " ".join(words * 20), "utf-8")
    pairs = (folder / "pairs.tsv").read_text("utf-8").splitlines()
    (folder / "other.tsv").write_text("\n".join(reversed(pairs[1:])) + "\ncup\tcat\t5\n", "utf-8")
    (folder / "mine.toml").write_text(CORRELATION, "utf-8")

    shown = call("reproduce", "mine.toml", "--folder", "v", "--report", "r.html").stdout
    document = json.loads(call("reproduce", "mine.toml", "--folder", "v", "--json").stdout)
    execution = lexiscope.Execution(store="lexiscope.sqlite")
    found = lexiscope.reproduce("mine.toml", folder="v", execution=execution)

    assert document == json.loads(json.dumps(found.to_dict()))
    assert "Verdicts on 3 claims of the paper:" in shown
    assert "similarity on absent-dataset" in shown  # not available, replaced by other.tsv
    assert found.results.score("SG", "one", 3).runs == 2
    assert "Someone 2020, scale small: 4 models" in (folder / "r.html").read_text("utf-8")


def test_a_sweep_has_a_curve(call, folder):
    ended = call(
        "reproduce", "s0", "--criterion", "ambiguity", "--model", "PPMI", *FAST[:2],
        "--sentences", "3000", "--report", "r.html",
    )  # fmt: skip

    assert "ambiguity, subspace: accuracy in % (95 % CI):" in ended.stdout
    page = (folder / "r.html").read_text("utf-8")
    assert "Accuracy over the values of a parameter" in page
    assert "accuracy of each model" in page


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("probe", "none.toml"), 3, "none.toml: there is no such file."),
        (("probe", "mine.toml", "--set", "epochs"), 2, "--set takes FIELD=VALUE"),
        (("probe", "mine.toml", "--sentences", "3"), 3, "occurs in none of the sampled sentences"),
        (
            ("probe", "mine.toml", "--set", "negative=99"),
            2,
            "negative must be less than the vocabulary size",
        ),
        (("reproduce", "s9"), 2, "No paper named 's9'"),
        (("reproduce", "s0", "--text", "a.txt"), 2, "--text does not apply to s0"),
        (("reproduce", "s0", "--data-dir", "."), 2, "--data-dir does not apply to s0"),
        (("reproduce", "s3", "--criterion", "x"), 2, "--criterion does not apply to s3"),
        (("reproduce", "s3", "--text", "a.txt"), 3, "No evaluation can be run. QVEC: qvec-sup"),
        (("probe", "notarget.toml"), 2, "has no target"),
    ],
)
def test_an_error_is_one_line(call, mine, arguments, code, sentence):
    (mine / "notarget.toml").write_text('rules = "S -> a b"', "utf-8")

    ended = call(*arguments, code=code)

    assert sentence in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_an_interrupt_exits_with_130_and_the_same_command_continues(call, folder):
    arguments = ["reproduce", "s0", "--criterion", "nonconflation", "--model", "skip"]
    arguments += ["--trials", "9000", "--sentences", "2000"]
    process = subprocess.Popen(
        [sys.executable, "-m", "lexiscope", *arguments],
        cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    store = folder / "lexiscope.sqlite"
    deadline = time.monotonic() + 60
    while process.poll() is None and not (store.exists() and store.stat().st_size > 150_000):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    _, message = process.communicate(timeout=60)

    assert process.returncode == 130
    assert "Run the same command again to continue from the finished work." in message
