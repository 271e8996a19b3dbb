"""Stochastic gradient descent on the likelihood of tagged sentences, and tagging.

The steps are those of CRFsuite (Shalev-Shwartz et al. 2007, with the schedule of Bottou): the L2
penalty shrinks all weights at every sentence, which is a scalar factor until the end of the epoch.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from lexiscope.kernels.crf.chain import best_tags, loss_and_gradients, new_chain
from lexiscope.kernels.crf.scores import (
    add_gradients,
    compute_scores,
    longest_sentence,
    new_window,
    padded_rows,
    prefetch_attributes,
)
from lexiscope.kernels.simd.lanes import LANES, broadcast, load, multiply_add, store


class Schedule(NamedTuple):
    """The first learning rate, the L2 penalty per sentence, and the steps of earlier epochs."""

    learning_rate: float
    penalty: float
    steps: int


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def train_epoch(sentences, gold, order, schedule, weights):
    """Take a step for each sentence of `order`, in place.

    `gold` (tokens,) are the tags. The weights must then be multiplied by the returned scale.

    Returns
    -------
    loss : float
        Sum of the negative log-likelihoods, each before the step of the sentence.
    scale : float
    """
    width, rows = weights.transitions.shape[1], padded_rows(longest_sentence(sentences.starts))
    window, chain = new_window(sentences, weights), new_chain(rows, width)
    scores, changes = np.zeros((rows, width), np.float32), np.zeros((width, width), np.float32)
    loss, scale = 0.0, 1.0
    for step in range(order.shape[0]):
        sentence = order[step]
        if step + 1 < order.shape[0]:
            prefetch_attributes(sentences, order[step + 1], weights.attributes)
        first, last = sentences.starts[sentence], sentences.starts[sentence + 1]
        steps = schedule.steps + step
        rate = 1.0 / (1.0 / schedule.learning_rate + schedule.penalty * steps)
        scale *= 1.0 - rate * schedule.penalty
        compute_scores(sentences, sentence, weights, window, scores)
        _scale(scores, (last - first) * width, scale)
        loss += loss_and_gradients(
            scores,
            last - first,
            gold[first:last],
            weights.transitions,
            scale,
            weights.tags,
            chain,
            changes,
        )
        gain = rate / scale
        _scale(scores, (last - first) * width, gain)
        add_gradients(sentences, sentence, scores, window, weights)
        _add(changes, weights.tags * width, gain, weights.transitions)
    return loss, scale


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _scale(rows, length, factor):
    for k in range(0, length, LANES):
        store(rows, k, load(rows, k) * broadcast(np.float32(factor)))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _add(changes, length, factor, weights):
    for k in range(0, length, LANES):
        new = multiply_add(load(weights, k), broadcast(np.float32(factor)), load(changes, k))
        store(weights, k, new)


@njit(nogil=True, cache=True, boundscheck=False)
def rescale(weights, factor):
    """Multiply an array (rows, columns) in place; returns the sum of squares."""
    total = 0.0
    for i in range(weights.shape[0]):
        for j in range(weights.shape[1]):
            weights[i, j] *= np.float32(factor)
            total += np.float64(weights[i, j]) ** 2
    return total


@njit(nogil=True, cache=True, boundscheck=False)
def tag_sentences(sentences, weights):
    """The tag of each token of the sentences."""
    width, rows = weights.transitions.shape[1], padded_rows(longest_sentence(sentences.starts))
    window, scores = new_window(sentences, weights), np.zeros((rows, width), np.float32)
    origin = np.empty((rows, weights.tags), np.int32)
    start = sentences.starts[0]
    best = np.empty(sentences.starts[-1] - start, np.int32)
    for sentence in range(sentences.starts.shape[0] - 1):
        first, last = sentences.starts[sentence], sentences.starts[sentence + 1]
        compute_scores(sentences, sentence, weights, window, scores)
        found = best[first - start : last - start]
        best_tags(scores, last - first, weights.transitions, weights.tags, origin, found)
    return best
