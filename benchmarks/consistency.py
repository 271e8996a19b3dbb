"""Consistency: exact ranks among 341,479 vectors, and a whole experiment on a book.

The ranks are compared with a loop in NumPy. The book is the first 130,000 tokens of `gutenberg`,
the background a skip-gram model of WikiText-2 with output vectors, the terms 250 keywords, and the
models additive, alacarte and nonce2vec.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

import clock
import lexiscope
import material
from lexiscope.core.corpus import sentences_of
from lexiscope.data.catalogue import catalogue
from lexiscope.data.download import fetch
from lexiscope.data.local_data import LocalData
from lexiscope.experiments.consistency.texts import read_texts
from lexiscope.metrics.consistency import directions, ranks_among

_QUERIES = 1_000
_LOOPED = 20  # queries of the loop
_TOKENS = 130_000
_MODELS = ("additive", "alacarte", "nonce2vec")


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """Yield the ranks, then the experiment."""
    yield _ranks(rounds)
    yield _experiment(rounds)


def _ranks(rounds: int) -> dict[str, Any]:
    vectors = np.asarray(material.glove100().vectors)
    rng = np.random.default_rng(0)
    near = vectors[rng.integers(len(vectors), size=(2, _QUERIES))].astype(np.float64)
    queries = directions(near[0])
    targets = directions(near[0] + near[1])[:, None]
    none = np.full((_QUERIES, 1), -1, np.int64)
    found: dict[str, np.ndarray] = {}

    def ours() -> None:
        found["ours"] = ranks_among(queries, targets, vectors, none)[:, 0]

    def loop() -> None:
        units = directions(vectors.astype(np.float64))
        found["loop"] = np.array(
            [
                1 + np.count_nonzero(units @ query > target @ query)
                for query, (target,) in zip(queries[:_LOOPED], targets[:_LOOPED], strict=True)
            ]
        )

    ours()
    seconds = clock.in_turns(rounds, ours=ours, loop=loop)
    scaled = [each * _QUERIES / _LOOPED for each in seconds["loop"]]
    return {
        "what": f"ranks of {_QUERIES:,} vectors among {len(vectors):,} x {vectors.shape[1]}",
        "ours_seconds": clock.rounded(seconds["ours"]),
        "loop_seconds_scaled": clock.rounded(scaled),
        "times_faster_than_the_loop": clock.ratio(scaled, seconds["ours"]),
        "same_ranks": bool((found["ours"][:_LOOPED] == found["loop"]).all()),
    }


def _experiment(rounds: int) -> dict[str, Any]:
    book, background = _book(), _background()
    wall, cpu, terms = [], [], 0
    for _ in range(rounds):
        began = time.perf_counter(), time.process_time()
        found = lexiscope.consistency(
            book, background, models=_MODELS, choice=lexiscope.TermChoice(keywords=250)
        )
        wall.append(time.perf_counter() - began[0])
        cpu.append(time.process_time() - began[1])
        terms = max(each.terms for each in found.models)
    return {
        "what": f"consistency of {terms} terms with {', '.join(_MODELS)}, {_TOKENS:,} tokens",
        "seconds": clock.rounded(wall),
        "cpu_seconds": clock.rounded(cpu),
    }


def _book() -> list[list[str]]:
    fetch(LocalData(), catalogue()["gutenberg"])
    sentences, tokens = [], 0
    for sentence in sentences_of(read_texts("gutenberg")):
        sentences.append(list(sentence))
        tokens += len(sentence)
        if tokens >= _TOKENS:
            break
    return sentences


def _background() -> str:
    path = material.folder() / "background.safetensors"
    if not path.exists():
        fetch(LocalData(), catalogue()["wikitext-2"])
        options = ["--space", "both", "--dimension", "100", "-o", str(path)]
        command = [sys.executable, "-m", "lexiscope", "train", "skipgram", "wikitext-2", *options]
        subprocess.run(command, check=True)
    return str(path)
