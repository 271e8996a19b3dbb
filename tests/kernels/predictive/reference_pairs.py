"""Pairs of centre words that share their negative samples, in plain Python and double precision."""

from typing import NamedTuple

import numpy as np

from tests.kernels.predictive.reference_loop import ReferenceRng, sigmoid

NEGATIVES = 5  # of a tile


class Centre(NamedTuple):
    """A centre word and its context words with their relative positions."""

    target: int
    context: list[tuple[int, int]]  # (offset, word): offset -1 is the word just before


class Pair(NamedTuple):
    """One or two neighbouring centre words, and the negative samples of both."""

    learning_rate: float
    centres: list[Centre]
    negative: list[int]


def pairs(text, segment, window, dynamic_window, negative, shared_centres):
    """The pairs of a segment in order."""
    rng = ReferenceRng(segment.seed)

    def sampled():
        return [rng.sample(text.negative_table) for _ in range(negative)]

    def centre(words, i, reach):
        near = range(max(0, i - reach), min(len(words), i + reach + 1))
        return Centre(words[i], [(j - i, words[j]) for j in near if j != i])

    negatives, first = sampled(), int(text.starts[segment.begin])
    for sentence in range(segment.begin, segment.end):
        begin, end = text.starts[sentence : sentence + 2].tolist()
        words = [int(w) for w in text.tokens[begin:end] if rng.bits() >> 32 < text.keep[w]]
        learning_rate = float(np.float32(segment.learning_rate - segment.decay * (begin - first)))
        for group in range(0, len(words) if len(words) > 1 else 0, shared_centres):
            stop = min(group + shared_centres, len(words))
            for i in range(group, stop, 2):
                reaches = [
                    window - rng.below(window) if dynamic_window else window for _ in range(2)
                ]
                last = min(i + 2, stop)
                centres = [centre(words, j, reaches[j - i]) for j in range(i, last)]
                yield Pair(learning_rate, centres, negatives)
            negatives = sampled()


def labelled(pair, centre):
    """The words that a centre word is compared with, as (word, label)."""
    targets = [each.target for each in pair.centres]
    return [(centre.target, 1.0), *((w, 0.0) for w in pair.negative if w not in targets)]


def gradients(pair, vectors, table):
    """For each tile and each centre word: its words with their gradients."""
    targets = [centre.target for centre in pair.centres]
    found = []
    for k in range(0, len(pair.negative), NEGATIVES):
        wrong = [(w, 0.0) for w in pair.negative[k : k + NEGATIVES] if w not in targets]
        right = [[(target, 1.0)] if k == 0 else [] for target in targets]
        found.append(
            [
                [(w, pair.learning_rate * (y - sigmoid(x @ table[w]))) for w, y in [*own, *wrong]]
                for own, x in zip(right, vectors, strict=True)
            ]
        )
    return found


def update(table, vectors, tile):
    """Update the rows of a tile by the vectors of all centre words; returns the errors of these."""
    before = table.copy()
    errors = []
    for x, of_centre in zip(vectors, tile, strict=True):
        errors.append(sum((g * before[w] for w, g in of_centre), np.zeros(len(x))))
        for word, gradient in of_centre:
            table[word] += gradient * x
    return errors
