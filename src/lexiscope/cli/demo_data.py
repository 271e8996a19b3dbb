"""Generated data for a demonstration without a network. It says nothing about language.

Words belong to topics and have two forms. A vector is the sum of a topic, a form and noise, and
ratings follow the topics, so that every task has a signal.
"""

import numpy as np
from numpy.random import default_rng
from numpy.typing import NDArray

from lexiscope.core.datasets import Analogies, Categories, SynonymQuestions, WordPairs
from lexiscope.core.datasets.base import word_array
from lexiscope.core.embedding import Embedding
from lexiscope.core.vocabulary import Vocabulary

_TOPICS, _STEMS, _DIMENSION = 20, 40, 50


def _words() -> list[str]:
    """Two forms of each stem, with the topics interleaved."""
    stems = [f"topic{t:02d}word{s:02d}" for s in range(_STEMS) for t in range(_TOPICS)]
    return [stem + form for stem in stems for form in ("", "s")]


def embedding(seed: int, noise: float = 0.4) -> Embedding:
    """Return an embedding of all generated words."""
    rng = default_rng(seed)
    topics = rng.normal(size=(_TOPICS, _DIMENSION))
    form = rng.normal(size=_DIMENSION)
    own = rng.normal(size=(_STEMS * _TOPICS, _DIMENSION))
    stems = topics[np.arange(len(own)) % _TOPICS] + 0.6 * own
    both = np.stack([stems, stems + form], axis=1).reshape(-1, _DIMENSION)
    vectors = both + noise * default_rng(seed + 1).normal(size=both.shape)
    return Embedding("generated", Vocabulary(tuple(_words())), vectors.astype(np.float32))


def pairs(seed: int, number: int = 500) -> WordPairs:
    """Return word pairs, rated high within a topic and low across topics, with noise."""
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
    """Return analogy questions from one form to the other."""
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


def synonym_questions(seed: int, number: int = 200) -> SynonymQuestions:
    """Return questions with an answer of the same topic and three words of other topics."""
    rng = default_rng(seed + 4)
    rows = []
    for _ in range(number):
        own, *others = rng.permutation(_TOPICS)[:4]
        first, second = rng.permutation(_STEMS)[:2]
        answer = _word(own, second)
        options = [answer, *(_word(topic, int(rng.integers(_STEMS))) for topic in others)]
        rows.append((_word(own, first), *(options[k] for k in rng.permutation(4)), answer))
    return SynonymQuestions("generated-questions", *map(word_array, zip(*rows, strict=True)))


def categories(seed: int, number: int = 12) -> Categories:
    """Return the words of some topics, with the topics as categories."""
    rng = default_rng(seed + 5)
    rows = [
        (_word(topic, stem), f"topic{topic:02d}")
        for topic in range(8)
        for stem in rng.permutation(_STEMS)[:number]
    ]
    return Categories("generated-categories", *map(word_array, zip(*rows, strict=True)))


def _word(topic: int, stem: int) -> str:
    return f"topic{topic:02d}word{stem:02d}"
