"""Negative sampling in double precision, straight from its loss."""

import numpy as np

from tests.kernels.walked import sigmoid

TILE = 6


def loss(hidden, right, wrong):
    """-log sigmoid(h.right) - sum of log sigmoid(-h.wrong)."""
    return -np.log(sigmoid(hidden @ right)) - sum(np.log(sigmoid(-(hidden @ w))) for w in wrong)


def differences(function, table, size=1e-5):
    """The slope of a function of a table, by moving one number at a time."""
    slopes = np.zeros_like(table)
    for place in np.ndindex(table.shape):
        there = table[place]
        table[place] = there + size
        above = function(table)
        table[place] = there - size
        slopes[place] = (above - function(table)) / (2 * size)
        table[place] = there
    return slopes


def against(step):
    """The words of a step as (word, label), without drawn words that are the right one."""
    wrong = [(word, 0.0) for word in step.negatives if word != step.target]
    return [(step.target, 1.0), *wrong]


def tiles(step):
    """The same in groups, of which the kernel moves each at once."""
    words = [(step.target, 1.0), *((word, 0.0) for word in step.negatives)]
    groups = [words[k : k + TILE] for k in range(0, len(words), TILE)]
    return [[(w, y) for w, y in group if y or w != step.target] for group in groups]
