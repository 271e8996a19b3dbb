"""The ranking of windows in double precision, straight from its equation, window by window."""

from typing import NamedTuple

import numpy as np

from lexiscope.kernels.ranking import Network
from tests.kernels.walked import random_table, steps


class Slow(NamedTuple):
    """What is learned, without what fills rows up."""

    inputs: np.ndarray  # (words, dimension)
    border: np.ndarray  # (1, dimension)
    weights: np.ndarray  # (words of a window * dimension, hidden)
    bias: np.ndarray  # (1, hidden)
    scores: np.ndarray  # (1, hidden)


def padded(slow):
    """The same as the kernel wants it."""
    in_eights, in_sixteens = ((lambda n, size=size: -(-n // size) * size) for size in (8, 16))
    (height, hidden), (words, dimension) = slow.weights.shape, slow.inputs.shape
    width, columns = in_eights(dimension), in_sixteens(hidden)
    shapes = (words, width), (1, width), (in_eights(height), columns), (1, columns), (1, columns)
    tables = [np.zeros(shape, np.float32) for shape in shapes]
    for table, given in zip(tables, slow, strict=True):
        table[: given.shape[0], : given.shape[1]] = given
    return Network(*tables)


def unpadded(network, like):
    """What is learned, and whether all else is 0."""
    shapes = [given.shape for given in like]
    found = [table[:a, :b] for table, (a, b) in zip(network, shapes, strict=True)]
    rest = [np.abs(t).sum() - np.abs(f).sum() for t, f in zip(network, found, strict=True)]
    return Slow(*found), np.allclose(rest, 0, atol=1e-3)


def random_network(words, dimension, window, hidden, seed=0):
    rng = np.random.default_rng(seed)
    weights = rng.standard_normal(((2 * window + 1) * dimension, hidden)) * 0.4
    bias, scores = rng.standard_normal((2, 1, hidden)) * 0.5
    tables = random_table(words, dimension, seed), random_table(1, dimension, seed + 1)
    inputs, border = (table[:, :dimension] for table in tables)
    return Slow(
        *(t.astype(np.float32).astype(float) for t in (inputs, border, weights, bias, scores))
    )


def windows(text, piece, window, negatives):
    """(rate, words of the window with None beyond the sentence, drawn words), one by one."""
    for step in steps(text, piece, window, False, negatives):
        near = {0: step.target, **dict(step.around)}
        yield step.rate, [near.get(k) for k in range(-window, window + 1)], step.negatives


def replaced(words, drawn):
    """The window with another word in its middle."""
    middle = len(words) // 2
    return [*words[:middle], drawn, *words[middle + 1 :]]


def hidden_of(network, words):
    rows = [network.border[0] if word is None else network.inputs[word] for word in words]
    return np.concatenate(rows) @ network.weights + network.bias[0]


def score(network, words):
    return np.clip(hidden_of(network, words), -1, 1) @ network.scores[0]


def loss(network, words, negatives, margin=1.0):
    """max(0, margin - f(window) + f(window with a drawn word)), added up over drawn words."""
    right = score(network, words)
    return sum(max(0, margin - right + score(network, replaced(words, n))) for n in negatives)


def slopes(network, words, negatives, margin=1.0):
    """Minus the slope of the loss, by the chain rule."""
    found = Slow(*map(np.zeros_like, network))
    for drawn in negatives:
        if loss(network, words, [drawn], margin) > 0:
            _follow(network, words, 1.0, found)
            _follow(network, replaced(words, drawn), -1.0, found)
    return found


def _follow(network, words, sign, found):
    hidden = hidden_of(network, words)
    found.scores[0] += sign * np.clip(hidden, -1, 1)
    slope = sign * network.scores[0] * (np.abs(hidden) < 1)
    rows = [network.border[0] if word is None else network.inputs[word] for word in words]
    found.weights[:] += np.outer(np.concatenate(rows), slope)
    found.bias[0] += slope
    for word, error in zip(words, np.split(network.weights @ slope, len(words)), strict=True):
        if word is None:
            found.border[0] += error
        else:
            found.inputs[word] += error


def slowly(text, piece, habits, network):
    """Learn as the kernel does, changing the network."""
    found = list(windows(text, piece, habits.window, habits.negatives))
    shares = 1, 1, habits.weights_share, habits.weights_share, habits.scores_share
    for first in range(0, len(found), habits.batch):
        batch = found[first : first + habits.batch]
        each = [slopes(network, words, drawn, habits.margin) for _, words, drawn in batch]
        for share, table, *moves in zip(shares, network, *each, strict=True):
            table += batch[-1][0] * share * sum(moves)
