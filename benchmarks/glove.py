"""GloVe on the same co-occurrences: the authors' program against ours, with 1 and 2 threads.

GLOVE_PROGRAMS names the folder with the program `glove`, built from stanfordnlp/GloVe. Both go
through the same counts equally often; the speed is that of all epochs but the first, so that
neither start-up counts. The last cost is computed here for both, from what they saved, in double
precision. Spearman's correlations are those of word + context vectors, without biases.
"""

import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from lexiscope.core.corpus import Corpus
from lexiscope.core.policy import Policy
from lexiscope.core.preparation import Preparation
from lexiscope.data import corpora
from lexiscope.data.catalogue import catalogue
from lexiscope.data.datasets import read
from lexiscope.data.fetching import NotFetched, fetch
from lexiscope.data.library import Library
from lexiscope.stats.cooccurrence import Contexts, cooccurrences
from lexiscope.stats.measures import spearman
from lexiscope.tasks.similarity import Similarity
from lexiscope.trainers.glove import Glove, fitted

_TEXTS = ("wikitext-2", "brown")
_QUESTIONS = ("ws353", "men")
_SETTINGS = Glove(epochs=10, x_max=10.0)
_RECORD = np.dtype([("word", "i4"), ("context", "i4"), ("count", "f8")])


class Outcome(NamedTuple):
    """Vectors with their bias last, and when each epoch was over."""

    words: np.ndarray
    contexts: np.ndarray
    ends: list[float]


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """A line per number of threads."""
    program = Path(os.environ.get("GLOVE_PROGRAMS", "")) / "glove"
    if not program.is_file():
        yield {"what": "GloVe", "left_out": "GLOVE_PROGRAMS names no folder with the program glove"}
        return
    text = _text()
    counts = cooccurrences(text, Contexts(_SETTINGS.window, "harmonic"), np.random.default_rng(0))
    fitted(counts[:100, :100].tocsr(), _SETTINGS, np.random.default_rng(0))  # compiles
    with tempfile.TemporaryDirectory() as folder:
        _write(counts, text, Path(folder))
        for threads in (1, 2):
            ours, theirs = [], []
            for seed in range(1, rounds + 1):
                ours.append(_ours(counts, threads, seed))
                theirs.append(_theirs(program, Path(folder), len(text.vocabulary), threads, seed))
            yield _line(text, counts, threads, ours, theirs)


def _text() -> Corpus:
    library = Library()
    for name in _TEXTS:
        fetch(library, catalogue()[name])
    return corpora.read(list(_TEXTS), Preparation(), library=library)


def _write(counts: Any, text: Corpus, folder: Path) -> None:
    """The files that the program reads: records in random order, words with their counts."""
    records = np.empty(counts.nnz, _RECORD)
    records["word"] = np.repeat(np.arange(1, counts.shape[0] + 1), np.diff(counts.indptr))
    records["context"], records["count"] = counts.indices + 1, counts.data
    np.random.default_rng(0).shuffle(records)
    records.tofile(folder / "records.bin")
    pairs = zip(text.vocabulary.words, text.counts.tolist(), strict=True)
    lines = "".join(f"{word} {count}\n" for word, count in pairs)
    (folder / "vocabulary.txt").write_text(lines, "utf-8")


def _ours(counts: Any, threads: int, seed: int) -> Outcome:
    os.environ["LEXISCOPE_THREADS"] = str(threads)
    ends: list[float] = []
    rng = np.random.default_rng(seed)
    fit = fitted(counts, _SETTINGS, rng, lambda *_: ends.append(time.perf_counter()))
    return Outcome(fit.words, fit.contexts, ends)


def _theirs(program: Path, folder: Path, words: int, threads: int, seed: int) -> Outcome:
    options: dict[str, Any] = {
        "input-file": folder / "records.bin",
        "vocab-file": folder / "vocabulary.txt",
        "save-file": folder / "vectors",
        "vector-size": _SETTINGS.dimension,
        "iter": _SETTINGS.epochs,
        "eta": _SETTINGS.rate,
        "x-max": _SETTINGS.x_max,
        "alpha": _SETTINGS.alpha,
        "threads": threads,
        "seed": seed,
        "binary": 1,
    }
    order = [str(program), *(part for k, v in options.items() for part in (f"-{k}", str(v)))]
    with subprocess.Popen(order, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as running:
        assert running.stderr is not None
        ends = [time.perf_counter() for line in running.stderr if b"iter:" in line]
    tables = np.fromfile(folder / "vectors.bin").reshape(2, words, _SETTINGS.dimension + 1)
    return Outcome(tables[0], tables[1], ends)


def _line(
    text: Corpus, counts: Any, threads: int, ours: list[Outcome], theirs: list[Outcome]
) -> dict[str, Any]:
    speeds = {
        name: [counts.nnz * (len(o.ends) - 1) / (o.ends[-1] - o.ends[0]) / 1e6 for o in outcomes]
        for name, outcomes in (("ours", ours), ("theirs", theirs))
    }
    return {
        "what": f"GloVe, {_SETTINGS.epochs} epochs",
        "threads": threads,
        "counts": f"{counts.nnz:,} of {counts.shape[0]:,} words, {_SETTINGS.dimension} dimensions",
        "ours_million_per_second": [round(speed, 2) for speed in speeds["ours"]],
        "program_million_per_second": [round(speed, 2) for speed in speeds["theirs"]],
        "times_faster": round(median(speeds["ours"]) / median(speeds["theirs"]), 2),
        **_each("cost", lambda outcome: _cost(counts, outcome), ours, theirs, 5),
        **{
            key: value
            for name in _QUESTIONS
            for key, value in _each(name, _asked(text, name), ours, theirs, 3).items()
        },
    }


def _each(
    what: str,
    number: Callable[[Outcome], float | None],
    ours: list[Outcome],
    theirs: list[Outcome],
    digits: int,
) -> dict[str, list[float]]:
    found = {f"{what}_ours": map(number, ours), f"{what}_program": map(number, theirs)}
    return {
        key: [round(value, digits) for value in values if value is not None]
        for key, values in found.items()
    }


def _cost(counts: Any, outcome: Outcome) -> float:
    """The mean of half the weighted squared errors, over all counts."""
    words, contexts = (np.asarray(part, np.float64) for part in (outcome.words, outcome.contexts))
    total = 0.0
    for word in range(counts.shape[0]):
        held = slice(counts.indptr[word], counts.indptr[word + 1])
        near, values = contexts[counts.indices[held]], counts.data[held]
        errors = near[:, :-1] @ words[word, :-1] + words[word, -1] + near[:, -1] - np.log(values)
        weights = np.minimum(1, (values / _SETTINGS.x_max) ** _SETTINGS.alpha)
        total += 0.5 * float(weights @ errors**2)
    return total / counts.nnz


def _asked(text: Corpus, name: str) -> Callable[[Outcome], float | None]:
    """Spearman's correlation with people's ratings, where they are at hand."""

    def number(outcome: Outcome) -> float | None:
        with suppress(NotFetched):
            path = fetch(Library(), catalogue()[name])[0]
            pairs = read("pairs", path, name).respelt(Policy().spelling)
            pairs = pairs.take(pairs.covered_by(text.vocabulary))
            added = (outcome.words + outcome.contexts)[:, :-1].astype(np.float32)
            embedding = text.embedding("glove", added)
            answers = Similarity().answer(embedding, pairs, np.random.default_rng(0))
            return float(spearman(answers.given, answers.gold))
        return None

    return number
