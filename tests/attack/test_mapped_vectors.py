"""Workers of `--jobs` map native files: they are copied neither to a disk nor into memory."""

from pathlib import Path

import numpy as np
import pytest

import lexiscope
from lexiscope.core.policy import Policy
from lexiscope.core.vocabulary import PackedWords
from lexiscope.data.vectors import mapped_file
from lexiscope.data.vectors.mapped_file import mapped_from
from lexiscope.evaluation import dispatch
from lexiscope.evaluation.backends import processes
from tests.builders import seeded, synthetic_pairs, synthetic_words

WORDS = synthetic_words(40_000)


@pytest.fixture
def path(tmp_path):
    vectors = seeded("v", [f"{word}é" if k % 9 else word for k, word in enumerate(WORDS)], 1, 256)
    return lexiscope.save(vectors, tmp_path / "v.safetensors")


@pytest.mark.parametrize("limit", [None, 1, 30_000, 40_000])
def test_the_file_of_the_first_words_is_found(path, limit):
    found = lexiscope.load(path, limit=limit)

    assert isinstance(found.words, PackedWords)
    assert mapped_from(found) == str(path)
    assert list(found.words) == list(lexiscope.load(path).words)[:limit]


@pytest.mark.parametrize("limit", [None, 5000])
@pytest.mark.parametrize("policy", [Policy(), Policy(limit=4000)])
def test_no_copy_is_written(path, monkeypatch, limit, policy):
    def never(*_):
        raise AssertionError("a copy of the vectors")

    monkeypatch.setattr(mapped_file, "save", never)
    vectors = [lexiscope.load(path, limit=limit).named(name) for name in "ab"]
    found = [
        lexiscope.run(
            vectors, "similarity", synthetic_pairs(20, 30), policy=policy,
            execution=lexiscope.Execution(backend=backend, n_jobs=2),
        )
        for backend in ("serial", "processes")
    ]  # fmt: skip

    assert not found[1].failures
    assert [r.value for r in found[0].results] == [r.value for r in found[1].results]


def _private_growth(job):
    """How much private memory a worker needs to read every vector of a job, in bytes."""
    # Libraries and kernels are loaded by a few words.
    dispatch._aligned_file(job.embedding_file, 10, "few", Policy(), None)
    before = _private()
    aligned = dispatch._aligned_file(
        job.embedding_file, job.embedding_words, "v", Policy(), None
    ).embedding
    assert np.isfinite(np.asarray(aligned.vectors).sum())
    return _private() - before


def _private():
    (row,) = (row for row in Path("/proc/self/status").read_text().splitlines() if "RssAnon" in row)
    return int(row.split()[1]) << 10


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
@pytest.mark.parametrize("limit", [None, 30_000])
def test_vectors_are_in_the_memory_of_no_worker(path, tmp_path, limit):
    embedding = lexiscope.load(path, limit=limit)
    file = mapped_file.file_with(embedding, tmp_path / "0.safetensors")
    job = dispatch.Job(None, embedding_file=file, embedding_words=len(embedding))

    grown = dict(processes(_private_growth, [job, job], 2))

    assert embedding.vectors.nbytes > 30e6
    assert max(grown.values()) < embedding.vectors.nbytes / 2
