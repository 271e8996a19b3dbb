"""Nonce2Vec of 250 terms with five samples of ten sentences: loops in NumPy, and ours.

The released program needs gensim 3, so the loops stand for it: one step per pair, with the NumPy
calls of its `train_sg_pair`. `updates` gets the sums and all random decisions of our kernel
ready-made and must give the same vectors. `loop` makes its own, as the program does, but neither
reloads the background for each sample nor visits the whole vocabulary after each sentence.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit

import clock
from lexiscope.core.contracts.term_model import TERM, Background, Sample
from lexiscope.kernels.rng import alias_table
from lexiscope.learners.term_models.additive import Additive
from lexiscope.learners.term_models.nonce2vec import Nonce2vec

_WORDS, _DIMENSION, _SAMPLES, _SENTENCES, _LENGTH = 50_000, 100, 1_250, 10, 25
_TOKENS = 1.6e9
_MODEL = Nonce2vec(subsample=0)


class Step(NamedTuple):
    """The rows of a word and its negative samples, and the learning rate."""

    rows: list[int]
    rate: float


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """Yield one result."""
    background, samples = _background(), _samples()
    sums = Additive(subsample=0).vectors(samples, background, _generator)
    steps = [_steps(sample, background, n) for n, sample in enumerate(samples)]
    found: dict[str, np.ndarray] = {}

    def ours() -> None:
        found["ours"] = _MODEL.vectors(samples, background, _generator)

    def updates() -> None:
        found["updates"] = np.array(
            [
                _updated(start.copy(), own, background)
                for start, own in zip(sums, steps, strict=True)
            ]
        )

    def loop() -> None:
        table = np.cumsum(background.counts**0.75 / (background.counts**0.75).sum() * 2**31)
        for sample in samples:
            _trained(_sum(sample, background), sample, background, table)

    ours()
    seconds = clock.in_turns(rounds, ours=ours, updates=updates, loop=loop)
    yield {
        "what": f"Nonce2Vec of {_SAMPLES:,} samples of {_SENTENCES} sentences",
        "background": f"{_WORDS:,} x {_DIMENSION}",
        "trained_pairs": sum(map(len, steps)),
        "ours_seconds": clock.rounded(seconds["ours"]),
        "updates_seconds": clock.rounded(seconds["updates"]),
        "loop_seconds": clock.rounded(seconds["loop"]),
        "times_faster_than_the_updates": clock.ratio(seconds["updates"], seconds["ours"]),
        "times_faster_than_the_loop": clock.ratio(seconds["loop"], seconds["ours"]),
        "largest_difference_from_the_updates": float(
            np.abs(found["ours"] - found["updates"]).max()
        ),
    }


def _background() -> Background:
    rng = np.random.default_rng(0)
    shares = 1 / np.arange(1, _WORDS + 1)
    counts = (shares / shares.sum() * _TOKENS).astype(np.int64)
    vectors, outputs = (
        (rng.normal(size=(_WORDS, _DIMENSION)) * 0.2).astype(np.float32) for _ in range(2)
    )
    return Background(tuple(f"w{n}" for n in range(_WORDS)), vectors, counts, outputs)


def _samples() -> list[Sample]:
    rng = np.random.default_rng(1)
    ranks = np.exp(rng.uniform(0, np.log(_WORDS), (_SAMPLES, _SENTENCES, _LENGTH)))
    codes = np.minimum(ranks.astype(np.int64), _WORDS - 1)
    codes[:, :, _LENGTH // 2] = TERM
    return [tuple(sample) for sample in codes]


def _generator(sample: int) -> np.random.Generator:
    return np.random.default_rng([2, sample])


def _keep(sample: Sample, background: Background) -> dict[int, float]:
    """The probability to keep each word of a sample in its first sentence."""
    words, own = np.unique(np.concatenate(sample), return_counts=True)
    known, own = words[words >= 0], own[words >= 0]
    scale = background.counts.sum() / _TOKENS
    threshold = _MODEL.sample * scale * sum(map(len, sample))
    ratio = threshold / (background.counts[known] + own)
    keep = np.minimum(1, np.sqrt(ratio) + ratio)
    return dict(zip(known.tolist(), keep.tolist(), strict=True))


def _steps(sample: Sample, background: Background, number: int) -> list[Step]:
    """The steps of a sample with the random numbers of our kernel."""
    state = int(_generator(number).integers(2**64, dtype=np.uint64))
    mask, table = 2**64 - 1, _alias(background)

    def bits() -> int:
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) & mask
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & mask
        return mixed ^ (mixed >> 31)

    def negative() -> int:
        drawn = bits()
        index = ((drawn >> 32) * len(table)) >> 32
        return index if (drawn & 0xFFFFFFFF) < (table[index] >> 32) else table[index] & 0xFFFFFFFF

    keep, window, steps = _keep(sample, background), _MODEL.window, []
    for sentence in sample:
        line = [c for c in sentence.tolist() if c == TERM or (bits() >> 11) / 2**53 < keep[c]]
        for word in _near(line, window):
            rows = [word]
            while len(rows) <= _MODEL.negative:
                row = negative()
                rows += [row] if row != word else []
            steps.append(Step(rows, _rate(len(steps))))
        window = window - _MODEL.window_decay if window >= 4 else window
        keep = {word: probability / _MODEL.sample_decay for word, probability in keep.items()}
        if window <= 0:
            break
    return steps


_TABLES: list[list[int]] = []


def _alias(background: Background) -> list[int]:
    if not _TABLES:
        _TABLES.append(alias_table(background.counts.astype(float) ** 0.75).tolist())
    return _TABLES[0]


def _near(line: list[int], window: int) -> list[int]:
    """The words that have the term within the window; each sentence has one occurrence."""
    term = line.index(TERM)
    return [word for n, word in enumerate(line) if n != term and abs(n - term) <= window]


def _rate(done: int) -> float:
    rate = _MODEL.learning_rate * np.exp(-done / _MODEL.learning_rate_decay)
    return float(max(rate, _MODEL.min_learning_rate))


_LABELS = np.array([1.0] + [0.0] * _MODEL.negative)


def _updated(vector: np.ndarray, steps: list[Step], background: Background) -> np.ndarray:
    for rows, rate in steps:
        outputs = background.output[rows]
        gradients = (_LABELS - expit(np.dot(vector, outputs.T))) * rate
        vector += np.dot(gradients, outputs)
    return vector


def _sum(sample: Sample, background: Background) -> np.ndarray:
    """The sum word by word; all words of the short sentences are in the window."""
    total = np.zeros(_DIMENSION)
    for word in np.concatenate(sample).tolist():
        if word != TERM:
            total += background.vectors[word]
    return total


def _trained(
    vector: np.ndarray, sample: Sample, background: Background, table: np.ndarray
) -> np.ndarray:
    random = np.random.RandomState(0)  # as in gensim
    keep, window, done = _keep(sample, background), _MODEL.window, 0
    for sentence in sample:
        line = [c for c in sentence.tolist() if c == TERM or keep[c] > random.rand()]
        for position, word in enumerate(line):
            start = max(0, position - window)
            for near, other in enumerate(line[start : position + window + 1], start):
                if near != position and other == TERM:
                    rows = [word]
                    while len(rows) <= _MODEL.negative:
                        row = int(table.searchsorted(random.randint(table[-1])))
                        rows += [row] if row != word else []
                    _updated(vector, [Step(rows, _rate(done))], background)
                    done += 1
        window = window - _MODEL.window_decay if window >= 4 else window
        keep = {word: probability / _MODEL.sample_decay for word, probability in keep.items()}
    return vector


if __name__ == "__main__":
    for line in compare(5):
        print(json.dumps(line))
