"""Texts to train on: the registry mix, novels where they are at hand, and a made-up grammar."""

import os
from functools import cache
from pathlib import Path

import numpy as np

from lexiscope.core.corpus import Corpus, sentences_of
from lexiscope.core.corpus import corpus as corpus_from
from lexiscope.core.preparation import Preparation
from lexiscope.data import corpora
from lexiscope.data.catalogue import catalogue
from lexiscope.data.fetching import fetch
from lexiscope.data.library import Library
from material import folder

MIX = ("wikitext-2", "gutenberg", "sotu", "brown")


@cache
def mix() -> Corpus:
    """WikiText-2, 18 books, speeches and Brown: 7 million words."""
    library = Library()
    for name in MIX:
        fetch(library, catalogue()[name])
    return corpora.read(list(MIX), Preparation(), library=library)


@cache
def novels() -> Corpus | None:
    """The texts of the file or folder that NOVELS names."""
    place = os.environ.get("NOVELS")
    return corpora.read([place], Preparation(), on_error="replace") if place else None


def grammar(sentences: int = 100_000, seed: int = 0) -> Corpus:
    """Three-word sentences: one of 50 words between neighbours that tell its kind."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 2, sentences)
    middle = kind * 50 + rng.integers(0, 50, sentences)
    left, right = (100 + 20 * side + 10 * kind + rng.integers(0, 10, sentences) for side in (0, 1))
    rows = np.stack([left, middle, right], axis=1)
    return corpus_from("grammar", ([f"w{word}" for word in row] for row in rows.tolist()))


def as_lines(corpus: Corpus) -> Path:
    """The very words of a corpus as a file with a sentence a line, for gensim."""
    path = folder() / f"{len(corpus)}-{len(corpus.vocabulary)}.txt"
    if not path.exists():
        lines = (" ".join(sentence) for sentence in sentences_of(corpus) if sentence)
        path.write_text("\n".join(lines) + "\n", "utf-8")
    return path
