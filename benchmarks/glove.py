"""GloVe training: the program of the authors and ours, on the same counts, with 1 and 2 threads.

GLOVE_PROGRAMS is the folder with the program `glove`, built from stanfordnlp/GloVe. Both train for
the same number of epochs; the speed excludes the first epoch, and thus start-up. The final cost of
both is computed here from the saved vectors, in double precision. Spearman correlations are those
of word + context vectors, without biases.
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

from lexiscope.cooccurrence.contexts import Contexts, cooccurrences
from lexiscope.core.corpus import Corpus
from lexiscope.core.policy import Policy
from lexiscope.core.preprocessing import Preprocessing
from lexiscope.data import corpora
from lexiscope.data.catalogue import catalogue
from lexiscope.data.datasets import read
from lexiscope.data.download import DownloadFailed, fetch
from lexiscope.data.local_data import LocalData
from lexiscope.metrics.correlation import spearman
from lexiscope.tasks.similarity import Similarity
from lexiscope.trainers.glove import Glove, fit

_TEXTS = ("wikitext-2", "brown")
_DATASETS = ("ws353", "men")
_SETTINGS = Glove(epochs=10, x_max=10.0)
_RECORD = np.dtype([("word", "i4"), ("context", "i4"), ("count", "f8")])


class Outcome(NamedTuple):
    """Vectors with the bias as last column, and the time at the end of each epoch."""

    words: np.ndarray
    contexts: np.ndarray
    ends: list[float]


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """One line per number of threads."""
    program = Path(os.environ.get("GLOVE_PROGRAMS", "")) / "glove"
    if not program.is_file():
        yield {"what": "GloVe", "skipped": "GLOVE_PROGRAMS is not a folder with the program glove"}
        return
    text = _text()
    counts = cooccurrences(text, Contexts(_SETTINGS.window, "harmonic"), np.random.default_rng(0))
    fit(counts[:100, :100].tocsr(), _SETTINGS, np.random.default_rng(0))  # compiles
    with tempfile.TemporaryDirectory() as folder:
        _write(counts, text, Path(folder))
        for threads in (1, 2):
            ours, theirs = [], []
            for seed in range(1, rounds + 1):
                ours.append(_ours(counts, threads, seed))
                theirs.append(_theirs(program, Path(folder), len(text.vocabulary), threads, seed))
            yield _line(text, counts, threads, ours, theirs)


def _text() -> Corpus:
    local_data = LocalData()
    for name in _TEXTS:
        fetch(local_data, catalogue()[name])
    return corpora.read(list(_TEXTS), Preprocessing(), local_data=local_data)


def _write(counts: Any, text: Corpus, folder: Path) -> None:
    """Write the input of the program: records in random order, words with their counts."""
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
    found = fit(counts, _SETTINGS, rng, lambda *_: ends.append(time.perf_counter()))
    return Outcome(found.words, found.contexts, ends)


def _theirs(program: Path, folder: Path, words: int, threads: int, seed: int) -> Outcome:
    options: dict[str, Any] = {
        "input-file": folder / "records.bin",
        "vocab-file": folder / "vocabulary.txt",
        "save-file": folder / "vectors",
        "vector-size": _SETTINGS.dimension,
        "iter": _SETTINGS.epochs,
        "eta": _SETTINGS.learning_rate,
        "x-max": _SETTINGS.x_max,
        "alpha": _SETTINGS.alpha,
        "threads": threads,
        "seed": seed,
        "binary": 1,
    }
    command = [str(program), *(part for k, v in options.items() for part in (f"-{k}", str(v)))]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as running:
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
            for name in _DATASETS
            for key, value in _each(name, _correlation(text, name), ours, theirs, 3).items()
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
    """Half the weighted squared error, averaged over all counts."""
    words, contexts = (np.asarray(part, np.float64) for part in (outcome.words, outcome.contexts))
    total = 0.0
    for word in range(counts.shape[0]):
        row = slice(counts.indptr[word], counts.indptr[word + 1])
        neighbours, values = contexts[counts.indices[row]], counts.data[row]
        products = neighbours[:, :-1] @ words[word, :-1]
        errors = products + words[word, -1] + neighbours[:, -1] - np.log(values)
        weights = np.minimum(1, (values / _SETTINGS.x_max) ** _SETTINGS.alpha)
        total += 0.5 * float(weights @ errors**2)
    return total / counts.nnz


def _correlation(text: Corpus, name: str) -> Callable[[Outcome], float | None]:
    """Spearman correlation with human ratings, if they can be downloaded."""

    def number(outcome: Outcome) -> float | None:
        with suppress(DownloadFailed):
            path = fetch(LocalData(), catalogue()[name])[0]
            pairs = read("pairs", path, name).map_words(Policy().normalise)
            pairs = pairs.take(pairs.covered_by(text.vocabulary))
            vectors = (outcome.words + outcome.contexts)[:, :-1].astype(np.float32)
            embedding = text.embedding("glove", vectors)
            result = Similarity().predict(embedding, pairs, np.random.default_rng(0))
            return float(spearman(result.predicted, result.gold))
        return None

    return number
