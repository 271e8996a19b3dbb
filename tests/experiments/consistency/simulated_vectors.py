"""Simulated vectors of terms, some of them learnable."""

import numpy as np

from lexiscope.core.contracts.term_model import Background
from lexiscope.experiments.consistency.results import ALL, TermVectors

DIMENSION, WORDS, TERMS = 20, 400, 50


def background(terms=()):
    """A background that has the first half of the terms."""
    rng = np.random.default_rng(0)
    known = tuple(terms)[: len(terms) // 2]
    words = known + tuple(f"word{n}" for n in range(WORDS - len(known)))
    counts = np.arange(WORDS, 0, -1) * 10
    return Background(words, (rng.normal(size=(WORDS, DIMENSION)) + 0.5).astype("f4"), counts)


def names(number=TERMS):
    """Names of terms."""
    return tuple(f"term {n}" if n % 5 == 0 else f"term{n}" for n in range(number))


def simulated(model="additive", split="random", terms=None, strength=1.0, seed=1):
    """Vectors with a common mean; the first half of the terms has a direction of its own."""
    terms = names() if terms is None else terms
    number, rng = len(terms), np.random.default_rng(seed)
    own = np.random.default_rng(9).normal(size=(number, DIMENSION)) * strength
    own[number // 2 :] = 0
    frequency = np.arange(number) % 25 * 4 + 10
    samples = 5 if split == "random" else 2

    def drawn(count, sentences):
        return tuple(
            0.7 + own[t] + rng.normal(size=(count, DIMENSION)) / np.sqrt(sentences(t))
            for t in range(number)
        )

    by_size = {n: drawn(2, lambda _, n=n: n) for n in (1, 2, 4)}
    by_size[ALL] = drawn(2, lambda t: frequency[t] / 2)
    space = background(terms)
    rows = {word: row for row, word in enumerate(space.words)}
    vectors = [space.vectors[rows[t]] if t in rows else np.full(DIMENSION, np.nan) for t in terms]
    return TermVectors(
        model,
        split,
        terms,
        frequency,
        np.array([int(space.counts[rows[t]]) if t in rows else 0 for t in terms], np.int64),
        drawn(samples, lambda t: min(10, frequency[t] // 5)),
        tuple((int(min(10, f // 5)),) * samples for f in frequency),
        np.array(vectors).reshape(number, DIMENSION),
        by_size,
    )
