"""Slow and obvious counts, written from the definitions."""

from collections import Counter
from fractions import Fraction

import numpy as np

from lexiscope.core.corpus import Corpus
from lexiscope.core.vocabulary import Vocabulary

_MASK = (1 << 64) - 1


def text(sentences, words):
    """A corpus from sentences of word numbers."""
    tokens = np.array([token for sentence in sentences for token in sentence], np.int32)
    starts = np.cumsum([0, *map(len, sentences)]).astype(np.int64)
    return Corpus("text", Vocabulary(tuple(f"w{n}" for n in range(words))), tokens, starts)


def zipf(words, tokens, seed=0):
    """Random sentences of up to 20 words, frequent and rare ones, with empty sentences."""
    rng = np.random.default_rng(seed)
    chances = 1 / np.arange(2, words + 2)
    drawn = rng.choice(words, tokens, p=chances / chances.sum()).astype(np.int32)
    ends = np.cumsum(rng.integers(0, 21, tokens))
    starts = np.concatenate([[0], ends[ends < tokens], [tokens]]).astype(np.int64)
    return Corpus("zipf", Vocabulary(tuple(f"w{n}" for n in range(words))), drawn, starts)


def splitmix(seed, place):
    """Random bits of a place."""
    z = (seed + (place + 1) * 0x9E3779B97F4A7C15) & _MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
    return z ^ z >> 31


def weight(contexts, distance):
    """How much a context counts at a distance."""
    if contexts.weights == "flat":
        return Fraction(1)
    if contexts.weights == "linear":
        return Fraction(contexts.window - distance + 1, contexts.window)
    return Fraction(1, distance)


def drawn(sentences, contexts, seed):
    """Sentences of (word or None, window) after dropping."""
    counts = Counter(token for sentence in sentences for token in sentence)
    total = sum(counts.values())
    dropping, windows = np.random.default_rng(seed).integers(0, 1 << 63, 2).tolist()
    place, result = 0, []
    for sentence in sentences:
        row = []
        for token in sentence:
            frequency = counts[token] / total
            chance = 1.0
            if contexts.subsample and frequency > contexts.subsample:
                chance = (contexts.subsample / frequency) ** 0.5
            stays = (splitmix(dropping, place) >> 11) / 2**53 < chance
            window = contexts.window
            if contexts.dynamic:
                window = 1 + ((splitmix(windows, place) >> 32) * contexts.window >> 32)
            row.append((token if stays else None, window))
            place += 1
        if contexts.delete:
            row = [pair for pair in row if pair[0] is not None]
        result.append(row)
    return result


def pairs(sentences, contexts, seed):
    """Every (word, context word, places off), the window being the word's."""
    for sentence in drawn(sentences, contexts, seed):
        for i, (centre, window) in enumerate(sentence):
            for j, (other, _) in enumerate(sentence):
                if i != j and abs(i - j) <= window and None not in (centre, other):
                    yield centre, other, j - i


def twin(sentences, words, contexts, seed=0):
    """The whole matrix, by exact fractions."""
    sums = Counter()
    for centre, other, off in pairs(sentences, contexts, seed):
        sums[centre, other] += weight(contexts, abs(off))
    matrix = np.zeros((words, words))
    for place, value in sums.items():
        matrix[place] = float(value)
    return matrix


def same_bytes(one, other):
    """Whether two CSR matrices are equal to the last bit."""
    return all(
        getattr(one, name).tobytes() == getattr(other, name).tobytes()
        for name in ("data", "indices", "indptr")
    )
