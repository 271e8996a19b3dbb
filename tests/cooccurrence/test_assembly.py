"""A memory limit is respected, changes no byte of the counts, and is explained if too small."""

import errno
import os
import subprocess
import sys

import numpy as np
import pytest
from numpy.random import default_rng

from lexiscope.cooccurrence import assembly, spill
from lexiscope.cooccurrence.assembly import plan_memory
from lexiscope.cooccurrence.contexts import Contexts, cooccurrences
from lexiscope.core.errors import BadUsage
from tests.cooccurrence.reference_counts import corpus_of, same_bytes, zipf

CONTEXTS = Contexts(4, "harmonic", dynamic_window=True, subsample=1e-2)


def count_within(corpus, limit, monkeypatch):
    monkeypatch.setenv("LEXISCOPE_MEMORY", limit)
    return cooccurrences(corpus, CONTEXTS, default_rng(1))


def test_many_runs_are_merged_a_few_at_a_time(monkeypatch):
    corpus = zipf(50, 250_000)
    expected = count_within(corpus, "1G", monkeypatch)
    monkeypatch.setattr(assembly, "_MAX_RUNS", 2)

    assert same_bytes(count_within(corpus, "3M", monkeypatch), expected)


def test_a_matrix_beyond_the_limit_is_memory_mapped_and_usable(monkeypatch):
    corpus = zipf(1_000, 150_000)
    expected = count_within(corpus, "1G", monkeypatch)
    monkeypatch.setattr(spill, "_in_memory", None)

    mapped = count_within(corpus, "4M", monkeypatch)

    assert same_bytes(mapped, expected)
    mapped.data *= 2
    assert (mapped @ np.ones(1_000)).tolist() == (expected @ np.full(1_000, 2.0)).tolist()


@pytest.mark.parametrize("limit", ["1G", "4M"])
def test_indices_have_64_bits_if_32_are_too_few(limit, monkeypatch):
    corpus = zipf(1_000, 150_000)
    expected = count_within(corpus, "1G", monkeypatch)
    monkeypatch.setattr(spill, "_MAX_INT32", 1_000)
    dtypes = []
    monkeypatch.setattr(spill, "_csr", lambda data, columns, bounds, words: dtypes.append(
        (columns.dtype, bounds.dtype)) or (columns.tolist(), bounds.tolist()))  # fmt: skip

    columns, bounds = count_within(corpus, limit, monkeypatch)

    assert dtypes == [(np.int64, np.int64)]
    assert columns == expected.indices.tolist()
    assert bounds == expected.indptr.tolist()


def test_fewer_threads_are_used_if_memory_is_short():
    assert plan_memory(1 << 30, 10_000, 10**6, 8).threads == 8
    assert plan_memory(8 << 20, 10_000, 10**6, 8).threads < 8


@pytest.mark.parametrize("words", [1, 1_000, 400_000])
def test_the_limit_that_the_error_suggests_is_enough(words):
    with pytest.raises(BadUsage, match="LEXISCOPE_MEMORY to") as error:
        plan_memory(1 << 20, words, 10**9, 4)

    suggested = int(str(error.value).rpartition(" to ")[2].split("M")[0])
    assert plan_memory(suggested << 20, words, 10**9, 4).threads >= 1


def test_a_sentence_that_exceeds_the_limit_is_an_error(monkeypatch):
    with pytest.raises(BadUsage, match=r"a sentence of 200,000 words takes 18M.*limit is 8\.0M"):
        count_within(corpus_of([[0], [0] * 200_000], 1), "8M", monkeypatch)


def test_a_full_disk_is_explained(monkeypatch):
    class FullDisk:
        def __init__(self):
            self.closed = False

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def write(self, _):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(spill.tempfile, "TemporaryFile", FullDisk)

    with pytest.raises(BadUsage, match=r"No space left on device\): set TMPDIR"):
        count_within(zipf(1_000, 150_000), "4M", monkeypatch)


MEASUREMENT = """
import ctypes, os, sys, threading
from numpy.random import default_rng
from lexiscope.cooccurrence.contexts import Contexts, cooccurrences
from tests.cooccurrence.reference_counts import zipf

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

def count(corpus, limit):
    os.environ["LEXISCOPE_MEMORY"] = limit
    return cooccurrences(corpus, eval(f"Contexts({sys.argv[2]})"), default_rng(0))

for limit in ("3M", "1G"):
    count(zipf(50, 50_000), limit)  # loads the kernels and scipy
corpus = zipf(3_000, 500_000)
ctypes.CDLL(None).malloc_trim(0)
before, peak, done = resident(), [0], threading.Event()

def watch():
    while not done.wait(0.0005):
        peak[0] = max(peak[0], resident())

watcher = threading.Thread(target=watch)
watcher.start()
found = count(corpus, sys.argv[1])
done.set()
watcher.join()
print(peak[0] - before, found.nnz * 12)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize(
    ("megabytes", "settings"),
    [(4, "5"), (8, "5, dynamic_window=True, subsample=0.02, delete=True")],
)
def test_peak_memory_stays_below_the_limit(megabytes, settings):
    process = subprocess.run(
        [sys.executable, "-c", MEASUREMENT, f"{megabytes}M", settings],
        capture_output=True,
        text=True,
        check=True,
    )

    peak, size = map(int, process.stdout.split())
    assert size > megabytes << 20
    assert peak < megabytes << 20
