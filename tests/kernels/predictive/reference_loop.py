"""The training loop of the predictive kernels in plain Python, with the same random numbers."""

from typing import NamedTuple

import numpy as np

from lexiscope.kernels.predictive.training_loop import Text
from lexiscope.kernels.rng import alias_table

_BITS = (1 << 64) - 1


class Step(NamedTuple):
    """A centre word, its context words with their relative positions, and its negative samples."""

    learning_rate: float
    target: int
    context: list[tuple[int, int]]  # (offset, word): offset -1 is the word just before
    negative: list[int]
    sentence: int


class ReferenceRng:
    """64 random bits at a time."""

    def __init__(self, seed):
        self.state = seed

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & _BITS
        bits = ((self.state ^ (self.state >> 30)) * 0xBF58476D1CE4E5B9) & _BITS
        bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & _BITS
        return bits ^ (bits >> 31)

    def below(self, limit):
        return ((self.bits() >> 32) * limit) >> 32

    def sample(self, table):
        bits = self.bits()
        index = ((bits >> 32) * len(table)) >> 32
        own, other = int(table[index]) >> 32, int(table[index]) & 0xFFFFFFFF
        return index if bits & 0xFFFFFFFF < own else other


def steps(text, segment, window, dynamic_window, negative, isolated=False):
    """The steps of a segment in order; with `isolated`, also those of words without context."""
    rng = ReferenceRng(segment.seed)
    negatives = [rng.sample(text.negative_table) for _ in range(negative)]
    first = int(text.starts[segment.begin])
    for sentence in range(segment.begin, segment.end):
        begin, end = text.starts[sentence : sentence + 2].tolist()
        words = [int(w) for w in text.tokens[begin:end] if rng.bits() >> 32 < text.keep[w]]
        learning_rate = float(np.float32(segment.learning_rate - segment.decay * (begin - first)))
        for i, target in enumerate(words):
            reach = window - rng.below(window) if dynamic_window else window
            near = range(max(0, i - reach), min(len(words), i + reach + 1))
            context = [(j - i, words[j]) for j in near if j != i]
            if context or isolated:
                yield Step(learning_rate, target, context, negatives, sentence)
                negatives = [rng.sample(text.negative_table) for _ in range(negative)]


def text_of(sentences, words, keep=1.0, negative_weights=None):
    """A text of word indices; `keep` is the probability of a word to survive subsampling."""
    starts = np.cumsum([0, *map(len, sentences)]).astype(np.int64)
    tokens = np.array([word for sentence in sentences for word in sentence], np.int32)
    thresholds = np.ceil(np.broadcast_to(keep, words) * 2.0**32).astype(np.uint64)
    weights = (
        np.ones(words) if negative_weights is None else np.asarray(negative_weights, np.float64)
    )
    return Text(tokens, starts, thresholds, alias_table(weights))


def random_text(words=30, sentences=12, longest=9, seed=0):
    """Sentences of random words, some empty, some of one word, with repeated words."""
    rng = np.random.default_rng(seed)
    weights = 1 / np.arange(1, words + 1)
    lengths = [0, 1, 2, *rng.integers(3, longest + 1, sentences - 3).tolist()]
    sampled = [rng.choice(words, n, p=weights / weights.sum()).tolist() for n in lengths]
    return text_of(sampled, words, np.linspace(0.6, 1.0, words), weights**0.75)


def random_table(rows, dimension, seed=0, slots=1, size=0.5):
    """Rows of vectors padded with zeros to a multiple of eight numbers, as kernels expect them."""
    width = -(-dimension // 8) * 8
    table = np.zeros((rows, slots, width), np.float32)
    table[:, :, :dimension] = size * np.random.default_rng(seed).standard_normal(
        (rows, slots, dimension)
    )
    return table.reshape(rows, slots * width)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))
