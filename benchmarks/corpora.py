"""Reading texts: gensim's vocabulary pass against ours, and words and sentences from plain text.

Each in a fresh process, with peak memory; imports are not counted on either side, and our kernels
are loaded by a text of one word before the clock starts. gensim only counts; ours also keeps the
text as places of its words. The text is WikiText-2 again and again, a word in ten being marked
with the number of the round, so that the vocabulary grows as in a text that does not repeat; where
it is not at hand, words are drawn by Zipf's law.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import clock
import material
from lexiscope.core.errors import NotAtHand
from lexiscope.data.catalogue import catalogue
from lexiscope.data.corpora._catalogued import documents
from lexiscope.data.library import Library

_SIZE = 120_000_000
_OURS = """from lexiscope.core.preparation import Preparation
from lexiscope.data import corpora
corpora.read({tiny!r}, Preparation(**{steps}))
before[0] = resident()
begun = time.perf_counter()
corpora.read({path!r}, Preparation(**{steps}))"""
_GENSIM = """from gensim.models import Word2Vec
before[0] = resident()
begun = time.perf_counter()
Word2Vec(min_count=5).build_vocab(corpus_file={path!r})"""
_VOCABULARY = {"tokens": "spaces", "sentences": "lines", "lower": False}


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """A line for the vocabulary pass, a line for words and sentences."""
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
            f"{name}_megabytes_a_second": round(megabytes / median(seconds[name]), 1),
            f"{name}_peak_megabytes": round(median(run["megabytes"] for run in runs)),
        }
    if "gensim" in seconds:
        line["times_faster"] = clock.ratio(seconds["gensim"], seconds["ours"])
    return line


def _text() -> Path:
    """A text of 120 MB, made once."""
    try:
        lines, name = _wikitext(), "wikitext-2-grown.txt"
    except NotAtHand:
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
    """WikiText-2, a word in ten with the number of the round behind it."""
    paths = Library().files("wikitext-2")
    text = b"".join(documents(catalogue()["wikitext-2"], paths))
    content = [line.split() for line in text.splitlines()]
    rng = np.random.default_rng(0)
    return (_marked(words, turn, rng) for turn in count() for words in content)


def _marked(words: list[bytes], turn: int, rng: np.random.Generator) -> bytes:
    chosen = rng.random(len(words)) < 0.1
    spelt = (
        word + b"%d" % turn if mark else word for word, mark in zip(words, chosen, strict=True)
    )
    return b" ".join(spelt) + b"\n"


def _zipf() -> Iterator[bytes]:
    """Sentences of 20 words drawn by Zipf's law from a million."""
    rng = np.random.default_rng(0)
    words = np.array([f"w{number:x}" for number in range(1_000_000)], "S8")
    while True:
        drawn = np.minimum(rng.zipf(1.1, (10_000, 20)), 1_000_000) - 1
        for row in words[drawn].tolist():
            row[0] = row[0].capitalize()
            yield b" ".join(row) + b".\n"
