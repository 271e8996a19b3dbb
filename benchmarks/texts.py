"""Training corpora: the registry mix, novels if available, and a synthetic language."""

import os
from functools import cache
from pathlib import Path

import numpy as np

from lexiscope.core.corpus import Corpus, sentences_of
from lexiscope.core.corpus import corpus as corpus_from
from lexiscope.core.preprocessing import Preprocessing
from lexiscope.data import corpora
from lexiscope.data.catalogue import catalogue
from lexiscope.data.download import fetch
from lexiscope.data.local_data import LocalData
from material import folder

MIX = ("wikitext-2", "gutenberg", "sotu", "brown")


@cache
def mix() -> Corpus:
    """WikiText-2, 18 books, speeches and Brown: 7 million tokens."""
    return _published(*MIX)


@cache
def wikitext() -> Corpus:
    """WikiText-2 alone: 2 million tokens."""
    return _published("wikitext-2")


def _published(*names: str) -> Corpus:
    local_data = LocalData()
    for name in names:
        fetch(local_data, catalogue()[name])
    return corpora.read(list(names), Preprocessing(), local_data=local_data)


@cache
def novels() -> Corpus | None:
    """The texts in the file or folder of the environment variable NOVELS."""
    path = os.environ.get("NOVELS")
    return corpora.read([path], Preprocessing(), on_error="replace") if path else None


def grammar(sentences: int = 100_000, seed: int = 0) -> Corpus:
    """Three-word sentences: one of 100 words, between context words that depend on its class."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 2, sentences)
    middle = kind * 50 + rng.integers(0, 50, sentences)
    left, right = (100 + 20 * side + 10 * kind + rng.integers(0, 10, sentences) for side in (0, 1))
    rows = np.stack([left, middle, right], axis=1)
    return corpus_from("grammar", ([f"w{word}" for word in row] for row in rows.tolist()))


def as_lines(corpus: Corpus) -> Path:
    """The tokens of a corpus as a file with one sentence per line, for gensim."""
    path = folder() / f"{len(corpus)}-{len(corpus.vocabulary)}.txt"
    if not path.exists():
        lines = (" ".join(sentence) for sentence in sentences_of(corpus) if sentence)
        path.write_text("\n".join(lines) + "\n", "utf-8")
    return path
