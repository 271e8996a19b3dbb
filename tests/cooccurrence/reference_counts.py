"""Slow reference counts of contexts, written directly from the definitions."""

from collections import Counter
from fractions import Fraction

import numpy as np

from lexiscope.core.corpus import Corpus
from lexiscope.core.vocabulary import Vocabulary

_MASK = (1 << 64) - 1


def corpus_of(sentences, words):
    """A corpus from sentences of word indices."""
    tokens = np.array([token for sentence in sentences for token in sentence], np.int32)
    starts = np.cumsum([0, *map(len, sentences)]).astype(np.int64)
    return Corpus("text", Vocabulary(tuple(f"w{n}" for n in range(words))), tokens, starts)


def zipf(words, tokens, seed=0):
    """A random corpus with Zipfian word frequencies and sentences of 0 to 20 words."""
    rng = np.random.default_rng(seed)
    weights = 1 / np.arange(2, words + 2)
    sampled = rng.choice(words, tokens, p=weights / weights.sum()).astype(np.int32)
    ends = np.cumsum(rng.integers(0, 21, tokens))
    starts = np.concatenate([[0], ends[ends < tokens], [tokens]]).astype(np.int64)
    return Corpus("zipf", Vocabulary(tuple(f"w{n}" for n in range(words))), sampled, starts)


def splitmix(seed, position):
    """Random bits of a token position (splitmix64)."""
    z = (seed + (position + 1) * 0x9E3779B97F4A7C15) & _MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
    return z ^ z >> 31


def weight(contexts, distance):
    """Weight of a context word at a distance."""
    if contexts.weights == "flat":
        return Fraction(1)
    if contexts.weights == "linear":
        return Fraction(contexts.window - distance + 1, contexts.window)
    return Fraction(1, distance)


def subsampled(sentences, contexts, seed):
    """Sentences of (word, window) after subsampling; the word is None where it is dropped."""
    counts = Counter(token for sentence in sentences for token in sentence)
    total = sum(counts.values())
    drop_seed, window_seed = np.random.default_rng(seed).integers(0, 1 << 63, 2).tolist()
    position, result = 0, []
    for sentence in sentences:
        row = []
        for token in sentence:
            frequency = counts[token] / total
            probability = 1.0
            if contexts.subsample and frequency > contexts.subsample:
                probability = (contexts.subsample / frequency) ** 0.5
            stays = (splitmix(drop_seed, position) >> 11) / 2**53 < probability
            window = contexts.window
            if contexts.dynamic_window:
                window = 1 + ((splitmix(window_seed, position) >> 32) * contexts.window >> 32)
            row.append((token if stays else None, window))
            position += 1
        if contexts.delete:
            row = [pair for pair in row if pair[0] is not None]
        result.append(row)
    return result


def pairs(sentences, contexts, seed):
    """Every (word, context word, relative position) within the window of the word."""
    for sentence in subsampled(sentences, contexts, seed):
        for i, (centre, window) in enumerate(sentence):
            for j, (other, _) in enumerate(sentence):
                if i != j and abs(i - j) <= window and None not in (centre, other):
                    yield centre, other, j - i


def reference_cooccurrences(sentences, words, contexts, seed=0):
    """The whole matrix, in exact fractions."""
    sums = Counter()
    for centre, other, offset in pairs(sentences, contexts, seed):
        sums[centre, other] += weight(contexts, abs(offset))
    matrix = np.zeros((words, words))
    for cell, value in sums.items():
        matrix[cell] = float(value)
    return matrix


def same_bytes(one, other):
    """Whether two CSR matrices are equal bit for bit."""
    return all(
        getattr(one, name).tobytes() == getattr(other, name).tobytes()
        for name in ("data", "indices", "indptr")
    )
