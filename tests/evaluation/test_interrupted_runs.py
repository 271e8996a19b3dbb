"""A kill at any moment loses nothing, doubles nothing and leaves no process behind."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

import lexiscope
from tests.builders import seeded, synthetic_pairs, synthetic_words
from tests.evaluation.test_backends import still_there
from tests.evaluation.toys import write

ROOT = Path(__file__).parents[2]
WORDS = synthetic_words(60)
DATASETS = 20


def plan():
    return {
        "embeddings": [seeded("a", WORDS, 1), seeded("b", WORDS, 2)],
        "tasks": ["slow", "similarity"],
        "datasets": [synthetic_pairs(30, 60, k, f"d{k}") for k in range(DATASETS)],
        "seed": 7,
    }


SCRIPT = """
import json, sys
from lexiscope import tasks
tasks.__path__.append(sys.argv[1])
if __name__ == "__main__":
    import lexiscope
    from tests.evaluation.test_interrupted_runs import plan
    execution = lexiscope.Execution(sys.argv[2], sys.argv[3], 2)
    results = lexiscope.run(**plan(), execution=execution)
    print(json.dumps(results.to_dict()))
"""


def started(folder, backend, pause="0.15"):
    (folder / "script.py").write_text(SCRIPT)
    return subprocess.Popen(
        [sys.executable, "script.py", str(folder / "toys"), str(folder / "s.sqlite"), backend],
        stdout=subprocess.PIPE,
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]),
            "TOY_PAUSE": pause,
            "TMPDIR": str(folder),  # a killed run leaves its spool there
        },
    )


def finished_cells(store):
    if not store.exists():
        return 0
    # Not read-only: after a kill the first reader rolls the unfinished write back.
    with closing(sqlite3.connect(store)) as database:
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'cell'").fetchone():
            return 0
        return database.execute("SELECT count(*) FROM cell").fetchone()[0]


def kill_when_some_cells_are_done(process, store, cells, rng):
    deadline = time.monotonic() + 60
    while process.poll() is None and finished_cells(store) < cells:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    time.sleep(rng.uniform(0, 0.1))
    family = descendants(process.pid)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return family


def descendants(pid):
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        if parent == pid:
            child = int(path.parent.name)
            found += [child, *descendants(child)]
    return found


def alive(pids):
    """Those that run; a zombie that waits for its parent has ended."""
    running = set()
    for pid in pids:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if state != "Z":
            running.add(pid)
    return running


def check_whole(store):
    with closing(sqlite3.connect(store)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        counts = [
            database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("cell", "prediction", "score", "run", "run_cell")
        ]
    cells = 2 * 2 * DATASETS
    assert counts == [cells, 30 * cells, 2 * DATASETS * 1 + 2 * DATASETS * 2, 1, cells]


@pytest.mark.parametrize("backend", ["serial", "processes"])
def test_a_run_that_is_killed_repeatedly_has_the_same_results(tmp_path, toys, backend):
    write(tmp_path / "toys", "slow")
    rng = random.Random(backend)
    store = tmp_path / "s.sqlite"
    done = 0
    for step in (5, 20):
        process = started(tmp_path, backend)
        family = kill_when_some_cells_are_done(process, store, done + step, rng)
        assert process.returncode == -signal.SIGKILL
        assert not still_there(lambda family=family: alive(family))
        assert finished_cells(store) >= done + step
        done = finished_cells(store)
    assert done < 4 * DATASETS

    last = started(tmp_path, backend, pause="0")
    found = json.loads(last.communicate(timeout=60)[0])

    undisturbed = lexiscope.run(**plan()).to_dict()
    assert last.returncode == 0
    check_whole(store)
    for key in ("results", "comparisons", "coverage", "failures"):
        assert found[key] == json.loads(json.dumps(undisturbed[key]))


def test_two_simultaneous_runs_of_one_plan_have_one_result(tmp_path, toys):
    write(tmp_path / "toys", "slow")
    both = [started(tmp_path, "serial", pause="0.005") for _ in range(2)]
    found = [json.loads(process.communicate(timeout=60)[0]) for process in both]

    assert [process.returncode for process in both] == [0, 0]
    assert found[0]["results"] == found[1]["results"]
    assert found[0]["comparisons"] == found[1]["comparisons"]
    check_whole(tmp_path / "s.sqlite")
