"""A background and samples of terms, and plain-Python versions of the random numbers."""

import numpy as np

from lexiscope.core.contracts.term_model import TERM, UNKNOWN, Background

MASK = 2**64 - 1


def background(words=60, dimension=7, seed=0, counts=True, output=True):
    rng = np.random.default_rng(seed)
    frequencies = (20_000 / np.arange(1, words + 1)).astype(np.int64)
    return Background(
        tuple(f"w{n}" for n in range(words)),
        rng.normal(size=(words, dimension)).astype(np.float32),
        frequencies if counts else None,
        rng.normal(size=(words, dimension)).astype(np.float32) if output else None,
    )


def samples(number=12, sentences=6, words=60, seed=1):
    """Sentences of up to 30 tokens with one to three occurrences of the term."""
    rng = np.random.default_rng(seed)
    return [
        tuple(_sentence(rng, words) for _ in range(rng.integers(1, sentences + 1)))
        for _ in range(number)
    ]


def _sentence(rng, words):
    line = rng.integers(-1, words, rng.integers(2, 31))
    line[rng.integers(0, len(line), rng.integers(1, 4))] = TERM
    return line


def generator(sample):
    return np.random.default_rng([7, sample])


class SplitMix:
    """splitmix64 with integers of Python, and the alias table of the kernels."""

    def __init__(self, state):
        self.state = int(state)

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        mixed = ((self.state ^ (self.state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        return mixed ^ (mixed >> 31)

    def uniform(self):
        return (self.bits() >> 11) / 2**53

    def index(self, table):
        bits = self.bits()
        index = ((bits >> 32) * len(table)) >> 32
        entry = int(table[index])
        return index if (bits & 0xFFFFFFFF) < (entry >> 32) else entry & 0xFFFFFFFF


def slow_sum(model, sample, space, rng):
    """The additive vector of a sample, word by word, and whether there is any context word."""
    keep = None
    if model.subsample and space.counts is not None:
        t = model.subsample * space.counts.sum()
        keep = [min(1.0, (t / c) ** 0.5 + t / c) for c in space.counts]
        draws = iter(rng.random(sum(map(len, sample))))
    lines = []
    for sentence in sample:
        line = []
        for code in sentence:
            stays = keep is None or next(draws) < (keep[code] if code >= 0 else 1.0)
            line.append(code if stays or code == TERM else UNKNOWN)
        lines.append(line)
    found = _words(model, lines) or _words(model, sample)
    if not found:
        return np.full(space.dimension, np.nan)
    return np.sum([space.vectors[word].astype(float) for word in found], axis=0)


def _words(model, lines):
    found = []
    for sentence in lines:
        line = [code for code in sentence if code != UNKNOWN]
        for position, code in enumerate(line):
            if code != TERM:
                continue
            near = line[max(0, position - model.window) : position + model.window + 1]
            if model.contexts == "window":
                found += [word for word in near if word >= 0]
        if model.contexts != "window" and TERM in line:
            found += [word for word in line if word >= 0]
    return sorted(set(found)) if model.contexts == "types" else found
