"""Co-occurrence counting: the GloVe programs and ours, on the same corpus.

GLOVE_PROGRAMS is the folder with the programs `vocab_count`, `cooccur` and `shuffle`, built from
stanfordnlp/GloVe; without it, only ours is timed. Both count words within a window of 5, weighted
by 1 / distance. `shuffle` is part of counting there, because training needs its order. The second
comparison starts from the text file and includes the vocabulary on both sides.
"""

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import clock
from lexiscope.cooccurrence.contexts import Contexts, cooccurrences
from lexiscope.core.corpus import Corpus, corpus, sentences_of
from lexiscope.core.machine import threads
from lexiscope.core.preprocessing import PRESETS, Preprocessing
from lexiscope.data import corpora
from lexiscope.data.catalogue import catalogue
from lexiscope.data.download import fetch
from lexiscope.data.local_data import LocalData

_TEXTS = ("wikitext-2", "brown")
_TOKENS = 1_500_000
_CONTEXTS = Contexts(5, "harmonic")
_RECORD = np.dtype([("word", "i4"), ("context", "i4"), ("count", "f8")])
_PROGRAMS = ("vocab_count", "cooccur", "shuffle")


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """One line for counting per number of threads, and one for reading and counting."""
    text = _text()
    programs = Path(os.environ.get("GLOVE_PROGRAMS", ""))
    present = all((programs / name).is_file() for name in _PROGRAMS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "text.txt"
        path.write_text("".join(f"{' '.join(s)}\n" for s in sentences_of(text)), "utf-8")
        theirs = _theirs(programs, folder) if present else {}
        if present:
            theirs["vocabulary"]()
        for number in sorted({1, threads()}):
            os.environ["LEXISCOPE_THREADS"] = str(number)
            counted = _turns(rounds, lambda: _counts(text), theirs, ("counts",))
            yield _line("counting", text, number, counted, folder if present else None)
        read = _turns(rounds, lambda: _counts(_read(path)), theirs, ("vocabulary", "counts"))
        yield _line("reading and counting", text, number, read, folder if present else None)


def _text() -> Corpus:
    local_data = LocalData()
    for name in _TEXTS:
        fetch(local_data, catalogue()[name])
    whole = corpora.read(list(_TEXTS), Preprocessing(), local_data=local_data)
    last = int(np.searchsorted(whole.starts, _TOKENS))
    return corpus("text", sentences_of(whole)[:last])


def _read(path: Path) -> Corpus:
    return corpora.read(str(path), PRESETS["as-is"])


def _counts(text: Corpus) -> Any:
    return cooccurrences(text, _CONTEXTS, np.random.default_rng(0))


def _theirs(programs: Path, folder: Path) -> dict[str, Callable[[], None]]:
    """The steps of the programs, which write their files to `folder`."""
    words = folder / "vocabulary.txt"

    def run(name: str, source_name: str, target_name: str, *options: str) -> None:
        command = [str(programs / name), "-verbose", "0", *options]
        with (folder / source_name).open("rb") as source, (folder / target_name).open("wb") as sink:
            subprocess.run(
                command,
                stdin=source,
                stdout=sink,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                check=True,
            )

    def counts() -> None:
        near = ("-window-size", str(_CONTEXTS.window), "-symmetric", "1")
        weighted = ("-distance-weighting", "1", "-vocab-file", str(words))
        run("cooccur", "text.txt", "counts.bin", *near, *weighted)
        run("shuffle", "counts.bin", "shuffled.bin", "-seed", "1")

    return {"vocabulary": lambda: run("vocab_count", "text.txt", words.name), "counts": counts}


def _turns(
    rounds: int,
    ours: Callable[[], Any],
    theirs: dict[str, Callable[[], None]],
    steps: tuple[str, ...],
) -> dict[str, list[float]]:
    def programs() -> None:
        for step in steps:
            theirs[step]()

    ours()  # compiles the kernels
    return clock.in_turns(rounds, ours=ours, **({"programs": programs} if theirs else {}))


def _line(
    what: str, text: Corpus, number: int, seconds: dict[str, list[float]], folder: Path | None
) -> dict[str, Any]:
    found = _counts(text)
    line: dict[str, Any] = {
        "what": f"{what} co-occurrences, window {_CONTEXTS.window}",
        "text": f"{len(text):,} tokens, {len(text.vocabulary):,} words, {found.nnz:,} counts",
        "threads": number,
        "ours_seconds": clock.rounded(seconds["ours"]),
    }
    if folder is None:
        missing = f"GLOVE_PROGRAMS is not a folder with {', '.join(_PROGRAMS)}"
        return {**line, "skipped": missing}
    return {
        **line,
        "programs_seconds": clock.rounded(seconds["programs"]),
        "times_faster": clock.ratio(seconds["programs"], seconds["ours"]),
        **_agreement(found, text, folder),
    }


def _agreement(found: Any, text: Corpus, folder: Path) -> dict[str, Any]:
    """Whether the programs count the same pairs, and the largest relative difference."""
    records = np.fromfile(folder / "shuffled.bin", _RECORD)
    lines = (folder / "vocabulary.txt").read_text("utf-8").splitlines()
    indices = text.vocabulary.find([line.rpartition(" ")[0] for line in lines])
    rows, columns = (indices[records[name] - 1] for name in ("word", "context"))
    order = np.lexsort((columns, rows))
    same = len(records) == found.nnz and np.array_equal(columns[order], found.indices)
    return {
        "same_pairs": bool(same and np.array_equal(np.bincount(rows), np.diff(found.indptr))),
        "largest_relative_difference": float(
            np.max(np.abs(records["count"][order] / found.data - 1)) if same else np.nan
        ),
    }
