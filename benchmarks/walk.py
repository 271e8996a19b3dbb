"""How far one command walks through the package: files, functions, and changes between them.

Every function of the package counts once, when it is called first, on any thread of the process.
A file change is a pair of neighbours in that order which lie in different files; a layer change is
one whose files differ in the first part of their path below the package. Module and class bodies,
lambdas and comprehensions do not count, nor do methods generated without a file (dataclasses).
Functions called while a module is imported do count. Each walk has a process and a folder of its
own, and is walked twice: the first time fills the cache of compiled kernels, the second counts.
All walks: `python benchmarks/walk.py`; single ones: `python benchmarks/walk.py run train --files`.
"""

import argparse
import inspect
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from pkgutil import resolve_name
from types import FrameType
from typing import Any

PACKAGE = "lexiscope"
ENTRY = "lexiscope.cli.main:main"
WALKS: dict[str, str] = {
    "run": "run a.vec b.vec --dataset pairs.csv --store s.sqlite --report report.html",
    "train": "train svd text.txt -o out.safetensors",
    "reproduce s0": "reproduce s0 --criterion nonconflation --model PPMI --model SKIP"
    " --trials 2 --sentences 500 --store s.sqlite",
}
# One thread, so that the order of first calls is the same every time; nothing from other places.
ENVIRONMENT = {"LEXISCOPE_THREADS": "1", "LEXISCOPE_OFFLINE": "1", "LEXISCOPE_CACHE_DIR": "cache"}

_SEED, _WORDS, _DIMENSION, _PAIRS, _SENTENCES = 0, 200, 20, 60, 1000


class Recorder:
    """A profile function that keeps the file of each function of a folder, by first call."""

    def __init__(self, folder: str) -> None:
        self.prefix = os.path.join(folder, "")  # noqa: PTH118
        self.seen: set[tuple[str, int, str]] = set()
        self.files: list[str] = []

    def holds(self, file: str) -> bool:
        """Whether a file is Python source of the folder; templates compile to code, too."""
        return file.startswith(self.prefix) and file.endswith(".py")

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event != "call" or not self.holds(code.co_filename):
            return
        function = (code.co_filename, code.co_firstlineno, code.co_name)
        is_body = not code.co_flags & inspect.CO_NEWLOCALS  # of a module or a class
        if code.co_name.startswith("<") or function in self.seen or is_body:
            return
        self.seen.add(function)
        self.files.append(Path(code.co_filename[len(self.prefix) :]).as_posix())


def make_inputs(folder: Path) -> None:
    """Two vector files, word pairs with a score each, and a text, the same every time."""
    chance = random.Random(_SEED)
    words = [f"w{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(_WORDS)]
    for name in ("a.vec", "b.vec"):
        rows = ((word, *(f"{chance.gauss(0, 1):.4f}" for _ in range(_DIMENSION))) for word in words)
        lines = [f"{_WORDS} {_DIMENSION}", *map(" ".join, rows)]
        (folder / name).write_text("\n".join(lines) + "\n", "utf-8")
    pairs = (
        f"{','.join(chance.sample(words, 2))},{chance.uniform(0, 10):.2f}" for _ in range(_PAIRS)
    )
    (folder / "pairs.csv").write_text("\n".join(["word1,word2,score", *pairs]) + "\n", "utf-8")
    text = (" ".join(chance.choices(words, k=10)) + ".\n" for _ in range(_SENTENCES))
    (folder / "text.txt").write_text("".join(text), "utf-8")


def record(walk: str, folder: Path, output: Path) -> None:
    """Run a walk in this process, inside the folder, and write the files of its first calls."""
    found = find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise SystemExit(f"There is no package {PACKAGE} to walk through.")
    recorder = Recorder(found.submodule_search_locations[0])
    os.chdir(folder)
    sys.argv = [PACKAGE, *WALKS[walk].split()]
    threading.setprofile(recorder)
    sys.setprofile(recorder)
    try:
        resolve_name(ENTRY)()
    finally:
        sys.setprofile(None)
        output.write_text(json.dumps(recorder.files), "utf-8")


def walked(walk: str) -> list[str]:
    """The file of each function that a walk calls, in order of first call."""
    with tempfile.TemporaryDirectory() as place:
        folder, output = Path(place), Path(place, "walk.json")
        make_inputs(folder)
        command = [sys.executable, "-P", __file__, walk, "--inside", place]
        environment = {**os.environ, **ENVIRONMENT}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"The walk {walk} failed:\n{done.stdout}{done.stderr}")
        files: list[str] = json.loads(output.read_text("utf-8"))
        return files


def changes(places: list[str]) -> int:
    """How many neighbours differ."""
    return sum(before != after for before, after in pairwise(places))


def main() -> None:
    """Print a line per walk, and the files of each on request."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("walks", nargs="*", help=f"of: {', '.join(WALKS)}; all by default")
    parser.add_argument("--files", action="store_true", help="list files by first call")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if unknown := set(chosen.walks) - set(WALKS):
        parser.error(f"no such walk: {', '.join(sorted(unknown))}")
    if chosen.inside:
        record(chosen.walks[0], chosen.inside, chosen.inside / "walk.json")
        return
    found = {walk: walked(walk) for walk in [*(chosen.walks or WALKS)] * 2}
    print(f"{'walk':14}{'files':>7}{'functions':>11}{'file changes':>14}{'layer changes':>15}")
    for walk, files in found.items():
        layers = [file.split("/")[0] for file in files]
        counts = f"{len(set(files)):7}{len(files):11}{changes(files):14}{changes(layers):15}"
        print(f"{walk:14}{counts}")
    for walk, files in found.items() if chosen.files else ():
        print(f"\n{walk}", *dict.fromkeys(files), sep="\n  ")


if __name__ == "__main__":
    main()
