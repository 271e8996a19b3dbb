"""Files that another program truncates while they are mapped end a command with one sentence."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import lexiscope
from lexiscope.core.errors import BadData
from lexiscope.evaluation.backends import processes
from tests.builders import seeded

ROOT = Path(lexiscope.__file__).parents[1]
TASK = '''
import os
from dataclasses import dataclass
from lexiscope import Predictions, Task, WordPairs
from lexiscope.metrics.correlation import spearman

@dataclass(frozen=True)
class Truncating(Task):
    """Truncates the vector file, then reads it."""
    dataset = WordPairs
    metric = spearman
    def predict(self, embedding, items, rng):
        os.truncate(os.environ["VICTIM"], 4096)
        return Predictions([float(embedding.vectors.sum())] * len(items), items.rating)
'''
WORDS = [f"w{k}" for k in range(20_000)]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "truncating.py").write_text(TASK)
    rows = "".join(f"w{k}\tw{k + 1}\t{k % 7}\n" for k in range(20))
    (tmp_path / "pairs.tsv").write_text(rows)
    return tmp_path


def run(folder, name, *options):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "VICTIM": str(folder / name)}
    environment.pop("PYTHONFAULTHANDLER", None)
    return subprocess.run(
        [sys.executable, "-m", "lexiscope", "run", name, "--task", "truncating.py", "--dataset",
         "pairs.tsv", "--store", "s.sqlite", *options],
        cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="no bus errors elsewhere")
@pytest.mark.parametrize(
    ("ending", "options"), [(".safetensors", ()), (".npy", ()), (".safetensors", ("--jobs", "2"))]
)
def test_a_truncated_file_is_one_sentence(folder, ending, options):
    name = f"v{ending}"
    lexiscope.save(seeded("v", WORDS, 1, 64), folder / name)

    found = run(folder, name, *options)

    assert found.returncode == 3, found
    assert found.stderr.count("was truncated or could not be read while") == 1, found.stderr
    assert found.stderr.strip().splitlines()[-1].startswith("lexiscope: A ")
    assert "Traceback" not in found.stderr


def _read_truncated(path):
    values = np.memmap(path, np.uint8, "r")
    os.truncate(path, 0)
    return int(values.sum())


@pytest.mark.skipif(os.name != "posix", reason="no bus errors elsewhere")
def test_a_bus_error_of_a_worker_is_reported_as_one(tmp_path):
    (tmp_path / "v").write_bytes(bytes(1 << 20))

    with pytest.raises(BadData, match="A vector file was truncated"):
        list(processes(_read_truncated, [str(tmp_path / "v")], 2))
