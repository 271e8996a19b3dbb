import json
from pathlib import Path

import pytest


def test_json_is_one_document_with_an_interval_for_each_score(call):
    ended = call("run", "first.vec", "second.vec", "--dataset", "pairs.tsv", "--json")

    found = json.loads(ended.stdout)
    score = next(r for r in found["results"] if r["metric"] == "spearman")
    assert {"embedding", "task", "dataset", "value", "low", "high", "used", "total", "settings",
            "seed"} <= set(score)  # fmt: skip
    assert score["low"] <= score["value"] <= score["high"]
    assert (score["used"], score["total"]) == (6, 6)
    assert found["comparisons"][0]["items"] == 6


def test_the_same_command_gives_the_same_document(call):
    command = ("run", "first.vec", "second.vec", "--dataset", "pairs.tsv", "--json", "--force")

    assert call(*command).stdout == call(*command).stdout


def test_the_table_goes_to_stdout_and_nothing_else(call):
    ended = call("run", "first.vec", "--dataset", "pairs.tsv", "--report", "report.html")

    assert "similarity, pairs, spearman" in ended.stdout
    assert "6/6" in ended.stdout
    assert "\x1b" not in ended.stdout
    assert "report.html" in ended.stderr


def test_a_repeated_setting_runs_the_task_with_each_value(call, folder):
    (folder / "questions.txt").write_text(
        ": plural\ncat cats dog dogs\ndog dogs cat cats\n", "utf-8"
    )

    ended = call("run", "first.vec", "--task", "analogy", "--dataset", "questions.txt", "--json",
                 "--set", "analogy.solver=3CosAdd", "--set", "analogy.solver=3CosMul")  # fmt: skip

    solvers = {r["settings"]["solver"] for r in json.loads(ended.stdout)["results"]}
    assert solvers == {"3CosAdd", "3CosMul"}


def test_limit_uses_the_first_words_only(call):
    ended = call("run", "first.vec", "--dataset", "pairs.tsv", "--limit", "4", "--json")

    found = json.loads(ended.stdout)
    assert found["results"][0]["used"] == 3
    assert found["coverage"][0]["missing"] == ["cup", "tea"]


def test_a_run_without_any_score_ends_with_code_1(call, folder):
    (folder / "unknown.tsv").write_text("zyx\txyz\t1\nyzx\tzxy\t2\n", "utf-8")

    alone = call("run", "first.vec", "--dataset", "unknown.tsv", "--json", code=1)
    call("run", "first.vec", "--dataset", "unknown.tsv", "--dataset", "pairs.tsv")

    (score,) = (r for r in json.loads(alone.stdout)["results"] if r["metric"] == "spearman")
    assert (score["value"], score["state"]) == (None, "no item is covered")


def test_a_named_task_without_a_dataset_ends_with_code_1(call):
    ended = call("run", "first.vec", "--task", "similarity", "--task", "metaphor",
                 "--dataset", "pairs.tsv", code=1)  # fmt: skip

    assert "similarity, pairs, spearman" in ended.stdout
    assert "metaphor was not run" in ended.stdout + ended.stderr


