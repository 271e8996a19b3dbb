"""The walk of the predictive kernels in plain Python: the same draws, one thing at a time."""

from typing import NamedTuple

import numpy as np

from lexiscope.kernels.chance import alias_table
from lexiscope.kernels.walking import Text

_BITS = (1 << 64) - 1


class Step(NamedTuple):
    """A word in the middle, what stands how far from it, and the words drawn against it."""

    rate: float
    target: int
    around: list[tuple[int, int]]  # (offset, word): offset -1 is the word just before
    negatives: list[int]
    sentence: int


class Chance:
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

    def drawn(self, table):
        bits = self.bits()
        place = ((bits >> 32) * len(table)) >> 32
        own, other = int(table[place]) >> 32, int(table[place]) & 0xFFFFFFFF
        return place if bits & 0xFFFFFFFF < own else other


def steps(text, piece, window, dynamic, negatives, lonely=False):
    """The steps of a piece, in order; `lonely` ones too, if words without neighbours have any."""
    chance = Chance(piece.seed)
    coming = [chance.drawn(text.noise) for _ in range(negatives)]
    first = int(text.starts[piece.begin])
    for sentence in range(piece.begin, piece.end):
        begin, end = text.starts[sentence : sentence + 2].tolist()
        words = [int(w) for w in text.tokens[begin:end] if chance.bits() >> 32 < text.keep[w]]
        rate = float(np.float32(piece.rate - piece.fall * (begin - first)))
        for i, target in enumerate(words):
            reach = window - chance.below(window) if dynamic else window
            near = range(max(0, i - reach), min(len(words), i + reach + 1))
            around = [(j - i, words[j]) for j in near if j != i]
            if around or lonely:
                yield Step(rate, target, around, coming, sentence)
                coming = [chance.drawn(text.noise) for _ in range(negatives)]


def text_of(sentences, words, keep=1.0, noise=None):
    """A text of word numbers; `keep` is how likely words are to stay."""
    starts = np.cumsum([0, *map(len, sentences)]).astype(np.int64)
    tokens = np.array([word for sentence in sentences for word in sentence], np.int32)
    chances = np.ceil(np.broadcast_to(keep, words) * 2.0**32).astype(np.uint64)
    weights = np.ones(words) if noise is None else np.asarray(noise, np.float64)
    return Text(tokens, starts, chances, alias_table(weights))


def random_text(words=30, sentences=12, longest=9, seed=0):
    """Sentences of random words, some empty, some of one word, with repeated words."""
    rng = np.random.default_rng(seed)
    weights = 1 / np.arange(1, words + 1)
    lengths = [0, 1, 2, *rng.integers(3, longest + 1, sentences - 3).tolist()]
    drawn = [rng.choice(words, n, p=weights / weights.sum()).tolist() for n in lengths]
    return text_of(drawn, words, np.linspace(0.6, 1.0, words), weights**0.75)


def random_table(rows, dimension, seed=0, slots=1, size=0.5):
    """Rows of vectors padded with zeros to a multiple of eight numbers, as kernels want them."""
    width = -(-dimension // 8) * 8
    table = np.zeros((rows, slots, width), np.float32)
    table[:, :, :dimension] = size * np.random.default_rng(seed).standard_normal(
        (rows, slots, dimension)
    )
    return table.reshape(rows, slots * width)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))
