"""Ctrl-C once ends a command in order; twice ends it at once, with its workers."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.evaluation.test_backends import still_there
from tests.evaluation.test_interrupted_runs import alive, descendants, finished_cells
from tests.evaluation.toys import HEAD

ROOT = Path(__file__).parents[2]
TASK = (
    HEAD
    + '''@dataclass(frozen=True)
class Slow(Task):
    """A short evaluation on one dataset, an endless one on the other."""
    dataset = WordPairs
    metric = spearman
    def predict(self, embedding, items, rng):
        time.sleep(0.1 if items.name.startswith("short") else 120)
        return Predictions(rng.normal(size=len(items)), items.rating)
'''
)


@pytest.fixture
def started(tmp_path):
    """A run in a process of its own, with a finished cell and two that never end."""
    (tmp_path / "slow.py").write_text(TASK)
    for name, number in (("a", 1), ("b", 2)):
        (tmp_path / f"{name}.vec").write_text(f"3 2\ncat 1 0\ndog 0 1\nsun {number} 1\n")
    for name, rating in (("short", 5), ("long", 6)):
        (tmp_path / f"{name}.tsv").write_text(f"cat\tdog\t9\ncat\tsun\t1\ndog\tsun\t{rating}\n")
    running = []

    def start(backend):
        command = [
            sys.executable, "-m", "lexiscope", "run", "a.vec", "b.vec", "--task", "slow.py",
            "--dataset", "short.tsv", "--dataset", "long.tsv", "--store", "s.sqlite",
            "--jobs", "2", "--backend", backend,
        ]  # fmt: skip
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
        running.append(
            subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE)
        )
        deadline = time.monotonic() + 40
        while finished_cells(tmp_path / "s.sqlite") < 2:
            assert running[0].poll() is None, running[0].stderr.read().decode()
            assert time.monotonic() < deadline
            time.sleep(0.02)
        return running[0]

    yield start
    for process in running:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("backend", ["processes", "dask"])
@pytest.mark.parametrize("interrupts", [1, 2])
def test_a_run_ends_with_its_workers(started, tmp_path, backend, interrupts):
    process = started(backend)
    family = {process.pid, *descendants(process.pid)}
    begun = time.monotonic()

    for _ in range(interrupts):
        process.send_signal(signal.SIGINT)
        time.sleep(0.05)
    message = process.communicate(timeout=30)[1].decode()

    assert process.returncode in (130, -signal.SIGINT)  # a shell reports both as 130
    assert time.monotonic() - begun < (5 if interrupts == 2 else 20)
    assert "Traceback" not in message
    assert "lexiscope: " in message
    assert not still_there(lambda: alive(family))
    with closing(sqlite3.connect(tmp_path / "s.sqlite")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        counts = [
            database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("cell", "prediction")
        ]
    assert counts == [2, 6]
