"""A run on many words gives the same numbers, and its memory does not grow with the matrix."""

import numpy as np
import pytest
from benchmarks.memory import dataset, peak, write

import lexiscope
from lexiscope.core import packed_words, vectors, vocabulary
from lexiscope.core.embedding import Embedding
from lexiscope.core.policy import Policy
from lexiscope.core.vocabulary import Vocabulary

POLICIES = [
    Policy(), Policy(oov="mean"), Policy("shared"), Policy(case="exact"), Policy(digits="zero"),
    Policy(limit=40),
]  # fmt: skip
NAMES = [f"W{k - 1}" if k % 7 == 6 else f"w{k}" for k in range(60)]


def embeddings(folder):
    """Words with case variants and zero vectors, with and without counts, mapped from files."""
    rng = np.random.default_rng(0)
    for name, counts in (("a", None), ("b", np.arange(60, 0, -1))):
        table = rng.normal(size=(60, 5)).astype(np.float32)
        table[[3, 11]] = 0
        lexiscope.save(Embedding(name, Vocabulary(tuple(NAMES)), table, counts),
                       folder / f"{name}.safetensors")  # fmt: skip
    return [folder / "a.safetensors", folder / "b.safetensors"]


def pairs():
    rng = np.random.default_rng(1)
    left, right = rng.integers(0, 64, (2, 50)).tolist()
    words = ([f"w{k}" for k in column] for column in (left, right))
    return lexiscope.WordPairs(
        "pairs", *(np.array(each, object) for each in words), rng.integers(0, 9, 50).astype(float)
    )


@pytest.mark.parametrize("policy", POLICIES, ids=str)
def test_large_vocabularies_give_the_results_of_small_ones(tmp_path, monkeypatch, policy):
    files = embeddings(tmp_path)
    small = lexiscope.run(files, "similarity", pairs(), policy=policy).to_dict()
    monkeypatch.setattr(packed_words, "LARGE", 5)
    monkeypatch.setattr(vocabulary, "LARGE", 5)
    monkeypatch.setattr(packed_words, "_CHUNK", 7)
    monkeypatch.setattr(vectors, "_MOST_IN_MEMORY", 100)
    monkeypatch.setattr(vectors, "_ROWS_AT_ONCE", 7)

    large = lexiscope.run(files, "similarity", pairs(), policy=policy).to_dict()

    for part in ("results", "comparisons", "coverage", "failures"):
        assert large[part] == small[part]


def test_memory_does_not_grow_with_the_dimension(tmp_path, monkeypatch):
    """Two zero-free copies of the larger table would take 150 MB."""
    monkeypatch.setenv("LEXISCOPE_MEMORY", "32M")
    peaks = []
    for dimension in (10, 300):
        write(tmp_path / "many.safetensors", 64_000, dimension)
        anonymous, _, _, printed = peak(tmp_path / "many.safetensors", 64_000, "mean")
        assert printed.startswith("[(1000")
        peaks.append(anonymous)

    assert peaks[1] - peaks[0] < 40


def test_the_file_of_the_measurement_has_variants_and_a_zero_vector(tmp_path):
    write(tmp_path / "many.safetensors", 1_000, 3)

    found = lexiscope.load(tmp_path / "many.safetensors")

    assert found.words[98:101] == ("w000000098", "W000000098", "w000000100")
    assert not found.vectors[0].any()
    assert found.vectors[1:].any(axis=1).all()
    assert len(dataset(1_000)) == 1_000
