"""Every command fits a terminal of 80 columns, and cuts nothing off."""

import os
import re

import numpy as np
import pytest

import lexiscope
from lexiscope.cli import commands
from lexiscope.core.contracts.registry import names
from lexiscope.core.embedding import embedding
from tests.cli.conftest import WORDS

_LONG = "word2vec-text-window-5-dimension-300-negative-10"
_RUN = ("run", "*.vec", "--dataset", "pairs.tsv", "--dataset", "more.tsv", "--quiet")
# Before a command, what it needs; names of files are replaced.
_COMMANDS = {
    "run": [("run", "*.vec", "--dataset", "pairs.tsv")],
    "run, brief": [("run", "*.vec", "--dataset", "pairs.tsv", "--brief")],
    "report": [_RUN, ("report", "--list")],
    "correlate": [_RUN, ("correlate",)],
    "check": [
        ("check", "first.vec", "--save", "base.json", "--dataset", "pairs.tsv", "--quiet"),
        ("check", f"{_LONG}.vec", "--baseline", "base.json"),
    ],
    "dimensions": [("dimensions", "first.vec", "--dataset", "properties.csv")],
    "neighbours": [("neighbours", f"{_LONG}.vec", "cat", "dog")],
    "tasks": [("tasks",)],
    "tasks similarity": [("tasks", "similarity")],
    "tasks categorization": [("tasks", "categorization")],
    "trainers": [("trainers",)],
    "trainers svd": [("trainers", "svd")],
    "trainers skipgram": [("trainers", "skipgram")],
    "grammar list": [("grammar", "list")],
    "grammar check": [("grammar", "check", "unified")],
    "data list": [("data", "list")],
    "data list, French": [("data", "list", "--language", "fr")],
    "data verify": [("data", "verify")],
    "doctor": [("doctor",)],
    **{f"{name} --help": [(name, "--help")] for name in names(commands)},
}


@pytest.fixture
def files(folder):
    """The folder of the command line, with a long name and six more embeddings."""
    rng = np.random.default_rng(6)
    for name in (_LONG, *(f"{_LONG}-{n}" for n in range(6))):
        lexiscope.save(embedding(name, WORDS, rng.normal(size=(12, 5))), folder / f"{name}.vec")
    pairs = (folder / "pairs.tsv").read_text()
    (folder / "more.tsv").write_text(pairs + "king\tqueen\t8\nman\twoman\t7\n")
    rows = [f"{word},{n % 3},{n % 2}" for n, word in enumerate(WORDS)]
    (folder / "properties.csv").write_text("\n".join(["word,animal,food", *rows]))
    return folder


@pytest.mark.parametrize("steps", _COMMANDS.values(), ids=_COMMANDS)
def test_every_line_has_at_most_80_characters(steps, files, call):
    vectors = sorted(path.name for path in files.glob("*.vec"))
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1"}
    for step in steps:
        given = [part for name in step for part in (vectors if name == "*.vec" else [name])]
        ended = call(*given, env=environment, code=pytest.approx(0.5, abs=0.5))

    # An address or a path is not broken, and a line that has only one may be longer.
    lines = [line for line in ended.stdout.splitlines() if len(line.split()) > 2]
    assert [line for line in lines if len(line) > 80] == []
    assert "…" not in ended.stdout
    summaries = ended.stdout.partition("Commands:")[2]  # click cuts long ones
    assert not re.search(r"\.\.\.$", summaries, re.MULTILINE)
