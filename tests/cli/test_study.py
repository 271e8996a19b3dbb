"""lexiscope study and lexiscope reproduce, as a person calls them."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

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
[question]
positive = "cat dog cow hen"
negative = "car bus van jet"
held_out = "hen jet"
"""
FAST = ("--trials", "2", "--sentences", "500", "--set", "epochs=3", "--set", "dimension=8")


@pytest.fixture
def mine(folder):
    (folder / "mine.toml").write_text(MINE, "utf-8")
    return folder


def test_a_grammar_of_ones_own_goes_through_six_models(call, mine):
    ended = call("study", "mine.toml", *FAST, "--report", "r.html", "--markdown", "r.md")

    assert "6 models, 1 question, 2 trials of 500 sentences each, seed 0." in ended.stdout
    assert all(name in ended.stdout for name in ("PPMI", "LBL", "CBOW", "CWIN", "SKIP", "SSKIP"))
    page = (mine / "r.html").read_text("utf-8")
    assert "Animals make sounds, machines move." in page
    assert "hen jet" in page
    assert "| mine | PPMI | 100.0 (" in (mine / "r.md").read_text("utf-8")


def test_the_document_holds_scores_settings_and_fingerprints(call, mine):
    arguments = ("study", "mine.toml", *FAST, "--model", "ppmi", "--model", "skip", "--json", "-")
    document, again = (json.loads(call(*arguments).stdout) for _ in range(2))

    assert document == again
    assert document["format"] == "lexiscope study 1"
    assert {row["model"] for row in document["found"]} == {"PPMI", "SKIP"}
    assert document["models"][1]["settings"]["epochs"] == 3
    assert document["models"][1]["settings"]["subsample"] == 0
    assert len(document["criteria"][0]["sha256"]) == 64
    assert document["probes"][0]["settings"]["cost"] == 1.0


def test_the_paper_stands_beside_what_was_found(call):
    ended = call(
        "reproduce", "S0", "--criterion", "sparseness", "--model", "PPMI", "--model", "CBOW",
        *FAST, "--json", "found.json", "--report", "found.html",
    )  # fmt: skip

    assert "all 20 words negative: 50 %" in ended.stdout
    assert "Verdicts on 2 numbers of the paper:" in ended.stdout


def test_a_curve_is_drawn_over_a_sweep(call, folder):
    ended = call(
        "reproduce", "s0", "--criterion", "ambiguity", "--model", "PPMI", *FAST[:2],
        "--sentences", "3000", "--report", "r.html",
    )  # fmt: skip

    assert "ambiguity, subspace, right answers in %:" in ended.stdout
    page = (folder / "r.html").read_text("utf-8")
    assert "Over the values of a parameter" in page
    assert "share of right answers of each model" in page


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("study", "none.toml"), 2, "No grammar or file named 'none.toml'"),
        (("study", "mine.toml", "--set", "epochs"), 2, "--set takes FIELD=VALUE"),
        (("study", "mine.toml", "--sentences", "3"), 3, "stands in none of the sampled sentences"),
        (("study", "mine.toml", "--set", "negatives=99"), 2, "fewer than the 16 words of the text"),
        (("reproduce", "s1"), 2, "No paper named 's1'"),
        (("reproduce", "s0", "--text", "a.txt"), 2, "--text says nothing about s0"),
        (("reproduce", "s3", "--text", "a.txt"), 2, "Nothing can be asked: qvec"),
        (("study", "asksnothing.toml"), 2, "asks nothing"),
    ],
)
def test_what_is_wrong_is_one_sentence(call, mine, arguments, code, sentence):
    (mine / "asksnothing.toml").write_text('rules = "S -> a b"', "utf-8")

    ended = call(*arguments, code=code)

    assert sentence in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_an_interrupt_ends_with_130_and_the_same_command_goes_on(call, folder):
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
    _, told = process.communicate(timeout=60)

    assert process.returncode == 130
    assert "The same command goes on from what was finished." in told
