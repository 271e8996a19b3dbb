"""Constructed cases: embeddings whose true order is known, evaluated by the public interface."""

import numpy as np

import lexiscope
from lexiscope.core.embedding import embedding
from tests.builders import synthetic_words, word_pairs

ITEMS = 150
WORDS = synthetic_words(2 * ITEMS)
TRUE = np.random.default_rng(30).normal(size=(2 * ITEMS, 12))
_UNIT = TRUE / np.linalg.norm(TRUE, axis=1, keepdims=True)
# Each word occurs in one pair, so the first 2k words cover the first k items.
RATED = [
    (WORDS[k], WORDS[k + 1], float(_UNIT[k] @ _UNIT[k + 1])) for k in range(0, 2 * ITEMS, 2)
]  # fmt: skip
PAIRS = word_pairs(*RATED)
LESS = word_pairs(*RATED[:100], name="less")
REVERSED = word_pairs(*((a, b, -rating) for a, b, rating in RATED), name="reversed")


def noisy(name, noise, seed=1, items=ITEMS):
    """The true vectors with noise, for the words of the first items."""
    vectors = TRUE + noise * np.random.default_rng(seed).normal(size=TRUE.shape)
    return embedding(name, WORDS[: 2 * items], vectors[: 2 * items])


GOOD = noisy("good", 0.3)
BAD = noisy("bad", 3.0, seed=2)
# Nearly the true vectors, for 5 of 150 items: a perfect correlation that says nothing.
TINY = noisy("tiny", 0.01, seed=3, items=5)


def evaluated(*embeddings, datasets=(PAIRS,), tasks="similarity", **options):
    return lexiscope.run(
        {each.name: each for each in embeddings}, tasks, list(datasets), **options
    )  # fmt: skip
