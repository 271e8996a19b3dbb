import os
import subprocess
import sys

import numpy as np
import pytest

import lexiscope
from lexiscope.core.embedding import embedding

WORDS = ["cat", "dog", "sun", "moon", "cup", "tea", "cats", "dogs", "king", "queen", "man", "woman"]
PAIRS = "cat\tdog\t9\nsun\tmoon\t7.5\ncup\ttea\t6\ncat\ttea\t2\ndog\tmoon\t1.5\nsun\tcup\t1\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with two vector files and a dataset, and an empty cache."""
    rng = np.random.default_rng(5)
    for name in ("first", "second"):
        lexiscope.save(embedding(name, WORDS, rng.normal(size=(12, 5))), tmp_path / f"{name}.vec")
    (tmp_path / "pairs.tsv").write_text(PAIRS, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("LEXISCOPE_OFFLINE", "1")
    monkeypatch.delenv("LEXISCOPE_DATA_DIR", raising=False)
    return tmp_path


@pytest.fixture
def call(folder):
    """Run the command line as a person does, in a process of its own."""

    def run(*arguments, code=0, **more):
        # The module readline sets COLUMNS, also for the children of this process.
        environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        ended = subprocess.run(
            [sys.executable, "-m", "lexiscope", *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
            **{"cwd": folder, "env": environment, **more},
        )
        assert ended.returncode == code, ended.stderr + ended.stdout
        return ended

    return run
