"""Every backend is a map: the same cells, the same results."""

import os
import time
from pathlib import Path

import pytest
from scipy.sparse import csr_array

import lexiscope
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadData, LexiscopeError
from lexiscope.core.execution import Execution
from lexiscope.core.policy import Policy
from lexiscope.evaluation import backends, dispatch
from lexiscope.store.store import Store
from tests.builders import seeded, synthetic_analogies, synthetic_pairs, synthetic_words
from tests.sparse import sparse_table

WORDS = synthetic_words(120)
EMBEDDINGS = [seeded("a", WORDS, 1), seeded("b", WORDS[:100], 2)]
DATASETS = [synthetic_pairs(80, 125), synthetic_analogies(60, 120)]


def document(backend, store=":memory:", **options):
    execution = Execution(store, backend, 2)
    results = lexiscope.run(EMBEDDINGS, datasets=DATASETS, execution=execution, **options)
    assert results.manifest["backend"] == backend
    whole = results.to_dict()
    return {key: whole[key] for key in ("results", "comparisons", "coverage", "failures")}


def children():
    """The process ids that have this process as parent."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == os.getpid() and fields[0] != "Z":
            found.add(int(path.parent.name))
    return found


def test_processes_give_the_results_of_serial_and_leave_no_files(tmp_path, monkeypatch):
    monkeypatch.setattr(dispatch.tempfile, "tempdir", str(tmp_path))

    assert document("processes", policy=Policy("shared")) == document(
        "serial", policy=Policy("shared")
    )
    assert list(tmp_path.iterdir()) == []


def test_sparse_vectors_stay_sparse_in_other_processes():
    rows = csr_array(sparse_table(120, empty=[3]))
    found = [
        lexiscope.run(
            [embedding("ppmi", WORDS, rows), EMBEDDINGS[1]],
            datasets=DATASETS,
            policy=Policy("shared", oov="mean"),
            execution=Execution(backend=backend, n_jobs=2),
        ).to_dict()
        for backend in ("serial", "processes")
    ]

    assert not found[0]["failures"]
    for part in ("results", "comparisons", "coverage", "failures"):
        assert found[0][part] == found[1][part]


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
def test_dask_gives_the_results_of_serial():
    assert document("dask") == document("serial")


def test_serial_is_lazy_and_in_order():
    calls = []
    results = backends.serial(lambda item: calls.append(item) or item * 2, [1, 2, 3], 1)

    assert next(results) == (0, 2)
    assert calls == [1]
    assert list(results) == [(1, 4), (2, 6)]


def test_a_finished_run_starts_no_worker_and_writes_no_file(tmp_path, monkeypatch):
    document("processes", store=tmp_path / "s.sqlite")
    monkeypatch.setitem(backends.BACKENDS, "processes", never)
    monkeypatch.setattr(dispatch.tempfile, "TemporaryDirectory", never)

    document("processes", store=tmp_path / "s.sqlite")


def never(*_, **__):
    raise AssertionError("nothing was left to do")


def test_a_full_disk_ends_the_workers(tmp_path, monkeypatch):
    def full(*_):
        raise BadData("the disk is full")

    monkeypatch.setattr(Store, "add", full)
    before = children()

    with pytest.raises(BadData, match="disk is full"):
        document("processes", store=tmp_path / "s.sqlite")

    assert not still_there(lambda: children() - before)


def still_there(processes, seconds=10):
    """Those of the processes that do not end by themselves; Python's own tracker may stay."""
    deadline = time.monotonic() + seconds
    while left := {pid for pid in processes() if "resource_tracker" not in command(pid)}:
        if time.monotonic() > deadline:
            break
        time.sleep(0.05)
    return left


def command(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return "resource_tracker"


def test_a_killed_worker_ends_the_run_with_an_error():
    with pytest.raises(LexiscopeError, match=r"A worker process was killed.*fewer jobs"):
        list(backends.processes(os._exit, [9, 9], 2))


def test_workers_divide_the_threads_among_them(monkeypatch):
    monkeypatch.setenv("LEXISCOPE_THREADS", "4")

    reported = dict(backends.processes(os.getenv, ["LEXISCOPE_THREADS", "OMP_NUM_THREADS"], 2))

    assert reported == {0: "2", 1: "2"}
