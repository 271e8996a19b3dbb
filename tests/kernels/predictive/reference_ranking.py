"""Window ranking in double precision, written directly from its equation."""

from typing import NamedTuple

import numpy as np

from lexiscope.kernels.predictive.senna import Network
from lexiscope.kernels.simd.tiles import TILE
from tests.kernels.predictive.reference_loop import random_table, steps


class ReferenceNetwork(NamedTuple):
    """The parameters, without padding."""

    inputs: np.ndarray  # (words, dimension)
    border: np.ndarray  # (1, dimension)
    weights: np.ndarray  # (words of a window * dimension, hidden)
    bias: np.ndarray  # (1, hidden)
    scores: np.ndarray  # (1, hidden)


def padded(network):
    """The parameters, padded as the kernel expects them."""
    in_fours, in_eights, in_tiles = (
        (lambda n, size=size: -(-n // size) * size) for size in (4, 8, TILE)
    )
    (height, hidden), (words, dimension) = network.weights.shape, network.inputs.shape
    width, columns, weights = (
        in_eights(dimension),
        in_eights(hidden),
        (in_fours(hidden), in_tiles(height)),
    )
    shapes = (words, width), (1, width), weights, (1, columns), (1, columns)
    tables = [np.zeros(shape, np.float32) for shape in shapes]
    for table, parameter in zip(tables, _transposed(network), strict=True):
        table[: parameter.shape[0], : parameter.shape[1]] = parameter
    return Network(*tables)


def unpadded(network, like):
    """The parameters without padding, and whether the padding is 0."""
    shapes = [parameter.shape for parameter in _transposed(like)]
    found = [table[:a, :b] for table, (a, b) in zip(network, shapes, strict=True)]
    rest = [np.abs(t).sum() - np.abs(f).sum() for t, f in zip(network, found, strict=True)]
    return _transposed(ReferenceNetwork(*found)), np.allclose(rest, 0, atol=1e-3)


def _transposed(network):
    """The network with the other order of the weights: the kernel has a row per hidden unit."""
    return network._replace(weights=network.weights.T)


def random_network(words, dimension, window, hidden, seed=0):
    rng = np.random.default_rng(seed)
    weights = rng.standard_normal(((2 * window + 1) * dimension, hidden)) * 0.4
    bias, scores = rng.standard_normal((2, 1, hidden)) * 0.5
    tables = random_table(words, dimension, seed), random_table(1, dimension, seed + 1)
    inputs, border = (table[:, :dimension] for table in tables)
    return ReferenceNetwork(
        *(t.astype(np.float32).astype(float) for t in (inputs, border, weights, bias, scores))
    )


def windows(text, segment, window, negative):
    """(learning rate, words of the window or None beyond the sentence, negative samples)."""
    for step in steps(text, segment, window, False, negative):
        near = {0: step.target, **dict(step.context)}
        yield step.learning_rate, [near.get(k) for k in range(-window, window + 1)], step.negative


def replaced(words, sampled):
    """The window with another centre word."""
    middle = len(words) // 2
    return [*words[:middle], sampled, *words[middle + 1 :]]


def hidden_of(network, words):
    rows = [network.border[0] if word is None else network.inputs[word] for word in words]
    return np.concatenate(rows) @ network.weights + network.bias[0]


def score(network, words):
    return np.clip(hidden_of(network, words), -1, 1) @ network.scores[0]


def loss(network, words, negative, margin=1.0):
    """max(0, margin - f(window) + f(window with a negative sample)), summed over samples."""
    right = score(network, words)
    return sum(max(0, margin - right + score(network, replaced(words, n))) for n in negative)


def gradients(network, words, negative, margin=1.0):
    """Minus the gradient of the loss, by the chain rule."""
    found = ReferenceNetwork(*map(np.zeros_like, network))
    for sampled in negative:
        if loss(network, words, [sampled], margin) > 0:
            _add_gradient(network, words, 1.0, found)
            _add_gradient(network, replaced(words, sampled), -1.0, found)
    return found


def _add_gradient(network, words, sign, found):
    hidden = hidden_of(network, words)
    found.scores[0] += sign * np.clip(hidden, -1, 1)
    gradient = sign * network.scores[0] * (np.abs(hidden) < 1)
    rows = [network.border[0] if word is None else network.inputs[word] for word in words]
    found.weights[:] += np.outer(np.concatenate(rows), gradient)
    found.bias[0] += gradient
    for word, error in zip(words, np.split(network.weights @ gradient, len(words)), strict=True):
        if word is None:
            found.border[0] += error
        else:
            found.inputs[word] += error


def reference_train(text, segment, settings, network):
    """Train as the kernel does, in place."""
    found = list(windows(text, segment, settings.window, settings.negative))
    fractions = 1, 1, settings.weights_factor, settings.weights_factor, settings.scores_factor
    for first in range(0, len(found), settings.batch):
        batch = found[first : first + settings.batch]
        each = [gradients(network, words, sampled, settings.margin) for _, words, sampled in batch]
        for fraction, table, *moves in zip(fractions, network, *each, strict=True):
            table += batch[-1][0] * fraction * sum(moves)
