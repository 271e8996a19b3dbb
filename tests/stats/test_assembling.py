"""A limit of memory is kept, changes no byte of the counts, and is explained when too small."""

import errno
import os
import subprocess
import sys

import numpy as np
import pytest
from numpy.random import default_rng

from lexiscope.core.errors import BadUsage
from lexiscope.stats import assembling, runs
from lexiscope.stats.assembling import room_in
from lexiscope.stats.cooccurrence import Contexts, cooccurrences
from tests.stats.counted import same_bytes, text, zipf

CONTEXTS = Contexts(4, "harmonic", dynamic=True, subsample=1e-2)


def counted(given, limit, monkeypatch):
    monkeypatch.setenv("LEXISCOPE_MEMORY", limit)
    return cooccurrences(given, CONTEXTS, default_rng(1))


def test_runs_are_merged_a_few_at_a_time_when_there_are_many(monkeypatch):
    given = zipf(50, 250_000)
    whole = counted(given, "1G", monkeypatch)
    monkeypatch.setattr(assembling, "_MOST_RUNS", 2)

    assert same_bytes(counted(given, "3M", monkeypatch), whole)


def test_a_matrix_beyond_the_limit_is_mapped_and_can_be_used(monkeypatch):
    given = zipf(1_000, 150_000)
    whole = counted(given, "1G", monkeypatch)
    monkeypatch.setattr(runs, "_in_memory", None)

    mapped = counted(given, "4M", monkeypatch)

    assert same_bytes(mapped, whole)
    mapped.data *= 2
    assert (mapped @ np.ones(1_000)).tolist() == (whole @ np.full(1_000, 2.0)).tolist()


@pytest.mark.parametrize("limit", ["1G", "4M"])
def test_more_entries_than_32_bits_can_number_get_64(limit, monkeypatch):
    given = zipf(1_000, 150_000)
    whole = counted(given, "1G", monkeypatch)
    monkeypatch.setattr(runs, "_LARGEST", 1_000)
    kinds = []
    monkeypatch.setattr(runs, "_csr", lambda data, columns, bounds, words: kinds.append(
        (columns.dtype, bounds.dtype)) or (columns.tolist(), bounds.tolist()))  # fmt: skip

    columns, bounds = counted(given, limit, monkeypatch)

    assert kinds == [(np.int64, np.int64)]
    assert columns == whole.indices.tolist()
    assert bounds == whole.indptr.tolist()


def test_fewer_threads_are_used_rather_than_too_much_memory():
    assert room_in(1 << 30, 10_000, 10**6, 8).threads == 8
    assert room_in(8 << 20, 10_000, 10**6, 8).threads < 8


@pytest.mark.parametrize("words", [1, 1_000, 400_000])
def test_the_limit_that_the_error_asks_for_is_enough(words):
    with pytest.raises(BadUsage, match="LEXISCOPE_MEMORY to") as refused:
        room_in(1 << 20, words, 10**9, 4)

    asked = int(str(refused.value).rpartition(" to ")[2].split("M")[0])
    assert room_in(asked << 20, words, 10**9, 4).threads >= 1


def test_a_sentence_that_does_not_fit_is_named(monkeypatch):
    with pytest.raises(BadUsage, match=r"a sentence of 200,000 words takes 18M.*limit is 8\.0M"):
        counted(text([[0], [0] * 200_000], 1), "8M", monkeypatch)


def test_a_full_disk_is_explained(monkeypatch):
    class Full:
        def __init__(self):
            self.closed = False

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def write(self, _):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(runs.tempfile, "TemporaryFile", Full)

    with pytest.raises(BadUsage, match=r"No space left on device\): set TMPDIR"):
        counted(zipf(1_000, 150_000), "4M", monkeypatch)


MEASURED = """
import ctypes, os, sys, threading
from numpy.random import default_rng
from lexiscope.stats.cooccurrence import Contexts, cooccurrences
from tests.stats.counted import zipf

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

def count(given, limit):
    os.environ["LEXISCOPE_MEMORY"] = limit
    return cooccurrences(given, eval(f"Contexts({sys.argv[2]})"), default_rng(0))

for limit in ("3M", "1G"):
    count(zipf(50, 50_000), limit)  # loads the kernels and scipy
given = zipf(3_000, 500_000)
ctypes.CDLL(None).malloc_trim(0)
before, peak, done = resident(), [0], threading.Event()

def watch():
    while not done.wait(0.0005):
        peak[0] = max(peak[0], resident())

watcher = threading.Thread(target=watch)
watcher.start()
found = count(given, sys.argv[1])
done.set()
watcher.join()
print(peak[0] - before, found.nnz * 12)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize(
    ("megabytes", "settings"), [(4, "5"), (8, "5, dynamic=True, subsample=0.02, delete=True")]
)
def test_the_peak_stays_below_the_limit(megabytes, settings):
    ended = subprocess.run(
        [sys.executable, "-c", MEASURED, f"{megabytes}M", settings],
        capture_output=True,
        text=True,
        check=True,
    )

    peak, size = map(int, ended.stdout.split())
    assert size > megabytes << 20
    assert peak < megabytes << 20
