"""Loading vector files: gensim and ours, each in a new process, with peak memory.

Imports are not timed. The first call in a process also initialises numba: a file of one word is
loaded before the clock starts. The time without this warm-up is reported as well.
"""

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import clock
import lexiscope
import material
from lexiscope.core.vocabulary import pack

_OURS = """import numpy, lexiscope
lexiscope.load({tiny!r})
before[0] = resident()
begun = time.perf_counter()
lexiscope.load({path!r})"""
_FIRST = """import numpy, lexiscope
before[0] = resident()
begun = time.perf_counter()
lexiscope.load({path!r})"""
_GENSIM = """from gensim.models import KeyedVectors
before[0] = resident()
begun = time.perf_counter()
KeyedVectors.load_word2vec_format({path!r}, binary={binary})"""


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """Yield a result per embedding and format."""
    for embedding in material.both():
        size = (embedding.vectors.nbytes + pack(embedding.words).block.nbytes) / 1e6
        for ending in ("vec", "bin", "safetensors"):
            path = material.folder() / f"{embedding.name}.{ending}"
            if not path.exists():
                lexiscope.save(embedding, path)
            yield _line(path, ending, embedding, size, rounds)


def _line(path: Path, ending: str, embedding: Any, size: float, rounds: int) -> dict[str, Any]:
    tiny = material.folder() / f"tiny.{ending}"
    lexiscope.save(embedding.first(1), tiny)
    codes = {
        "ours": _OURS.format(path=str(path), tiny=str(tiny)),
        "first": _FIRST.format(path=str(path)),
    }
    if ending != "safetensors":
        codes["gensim"] = _GENSIM.format(path=str(path), binary=ending == "bin")
    # The text loader of gensim takes minutes for the larger file, so it runs once.
    few = 1 if ending == "vec" and embedding.dimension > 100 else rounds
    clock.in_processes(1, ours=codes["ours"])  # compiles the kernels and fills the page cache
    found = clock.in_processes(few, **codes)
    seconds = {name: [r["seconds"] for r in runs] for name, runs in found.items()}
    line = {
        "what": f"loading .{ending}, {path.stat().st_size / 1e6:,.0f} MB",
        "vectors": f"{len(embedding):,} x {embedding.dimension}",
        "ours_seconds": clock.rounded(seconds["ours"]),
        "ours_seconds_first_in_a_process": clock.rounded(seconds["first"]),
        "ours_peak_over_content": round(median(r["megabytes"] for r in found["ours"]) / size, 2),
    }
    if "gensim" in seconds:
        line["gensim_seconds"] = clock.rounded(seconds["gensim"])
        line["times_faster"] = clock.ratio(seconds["gensim"], seconds["ours"])
    return line
