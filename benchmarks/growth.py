"""Time and peak memory against size, and the exponent of growth: `python benchmarks/growth.py`.

Each cell is a process of its own: its CPU seconds and the peak of its resident memory, both without
imports. Sizes are those of a corpus (tokens trained by skip-gram, tokens counted), a vocabulary and
a dimension (text vectors that are loaded), embeddings in a run and items.
The exponent is the slope of log seconds over log size from the second largest to the largest cell,
where constant costs matter least. Only comparisons, whose number is quadratic in the number of
embeddings, may grow faster than linear. `--small` runs the smallest sizes, as the tests do.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from math import log
from pathlib import Path
from typing import Any

import numpy as np

SIZES: dict[str, tuple[int, ...]] = {
    "tokens trained": (2_000_000, 7_000_000, 20_000_000),
    "tokens counted": (2_000_000, 7_000_000, 20_000_000),
    "words": (10_000, 100_000, 1_000_000),
    "dimensions": (50, 150, 500),
    "embeddings": (2, 10, 50),
    "items": (1_000, 4_000, 16_000),
}
SMALL: dict[str, tuple[int, ...]] = {
    "tokens trained": (2_000, 4_000),
    "tokens counted": (2_000, 4_000),
    "words": (200, 400),
    "dimensions": (5, 10),
    "embeddings": (2, 3),
    "items": (30, 60),
}
LINEAR = 1.1  # an exponent up to this is linear within the noise of one cell
_TYPES, _WORDS, _ITEMS, _DIMENSIONS = 50_000, 5_000, 1_000, 50


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """Yield a line per cell, and one with the exponents of each kind of size."""
    del rounds  # minutes each
    yield from lines(SIZES)


def lines(sizes: dict[str, tuple[int, ...]]) -> Iterator[dict[str, Any]]:
    """Yield a line per cell, and one with the exponents of each kind of size."""
    for kind, values in sizes.items():
        cells = []
        for value in values:
            cells.append(_in_a_process(kind, value))
            yield {"what": f"growth, {kind}", "size": value, **cells[-1]}
        exponents = {
            name: round(_exponent(values, [cell[name] for cell in cells]), 2) for name in cells[0]
        }
        above = [name for name, exponent in exponents.items() if exponent > LINEAR]
        yield {"what": f"growth, {kind}", "exponents": exponents, "above_linear": above}


def _exponent(sizes: tuple[int, ...], values: list[float]) -> float:
    """The slope between the two largest cells on logarithmic scales."""
    before, last = (max(value, 1e-3) for value in values[-2:])
    return log(last / before) / log(sizes[-1] / sizes[-2])


def _in_a_process(kind: str, size: int) -> dict[str, float]:
    ended = subprocess.run(
        [sys.executable, __file__, "--cell", kind, str(size)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: dict[str, float] = json.loads(ended.stdout.splitlines()[-1])
    return found


def measured(kind: str, size: int) -> dict[str, float]:
    """The CPU seconds and the peak memory of one cell in this process, without its preparation."""
    with tempfile.TemporaryDirectory() as folder:
        _CELLS[kind](2, Path(folder))()  # compiles or loads the kernels
        work = _CELLS[kind](size, Path(folder))
        before, start = _resident(), time.process_time()
        work()
        seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"cpu_seconds": round(seconds, 2), "megabytes": round(max(peak - before, 0.0))}


def _resident() -> float:
    """Megabytes that the process holds now."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / (1 << 20)


def _zipf_text(tokens: int, folder: Path) -> Path:
    """Sentences of 20 words whose frequencies follow Zipf's law."""
    rng, path = np.random.default_rng(0), folder / f"{tokens}.txt"
    weights = 1 / np.arange(1, _TYPES + 1)
    names = np.array([f"word{number}" for number in range(_TYPES)])
    with path.open("w", encoding="utf-8") as file:
        for first in range(0, tokens, 1_000_000):
            number = min(1_000_000, tokens - first)
            drawn = names[rng.choice(_TYPES, number, p=weights / weights.sum())]
            for start in range(0, number, 20):
                file.write(" ".join(drawn[start : start + 20]) + "\n")
    return path


def _training(tokens: int, folder: Path) -> Callable[[], Any]:
    import lexiscope

    path = _zipf_text(max(tokens, 1000), folder)
    return lambda: lexiscope.train("skipgram", path, epochs=1, dimension=_DIMENSIONS)


def _counting(tokens: int, folder: Path) -> Callable[[], Any]:
    import lexiscope

    path = _zipf_text(max(tokens, 1000), folder)
    return lambda: lexiscope.train("ppmi", path)


def _vectors(words: int, dimensions: int, seed: int = 0) -> Any:
    from lexiscope.core.embedding import Embedding
    from lexiscope.core.vocabulary import Vocabulary

    rng = np.random.default_rng(seed)
    names = tuple(f"word{number}" for number in range(words))
    matrix = rng.standard_normal((words, dimensions), np.float32)
    return Embedding(f"e{seed}", Vocabulary(names), matrix)


def _file(words: int, dimensions: int, folder: Path) -> Callable[[], Any]:
    """Load a text file, and number its words."""
    import lexiscope

    path = lexiscope.save(_vectors(words, dimensions), folder / f"{words}-{dimensions}.vec")
    return lambda: lexiscope.load(path).vocabulary.index


def _run(embeddings: int, items: int) -> Callable[[], Any]:
    """Run a number of embeddings on word pairs."""
    import lexiscope
    from lexiscope.core.datasets.base import word_array

    rng = np.random.default_rng(0)
    words = min(_WORDS, items)
    left, right = rng.integers(0, words, (2, items))
    pairs = lexiscope.WordPairs(
        "pairs",
        word_array(f"word{n}" for n in left.tolist()),
        word_array(f"word{n}" for n in right.tolist()),
        rng.random(items),
    )
    several = [_vectors(words, _DIMENSIONS, seed) for seed in range(embeddings)]
    return lambda: lexiscope.run(several, tasks="similarity", datasets=pairs)


_CELLS: dict[str, Callable[[int, Path], Callable[[], Any]]] = {
    "tokens trained": _training,
    "tokens counted": _counting,
    "words": lambda size, folder: _file(max(size, 10), _DIMENSIONS, folder),
    "dimensions": lambda size, folder: _file(_WORDS, size, folder),
    "embeddings": lambda size, folder: _run(size, _ITEMS),
    "items": lambda size, folder: _run(2, max(size, 30)),
}


def main() -> None:
    """Print one line per cell and kind of size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--kind", choices=[*SIZES], action="append", default=[])
    parser.add_argument("--cell", nargs=2, metavar=("KIND", "SIZE"))
    chosen = parser.parse_args()
    if chosen.cell:
        print(json.dumps(measured(chosen.cell[0], int(chosen.cell[1]))))
        return
    sizes = SMALL if chosen.small else SIZES
    for line in lines({kind: sizes[kind] for kind in chosen.kind or sizes}):
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
