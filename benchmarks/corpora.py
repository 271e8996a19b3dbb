"""Reading of corpora: gensim's vocabulary scan and ours, and tokenisation of plain text.

Each runs in a new process, with peak memory. Imports and the loading of our kernels are not
included. gensim only counts words; ours also stores the text as indices. The text is WikiText-2
repeated, with one word in ten marked by the number of the repetition, so that the vocabulary grows
as in a text without repetition. If WikiText-2 is not downloaded, words are sampled from a Zipf
distribution.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import clock
import material
from lexiscope.core.errors import NotDownloaded
from lexiscope.data.catalogue import catalogue
from lexiscope.data.corpora.published import documents
from lexiscope.data.local_data import LocalData

_SIZE = 120_000_000
_OURS = """from lexiscope.core.preprocessing import Preprocessing
from lexiscope.data import corpora
corpora.read({tiny!r}, Preprocessing(**{steps}))
before[0] = resident()
begun = time.perf_counter()
corpora.read({path!r}, Preprocessing(**{steps}))"""
_GENSIM = """from gensim.models import Word2Vec
before[0] = resident()
begun = time.perf_counter()
Word2Vec(min_count=5).build_vocab(corpus_file={path!r})"""
_VOCABULARY = {"tokens": "spaces", "sentences": "lines", "lower": False}


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """One line for the vocabulary scan, one for tokenisation and sentences."""
    path, tiny = _text(), material.folder() / "tiny.txt"
    tiny.write_text("word " * 5 + "\n", "utf-8")
    for what, steps in (("vocabulary of tokens", _VOCABULARY), ("words and sentences", {})):
        ours = _OURS.format(path=str(path), tiny=str(tiny), steps=steps)
        codes = {"ours": ours}
        if steps:
            codes["gensim"] = _GENSIM.format(path=str(path))
        clock.in_processes(1, ours=ours)  # compiles the kernels and warms the page cache
        yield _line(what, path, clock.in_processes(rounds, **codes))


def _line(what: str, path: Path, found: dict[str, list[dict[str, float]]]) -> dict[str, Any]:
    seconds = {name: [run["seconds"] for run in runs] for name, runs in found.items()}
    megabytes = path.stat().st_size / 1e6
    line = {"what": f"{what}, {path.name}, {megabytes:,.0f} MB"}
    for name, runs in found.items():
        line |= {
            f"{name}_seconds": clock.rounded(seconds[name]),
            f"{name}_megabytes_per_second": round(megabytes / median(seconds[name]), 1),
            f"{name}_peak_megabytes": round(median(run["megabytes"] for run in runs)),
        }
    if "gensim" in seconds:
        line["times_faster"] = clock.ratio(seconds["gensim"], seconds["ours"])
    return line


def _text() -> Path:
    """A text of 120 MB, written once."""
    try:
        lines, name = _wikitext(), "wikitext-2-grown.txt"
    except NotDownloaded:
        lines, name = _zipf(), "zipf.txt"
    path = material.folder() / name
    if not path.exists():
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            for line in lines:
                if file.tell() >= _SIZE:
                    break
                file.write(line)
        part.replace(path)
    return path


def _wikitext() -> Iterator[bytes]:
    """WikiText-2, one word in ten with the number of the repetition appended."""
    paths = LocalData().paths("wikitext-2")
    text = b"".join(documents(catalogue()["wikitext-2"], paths))
    content = [line.split() for line in text.splitlines()]
    rng = np.random.default_rng(0)
    return (_marked(words, repetition, rng) for repetition in count() for words in content)


def _marked(words: list[bytes], repetition: int, rng: np.random.Generator) -> bytes:
    chosen = rng.random(len(words)) < 0.1
    marked = (
        word + b"%d" % repetition if mark else word
        for word, mark in zip(words, chosen, strict=True)
    )
    return b" ".join(marked) + b"\n"


def _zipf() -> Iterator[bytes]:
    """Sentences of 20 words, sampled from a Zipf distribution over a million words."""
    rng = np.random.default_rng(0)
    words = np.array([f"w{number:x}" for number in range(1_000_000)], "S8")
    while True:
        sampled = np.minimum(rng.zipf(1.1, (10_000, 20)), 1_000_000) - 1
        for row in words[sampled].tolist():
            row[0] = row[0].capitalize()
            yield b" ".join(row) + b".\n"