def test_a_task_may_be_a_python_file(call, folder):
    from tests.evaluation import outside

    source = Path(outside.__file__).read_text("utf-8")
    source = source.partition("@dataclass(frozen=True)\nclass CosineOfWords")[0]
    (folder / "mine.py").write_text(source, "utf-8")

    ended = call("run", "first.vec", "second.vec", "--task", "mine.py", "--set", "outside.power=1",
                 "--dataset", "pairs.tsv", "--jobs", "2", "--json")  # fmt: skip

    found = json.loads(ended.stdout)
    assert {r["variant"] for r in found["results"]} == {"outside (power=1.0)"}
    assert found["comparisons"][0]["difference"] is not None


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["run", "absent.vec", "--dataset", "pairs.tsv"], 3, "absent.vec: there is no such file"),
        (["run", "pairs.tsv", "--dataset", "absent.tsv"], 3, "absent.tsv: there is no such file"),
        (["run", "first.vec", "--dataset", "men"], 3, "lexiscope data get men"),
        (["run", "first.vec"], 3, "lexiscope data get similarity analogy"),
        (["run", "glove-6b-50d", "--dataset", "pairs.tsv"], 3, "lexiscope data get glove-6b-50d"),
        (["run", "first.vec", "--dataset", "menn"], 2, "Did you mean 'men'?"),
        (["run", "first.vec", "--task", "similarty"], 2, "Did you mean 'similarity'?"),
        (["run", "first.vec", "--dataset", "pairs.tsv", "--set", "similarity=1"], 2, "TASK.FIELD"),
        (["run", "first.vec", "--dataset", "pairs.tsv", "--set", "analogy.solver=no"], 2, "solver"),
        (["run", "first.vec@upside", "--dataset", "pairs.tsv"], 2, "After @ write centred"),
        (["run", "first.vec", "--dataset", "first.vec"], 3, "first.vec"),
        (["run", "first.vec", "--store", "pairs.tsv", "--dataset", "pairs.tsv"], 3, "store"),
        (["run"], 2, "VECTORS"),
        (["run", "first.vec", "--no-such-option"], 2, "no-such-option"),
        (["rum"], 2, "Did you mean 'run'?"),
        (["report"], 3, "there is no such store"),
        (["data", "get", "men"], 3, "LEXISCOPE_OFFLINE"),
        (["data", "get", "mem"], 2, "Did you mean 'men'?"),
        (["data", "where", "men"], 3, "lexiscope data get men"),
        (["neighbours", "first.vec", "unicorn"], 3, "'unicorn' is not in the vocabulary of first"),
        (["convert", "first.vec", "out.doc"], 2, "the ending must select a format"),
        (["tasks", "similarty"], 2, "Did you mean 'similarity'?"),
    ],
)  # fmt: skip
def test_an_error_has_a_message_and_an_exit_code(call, arguments, code, sentence):
    ended = call(*arguments, code=code)

    assert sentence in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""


def test_debug_shows_the_traceback(call):
    ended = call("--debug", "run", "absent.vec", "--dataset", "pairs.tsv", code=1)

    assert "Traceback" in ended.stderr


def test_control_characters_in_words_are_escaped(call, folder):
    (folder / "evil.vec").write_text("2 2\n\x9b31mred 1 0\n[/red]\u202ex 0 1\n", "utf-8")
    (folder / "evil.tsv").write_text("[bold]a\tb\t1\n\x9b31mred\t[/red]\u202ex\t2\n", "utf-8")

    ended = call("run", "evil.vec", "--dataset", "evil.tsv", code=1)  # one pair: no score

    assert "\x9b" not in ended.stdout + ended.stderr
    assert "\u202e" not in ended.stdout + ended.stderr


def test_a_closed_pipe_ends_the_command_quietly(folder):
    import subprocess
    import sys

    command = f"{sys.executable} -m lexiscope run first.vec --dataset pairs.tsv --json | head -1"
    ended = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False
    )

    assert ended.stdout == "{\n"
    assert "Traceback" not in ended.stderr
    assert "Broken" not in ended.stderr


def test_an_interrupt_ends_with_130_and_leaves_a_valid_store(folder):
    import os
    import signal
    import sqlite3
    import subprocess
    import sys
    import time

    code = """
import signal, sys, time
from lexiscope.cli.main import main
from lexiscope.tasks.similarity import Similarity

signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it

def slow(*arguments):
    print("predicting", file=sys.stderr, flush=True)
    time.sleep(20)

Similarity.predict = slow
main(["run", "first.vec", "--task", "similarity", "--dataset", "pairs.tsv"])
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stderr=subprocess.PIPE, text=True, cwd=folder
    )
    assert process.stderr.readline() == "predicting\n"
    begun = time.monotonic()
    os.kill(process.pid, signal.SIGINT)

    assert process.wait(10) == 130
    assert time.monotonic() - begun < 3
    assert "continue from the finished work" in process.stderr.read()
    process.stderr.close()
    database = sqlite3.connect(folder / "lexiscope.sqlite")
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()
