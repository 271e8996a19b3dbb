"""Speed of the predictive trainers compared with gensim, on 1 and 2 threads.

All train on the same corpus (7 million tokens) with dimension 100, window 5, 5 negative samples,
subsampling 1e-3, and one epoch. gensim's time is that of `train` alone, from a file or from a list
of sentences, whichever is faster; ours includes initialisation and the extraction of vectors.
Compilation and reading are not included. quality.py measures the quality of the vectors.
"""

import os
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import numpy as np

from lexiscope.core.corpus import Corpus, corpus, sentences_of
from lexiscope.training.spec import trainer_class
from texts import as_lines, grammar, mix

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


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """One line per model and number of threads, and one for three-word sentences."""
    yield _grammar_line(rounds)
    text = mix()
    for threads in (1, 2):
        os.environ["LEXISCOPE_THREADS"] = str(threads)
        runners = _runners(text, threads)
        speeds: dict[str, list[float]] = {name: [] for name in runners}
        for _ in range(rounds):
            for name, runner in runners.items():
                seconds = runner()
                speeds[name].append(len(text) / seconds / 1e6)
        yield from _lines(speeds, threads)


def _runners(text: Corpus, threads: int) -> dict[str, Callable[[], float]]:
    """Functions that return the seconds of a training, by name."""
    sentences, small = sentences_of(text), _small()
    runners: dict[str, Callable[[], float]] = {}
    for name, sg in GENSIM.items():
        runners[f"{name}, file"] = lambda sg=sg: _gensim(text, None, sg, threads)
        runners[f"{name}, list"] = lambda sg=sg: _gensim(text, sentences, sg, threads)
    for name, _, settings in MODELS:
        trainer = trainer_class(name)(epochs=1, **settings)
        trainer.train(small, np.random.default_rng(0))  # compiles
        runners[_named(name, settings)] = lambda trainer=trainer: _ours(text, trainer)
    return runners


def _named(name: str, settings: dict[str, Any]) -> str:
    return ", ".join([name, *(f"{key}={value}" for key, value in settings.items())])


def _ours(text: Corpus, trainer: Any) -> float:
    start = time.perf_counter()
    trainer.train(text, np.random.default_rng(1))
    return time.perf_counter() - start


def _gensim(text: Corpus, sentences: list[list[str]] | None, sg: int, threads: int) -> float:
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
    start = time.perf_counter()
    model.train(
        **source,
        total_examples=model.corpus_count,
        total_words=model.corpus_total_words,
        epochs=1,
    )
    return time.perf_counter() - start


def _lines(speeds: dict[str, list[float]], threads: int) -> Iterator[dict[str, Any]]:
    middle = {name: median(values) for name, values in speeds.items()}
    peers = {p: max(middle[f"{p}, file"], middle[f"{p}, list"]) for p in GENSIM}
    for name, against, settings in MODELS:
        ours = _named(name, settings)
        peer = peers.get(against) or middle[against]
        yield {
            "what": ours,
            "threads": threads,
            "million_tokens_per_second": [round(value, 3) for value in speeds[ours]],
            "against": against,
            "peer_million_tokens_per_second": round(peer, 3),
            "times_faster": round(middle[ours] / peer, 2),
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
        ours.append(_ours(text, trainer(epochs=20, **settings)))
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
