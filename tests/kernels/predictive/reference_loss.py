"""Negative sampling in double precision, written directly from its loss."""

import numpy as np

from tests.kernels.predictive.reference_loop import sigmoid

TILE = 6


def loss(hidden, right, wrong):
    """-log sigmoid(h.right) - sum of log sigmoid(-h.wrong)."""
    return -np.log(sigmoid(hidden @ right)) - sum(np.log(sigmoid(-(hidden @ w))) for w in wrong)


def numerical_gradient(function, table, size=1e-5):
    """The gradient of a function of a table, by central differences."""
    gradients = np.zeros_like(table)
    for index in np.ndindex(table.shape):
        original = table[index]
        table[index] = original + size
        above = function(table)
        table[index] = original - size
        gradients[index] = (above - function(table)) / (2 * size)
        table[index] = original
    return gradients


def labelled(step):
    """The words of a step as (word, label), without negative samples that are the target."""
    wrong = [(word, 0.0) for word in step.negative if word != step.target]
    return [(step.target, 1.0), *wrong]


def tiles(step):
    """The same in tiles, the groups of rows that the kernel updates at once."""
    words = [(step.target, 1.0), *((word, 0.0) for word in step.negative)]
    groups = [words[k : k + TILE] for k in range(0, len(words), TILE)]
    return [[(w, y) for w, y in group if y or w != step.target] for group in groups]
