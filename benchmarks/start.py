"""The first call: CPU seconds of fresh processes with no compiled kernels and with them.

`lexiscope run` on two small files, and `lexiscope train skipgram` on a million words. Each command
runs in a process of its own, first with an empty NUMBA_CACHE_DIR, which is a machine where nothing
is compiled yet, and then again with what the first one has left there.
"""

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

_WORDS = ("cat", "dog", "sun", "moon", "tree", "leaf", "car", "road", "king", "queen")
_TOKENS, _TYPES = 1_000_000, 20_000


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """Yield a line per command, with the smallest CPU seconds of the rounds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for what, target, command in (
            ("run, two files of 10 words", 5.0, _run(folder)),
            ("train skipgram, 1,000,000 words", 15.0, _train(folder)),
        ):
            found = [_first_and_second(command, folder) for _ in range(rounds)]
            first, second = (round(min(values), 2) for values in zip(*found, strict=True))
            yield {
                "what": f"first call: {what}",
                "cpu_seconds_without_compiled_kernels": first,
                "cpu_seconds_with_compiled_kernels": second,
                "target": target,
            }


def _first_and_second(command: list[str], folder: Path) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        return _cpu_seconds(command, folder, environment), _cpu_seconds(
            command, folder, environment
        )


def _cpu_seconds(command: list[str], folder: Path, environment: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "lexiscope", *command],
        cwd=folder, env=environment, capture_output=True, check=True,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _run(folder: Path) -> list[str]:
    rng = np.random.default_rng(0)
    for name in ("a.vec", "b.vec"):
        rows = [f"{word} {' '.join(map(str, rng.normal(size=5).round(4)))}" for word in _WORDS]
        (folder / name).write_text("\n".join([f"{len(_WORDS)} 5", *rows]) + "\n", "utf-8")
    lines = [f"{a}\t{b}\t{k}" for k, (a, b) in enumerate(pairwise(_WORDS))]
    (folder / "pairs.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    store = ["--store", ":memory:"]
    return ["run", "a.vec", "b.vec", "--task", "similarity", "--dataset", "pairs.tsv", *store]


def _train(folder: Path) -> list[str]:
    rng = np.random.default_rng(0)
    weights = 1 / np.arange(1, _TYPES + 1)
    drawn = rng.choice(_TYPES, _TOKENS, p=weights / weights.sum()).tolist()
    with (folder / "text.txt").open("w", encoding="utf-8") as file:
        for start in range(0, _TOKENS, 20):
            file.write(" ".join(f"word{number}" for number in drawn[start : start + 20]) + "\n")
    return ["train", "skipgram", "text.txt", "-o", "trained.vec"]
