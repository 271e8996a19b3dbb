import numpy as np
import pytest

import lexiscope
from lexiscope.core.datasets import Analogies, WordPairs
from lexiscope.core.datasets.base import word_array
from lexiscope.core.embedding import embedding
from tests.builders import (
    categories,
    seeded,
    synthetic_analogies,
    synthetic_pairs,
    synthetic_words,
    word_pairs,
)
from tests.report.hostile_words import HOSTILE, NAMES


def _hostile_results():
    rng = np.random.default_rng(0)
    words = [*HOSTILE, "cat", "dog"]
    vectors = {name: embedding(name, words, rng.normal(size=(len(words), 4))) for name in NAMES}
    left, right = word_array(words), word_array([*words[1:], "</td><script>alert(2)</script>"])
    pairs = WordPairs("<b onmouseover=alert(1)>", left, right, rng.random(len(words)))
    parts = word_array(["<svg onload=alert(1)>", "=two"] * (len(words) // 2))
    analogies = Analogies("../../q", left, left[::-1].copy(), right, right, parts)
    return lexiscope.run(vectors, datasets=[pairs, analogies], all_policies=True, by=["frequency"])


@pytest.fixture(scope="session")
def hostile():
    """Results in which every name and word is an attempted injection."""
    return _hostile_results()


@pytest.fixture(scope="session")
def results():
    """Three embeddings, large enough for vocabulary limits, on three tasks, under all policies."""
    words = synthetic_words(10_200)
    vectors = {f"seed {seed}": seeded(f"seed {seed}", words, seed, 3) for seed in (0, 1)}
    short = seeded("short", words[:30], 2, 3)
    datasets = [
        synthetic_pairs(60, 40),
        word_pairs(*((f"w{k}", f"w{k + 1}", k) for k in range(20)), name="more pairs"),
        synthetic_analogies(24, 40),
        categories(one="w1 w2 w3 w4", two="w5 w6 w7 w8"),
    ]
    return lexiscope.run(
        {**vectors, "short": short}, datasets=datasets, all_policies=True, by="frequency"
    )


@pytest.fixture(scope="session")
def written(results, tmp_path_factory):
    """The page of the results."""
    return lexiscope.write_report(results, tmp_path_factory.mktemp("page") / "report.html")


@pytest.fixture(scope="session")
def hostile_page(hostile, tmp_path_factory):
    """The page of the hostile results."""
    return lexiscope.write_report(hostile, tmp_path_factory.mktemp("page") / "report.html")


@pytest.fixture(scope="session")
def alone():
    """One embedding, one evaluation."""
    words = ["cat", "dog", "sun", "moon", "cup", "tea"]
    one = embedding("one", words, np.random.default_rng(0).normal(size=(6, 3)))
    return lexiscope.run(one, "similarity", datasets=[WordPairs.example()])


@pytest.fixture(scope="session")
def different():
    """Two embeddings of which one is significantly better on both datasets."""
    rng = np.random.default_rng(3)
    words = synthetic_words(120)
    good = rng.normal(size=(120, 12)).astype(np.float32)
    unit = good / np.linalg.norm(good, axis=1, keepdims=True)
    pairs = [(k, k + 1) for k in range(119)]
    rated = [(f"w{a}", f"w{b}", float(unit[a] @ unit[b])) for a, b in pairs]
    vectors = {"good": embedding("good", words, good), "noise": seeded("noise", words, 9)}
    datasets = [word_pairs(*rated), word_pairs(*rated[:90], name="b")]
    return lexiscope.run(vectors, "similarity", datasets)


def _noisy_results(names, datasets):
    """Embeddings with more and more noise, on datasets that share some pairs."""
    rng = np.random.default_rng(11)
    words = synthetic_words(120)
    true = rng.normal(size=(120, 10))
    unit = true / np.linalg.norm(true, axis=1, keepdims=True)
    vectors = {
        name: embedding(name, words[:110], (true + noise * rng.normal(size=true.shape))[:110])
        for name, noise in zip(names, (0.2, 0.5, 1.0, 2.0, 4.0), strict=True)
    }
    rated = [(f"w{k}", f"w{k + 1}", float(unit[k] @ unit[k + 1])) for k in range(0, 118)]
    pairs = [word_pairs(*rated[k::3], *rated[:9], name=f"pairs {k}") for k in range(datasets)]
    return lexiscope.run(vectors, "similarity", pairs)


@pytest.fixture(scope="session")
def many_page(tmp_path_factory):
    """The page of five embeddings on twelve datasets."""
    names = [f"noise {noise}" for noise in (0.2, 0.5, 1.0, 2.0, 4.0)]
    path = tmp_path_factory.mktemp("many") / "report.html"
    return lexiscope.write_report(_noisy_results(names, 12), path)


DEMO_NAMES = ["glove-6b-50d", "glove-6b-100d", "googlenews-subset", "skipgram on wikitext-2",
              "svd on wikitext-2"]  # fmt: skip


@pytest.fixture(scope="session")
def demo_sized_page(tmp_path_factory):
    """The page of as many scores as that of the demo, with the names of its embeddings."""
    path = tmp_path_factory.mktemp("demo") / "report.html"
    return lexiscope.write_report(_noisy_results(DEMO_NAMES, 20), path)


@pytest.fixture(scope="session")
def few_page(tmp_path_factory):
    """The page of three datasets: an odd number of forest plots in two columns."""
    path = tmp_path_factory.mktemp("few") / "report.html"
    return lexiscope.write_report(_noisy_results(DEMO_NAMES, 3), path)
