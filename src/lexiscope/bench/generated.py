"""Data made by chance, for a look without a network. It says nothing about language.

Words belong to topics and come in two forms; vectors are topic + form + something of their own,
and ratings follow the topics. So every task has something to find.
"""

import numpy as np
from numpy.random import default_rng
from numpy.typing import NDArray

from lexiscope.core.dataset import word_array
from lexiscope.core.datasets import Analogies, Categories, Questions, WordPairs
from lexiscope.core.embedding import Embedding
from lexiscope.core.vocabulary import Vocabulary

_TOPICS, _STEMS, _DIMENSION = 20, 40, 50


def _words() -> list[str]:
    """Stems of each topic, first in one form, then in the other, the topics taking turns."""
    stems = [f"topic{t:02d}word{s:02d}" for s in range(_STEMS) for t in range(_TOPICS)]
    return [stem + form for stem in stems for form in ("", "s")]


def embedding(seed: int, noise: float = 0.4) -> Embedding:
    """A vector for every generated word."""
    rng = default_rng(seed)
    topics = rng.normal(size=(_TOPICS, _DIMENSION))
    form = rng.normal(size=_DIMENSION)
    own = rng.normal(size=(_STEMS * _TOPICS, _DIMENSION))
    stems = topics[np.arange(len(own)) % _TOPICS] + 0.6 * own
    both = np.stack([stems, stems + form], axis=1).reshape(-1, _DIMENSION)
    vectors = both + noise * default_rng(seed + 1).normal(size=both.shape)
    return Embedding("generated", Vocabulary(tuple(_words())), vectors.astype(np.float32))


def pairs(seed: int, number: int = 500) -> WordPairs:
    """Pairs of words, rated high within a topic and low across topics, with some disagreement."""
    rng = default_rng(seed + 2)
    words = word_array(_words())
    left, right = rng.integers(0, len(words), (2, number))
    same = rng.random(number) < 0.4
    right = np.where(
        same, left % (2 * _TOPICS) + 2 * _TOPICS * rng.integers(0, _STEMS, number), right
    )
    rating: NDArray[np.float64] = 3 + 4.0 * same + rng.normal(size=number)
    return WordPairs("generated-pairs", words[left], words[right], np.round(rating, 2))


def analogies(seed: int, number: int = 400) -> Analogies:
    """Questions from one form to the other."""
    rng = default_rng(seed + 3)
    words = word_array(_words())
    first, second = 2 * rng.integers(0, len(words) // 2, (2, number))
    different = first != second
    first, second = first[different], second[different]
    section = word_array(["forms"] * len(first))
    return Analogies(
        "generated-analogies",
        words[first],
        words[first + 1],
        words[second],
        words[second + 1],
        section,
    )


def questions(seed: int, number: int = 200) -> Questions:
    """A word, another of its topic, and three of other topics, in any order."""
    rng = default_rng(seed + 4)
    rows = []
    for _ in range(number):
        own, *others = rng.permutation(_TOPICS)[:4]
        first, second = rng.permutation(_STEMS)[:2]
        answer = _word(own, second)
        options = [answer, *(_word(topic, int(rng.integers(_STEMS))) for topic in others)]
        rows.append((_word(own, first), *(options[k] for k in rng.permutation(4)), answer))
    return Questions("generated-questions", *map(word_array, zip(*rows, strict=True)))


def categories(seed: int, number: int = 12) -> Categories:
    """Words of some topics, which are their categories."""
    rng = default_rng(seed + 5)
    rows = [
        (_word(topic, stem), f"topic{topic:02d}")
        for topic in range(8)
        for stem in rng.permutation(_STEMS)[:number]
    ]
    return Categories("generated-categories", *map(word_array, zip(*rows, strict=True)))


def _word(topic: int, stem: int) -> str:
    return f"topic{topic:02d}word{stem:02d}"
