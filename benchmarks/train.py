"""Speed of the predictive trainers compared with gensim, on 1 and 2 threads.

All train on the same corpus (7 million tokens) with dimension 100, window 5, 5 negative samples,
subsampling 1e-3, and one epoch. gensim's time is that of `train` alone, from a file or from a list
of sentences, whichever is faster; ours includes initialisation and the extraction of vectors.
Compilation and reading are not included. Ratios are in CPU time of the process, which other jobs
on the machine change little, and in wall-clock time. quality.py measures the quality of the
vectors. `python benchmarks/train.py --rounds 3 --text wikitext-2 --model cbow` measures the
rows of some models only, on a smaller corpus.
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from lexiscope.core.corpus import Corpus, corpus, sentences_of
from lexiscope.training.spec import trainer_class
from texts import as_lines, grammar, mix, wikitext

# our trainer, the model it is compared with, and settings other than the defaults
MODELS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("skipgram", "gensim skip-gram", {}),
    ("skipgram", "gensim skip-gram", {"shards": 1}),
    ("skipgram", "gensim skip-gram", {"hogwild": True}),
    ("cbow", "gensim CBOW", {}),
    ("cbow", "gensim CBOW", {"shards": 1}),
    ("cbow", "gensim CBOW", {"hogwild": True}),
    ("structured", "gensim skip-gram", {}),
    ("structured", "gensim skip-gram", {"dynamic_window": True}),
    ("cwindow", "gensim skip-gram", {}),
    ("cwindow", "gensim skip-gram", {"dynamic_window": True}),
    ("cbow", "cbow", {"dynamic_window": False}),
    ("lbl", "cbow, dynamic_window=False", {}),
    ("attention", "cbow, dynamic_window=False", {}),
    ("senna", "cbow, dynamic_window=False", {"dimension": 100}),
    ("pdc", "cbow", {}),
    ("hdc", "skipgram", {}),
)
GENSIM = {"gensim skip-gram": 1, "gensim CBOW": 0}


class Seconds(NamedTuple):
    """Duration of a training."""

    cpu: float
    wall: float


def main() -> None:
    """Measure the chosen rows and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--text", choices=["mix", "wikitext-2"], default="mix")
    parser.add_argument("--threads", type=int, action="append")
    parser.add_argument("--model", action="append", help="these of our models instead of all")
    chosen = parser.parse_args()
    text = mix() if chosen.text == "mix" else wikitext()
    models = [row for row in MODELS if chosen.model is None or row[0] in chosen.model]
    for threads in chosen.threads or (1, 2):
        for line in _compare(text, models, threads, chosen.rounds):
            print(json.dumps(line), flush=True)


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """One line per model and number of threads, and one for three-word sentences."""
    yield _grammar_line(rounds)
    for threads in (1, 2):
        yield from _compare(mix(), list(MODELS), threads, rounds)


def _compare(
    text: Corpus, models: list[tuple[str, str, dict[str, Any]]], threads: int, rounds: int
) -> Iterator[dict[str, Any]]:
    os.environ["LEXISCOPE_THREADS"] = str(threads)
    runners = _runners(text, models, threads)
    seconds: dict[str, list[Seconds]] = {name: [] for name in runners}
    for _ in range(rounds):
        for name, runner in runners.items():
            seconds[name].append(runner())
    yield from _lines(seconds, models, len(text), threads)


def _runners(
    text: Corpus, models: list[tuple[str, str, dict[str, Any]]], threads: int
) -> dict[str, Callable[[], Seconds]]:
    """Functions that return the seconds of a training, by name."""
    sentences, small = sentences_of(text), _small()
    runners: dict[str, Callable[[], Seconds]] = {}
    for name, sg in GENSIM.items():
        if any(peer == name for _, peer, _ in models):
            runners[f"{name}, file"] = lambda sg=sg: _gensim(text, None, sg, threads)
            runners[f"{name}, list"] = lambda sg=sg: _gensim(text, sentences, sg, threads)
    for name, _, settings in models:
        trainer = trainer_class(name)(epochs=1, **settings)
        for shards in (1, 2):  # compiles, also the merging of shards
            trainer_class(name)(epochs=1, **{**settings, "shards": shards}).train(
                small, np.random.default_rng(0)
            )
        runners[_named(name, settings)] = lambda trainer=trainer: _ours(text, trainer)
    return runners


def _named(name: str, settings: dict[str, Any]) -> str:
    return ", ".join([name, *(f"{key}={value}" for key, value in settings.items())])


def _timed(run: Callable[[], Any]) -> Seconds:
    cpu, wall = time.process_time(), time.perf_counter()
    run()
    return Seconds(time.process_time() - cpu, time.perf_counter() - wall)


def _ours(text: Corpus, trainer: Any) -> Seconds:
    return _timed(lambda: trainer.train(text, np.random.default_rng(1)))


def _gensim(text: Corpus, sentences: list[list[str]] | None, sg: int, threads: int) -> Seconds:
    """The seconds of one epoch."""
    from gensim.models import Word2Vec

    alpha = 0.025 if sg else 0.05
    model = Word2Vec(sg=sg, alpha=alpha, min_count=1, workers=threads)
    source = (
        {"corpus_file": str(as_lines(text))}
        if sentences is None
        else {"corpus_iterable": sentences}
    )
    model.build_vocab(**source)
    return _timed(
        lambda: model.train(
            **source,
            total_examples=model.corpus_count,
            total_words=model.corpus_total_words,
            epochs=1,
        )
    )


def _lines(
    seconds: dict[str, list[Seconds]],
    models: list[tuple[str, str, dict[str, Any]]],
    tokens: int,
    threads: int,
) -> Iterator[dict[str, Any]]:
    middle = {
        name: Seconds(*map(median, zip(*each, strict=True))) for name, each in seconds.items()
    }
    for name, against, settings in models:
        ours = middle[_named(name, settings)]
        peers = [
            middle[key]
            for key in (against, f"{against}, file", f"{against}, list")
            if key in middle
        ]
        cpu, wall = min(peer.cpu for peer in peers), min(peer.wall for peer in peers)
        yield {
            "what": _named(name, settings),
            "threads": threads,
            "cpu_seconds": [round(each.cpu, 2) for each in seconds[_named(name, settings)]],
            "million_tokens_per_second": round(tokens / ours.wall / 1e6, 3),
            "against": against,
            "peer_cpu_seconds": round(cpu, 2),
            "peer_million_tokens_per_second": round(tokens / wall / 1e6, 3),
            "times_faster_cpu": round(cpu / ours.cpu, 2),
            "times_faster": round(wall / ours.wall, 2),
        }


def _grammar_line(rounds: int) -> dict[str, Any]:
    """100,000 three-word sentences, window 1, 20 epochs, 50 dimensions, one thread."""
    from gensim.models import Word2Vec

    os.environ["LEXISCOPE_THREADS"] = "1"
    text = grammar()
    settings = {"window": 1, "dynamic_window": False, "subsample": 0.0, "dimension": 50}
    sentences, trainer = sentences_of(text), trainer_class("skipgram")
    trainer(epochs=1, **settings).train(_small(), np.random.default_rng(0))  # compiles
    ours, theirs = [], []
    for seed in range(rounds):
        ours.append(_ours(text, trainer(epochs=20, **settings)).wall)
        start = time.perf_counter()
        Word2Vec(
            sentences,
            vector_size=50,
            window=1,
            sample=0,
            min_count=1,
            sg=1,
            workers=1,
            epochs=20,
            seed=seed,
        )
        theirs.append(time.perf_counter() - start)
    return {
        "what": "skip-gram on 100,000 three-word sentences, 20 epochs",
        "threads": 1,
        "seconds": [round(value, 3) for value in ours],
        "gensim_seconds": [round(value, 2) for value in theirs],
        "times_faster": round(median(theirs) / median(ours), 2),
    }


def _small() -> Corpus:
    return corpus("small", [[f"w{n % 29}" for n in range(k, k + 9)] for k in range(40)])


if __name__ == "__main__":
    main()
