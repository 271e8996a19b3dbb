"""Forward-backward recursions of a linear chain, and Viterbi decoding.

Rows of scores are padded with zeros to a multiple of 16 columns. Probabilities are scaled at every
token (Rabiner 1989, section V.A), so sentences may have any length.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from lexiscope.kernels.predictive.dense_layer import outer
from lexiscope.kernels.simd.lanes import (
    LANES,
    broadcast,
    broadcast_from,
    exp,
    horizontal_sum,
    load,
    multiply_add,
    store,
)


class Chain(NamedTuple):
    """Working memory; rows are tokens, except of the (width, width) arrays."""

    forward: Any  # scaled probabilities of the tokens so far
    backward: Any  # scaled probabilities of the tokens that follow
    incoming: Any  # potentials times backward probabilities
    offsets: Any  # of the rows of `forward`
    factors: Any  # exp of the transitions
    transposed: Any
    pairs: Any


@njit(nogil=True, cache=True, boundscheck=False)
def new_chain(rows, width):
    """Working memory for sentences of up to `rows` tokens."""
    return Chain(
        np.zeros((rows, width), np.float32),
        np.zeros((rows, width), np.float32),
        np.zeros((rows, width), np.float32),
        np.arange(rows) * width,
        np.zeros((width, width), np.float32),
        np.zeros((width, width), np.float32),
        np.zeros((width, width), np.float32),
    )


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def loss_and_gradients(scores, length, gold, transitions, scale, tags, chain, changes):
    """Negative log-likelihood of the tags of a sentence, and its gradients with opposite sign.

    Parameters
    ----------
    scores : (at least `length`, width)
        Scores of each token; replaced by their gradients.
    gold : (length,)
        The tags.
    transitions, scale
        Weights (width, width) and their factor.
    tags
        Number of tags; the other columns are padding.
    chain
        Working memory.
    changes : (width, width)
        Set to the gradients of the transitions.
    """
    loss = -_gold_score(scores, length, gold, transitions, scale)
    _exponentiate_transitions(transitions, scale, tags, chain)
    loss += _to_potentials(scores, length, tags)
    loss += _forward(scores, length, tags, chain)
    _backward(scores, length, tags, chain)
    _transition_gradients(length, gold, tags, chain, changes)
    _score_gradients(scores, length, gold, chain)
    return loss


@njit(nogil=True, cache=True, boundscheck=False)
def _gold_score(scores, length, gold, transitions, scale):
    total = np.float64(scores[0, gold[0]])
    for t in range(1, length):
        total += scores[t, gold[t]] + scale * transitions[gold[t - 1], gold[t]]
    return total


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def _exponentiate_transitions(transitions, scale, tags, chain):
    width = transitions.shape[1]
    for k in range(0, tags * width, LANES):
        store(chain.factors, k, exp(load(transitions, k) * broadcast(np.float32(scale))))
    for i in range(tags):
        for j in range(tags):
            chain.transposed[j, i] = chain.factors[i, j]
        for j in range(tags, width):
            chain.factors[i, j] = np.float32(0)


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def _to_potentials(scores, length, tags):
    """Replace scores by exp(score - highest score); returns the sum of the highest scores."""
    width = scores.shape[1]
    total = 0.0
    for t in range(length):
        highest = scores[t, 0]
        for tag in range(1, tags):
            highest = max(highest, scores[t, tag])
        for k in range(t * width, (t + 1) * width, LANES):
            store(scores, k, exp(load(scores, k) - broadcast(highest)))
        for tag in range(tags, width):
            scores[t, tag] = np.float32(0)
        total += highest
    return total


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def _forward(potentials, length, tags, chain):
    """Fill the forward probabilities; returns the logarithm of the sum over all sequences."""
    width = potentials.shape[1]
    total = 0.0
    for t in range(length):
        at = t * width
        if t == 0:
            _copy(potentials, at, width, chain.forward)
        else:
            _row_times(chain.forward, at - width, chain.factors, tags, chain.forward, at)
            _multiply(potentials, at, width, chain.forward)
        norm = _sum(chain.forward, at, width)
        _rescale(chain.forward, at, width, np.float32(1) / norm)
        # The backward pass divides by the same norms.
        _rescale(potentials, at, width, np.float32(1) / norm)
        total += np.log(np.float64(norm))
    return total


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def _backward(potentials, length, tags, chain):
    """Fill the backward probabilities; `potentials` are divided by the norms of `_forward`."""
    width = potentials.shape[1]
    for k in range((length - 1) * width, length * width, LANES):
        store(chain.backward, k, broadcast(np.float32(1)))
    for t in range(length - 1, 0, -1):
        at = t * width
        _copy(potentials, at, width, chain.incoming)
        _multiply(chain.backward, at, width, chain.incoming)
        _row_times(chain.incoming, at, chain.transposed, tags, chain.backward, at - width)


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def _transition_gradients(length, gold, tags, chain, changes):
    """Observed minus expected transitions."""
    width = changes.shape[1]
    for k in range(0, width * width, LANES):
        store(chain.pairs, k, broadcast(np.float32(0)))
    forward, rounded = chain.forward.reshape(-1), (tags + 3) // 4 * 4
    outer(forward, chain.offsets, length - 1, chain.incoming[1:], chain.pairs, 0, rounded)
    for k in range(0, tags * width, LANES):
        expected = load(chain.pairs, k) * load(chain.factors, k)
        store(changes, k, broadcast(np.float32(0)) - expected)
    for t in range(1, length):
        changes[gold[t - 1], gold[t]] += np.float32(1)


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def _score_gradients(scores, length, gold, chain):
    """Observed minus expected tags."""
    width = scores.shape[1]
    for k in range(0, length * width, LANES):
        expected = load(chain.forward, k) * load(chain.backward, k)
        store(scores, k, broadcast(np.float32(0)) - expected)
    for t in range(length):
        scores[t, gold[t]] += np.float32(1)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def _row_times(rows, at, matrix, tags, out, out_at):
    """Write the product of a row and a matrix; `out` may be `rows`, at another index."""
    width = matrix.shape[1]
    for column in range(0, width, 2 * LANES):
        a, b = broadcast(np.float32(0)), broadcast(np.float32(0))
        for k in range(tags):
            number, index = broadcast_from(rows, at + k), k * width + column
            a = multiply_add(a, number, load(matrix, index))
            b = multiply_add(b, number, load(matrix, index + LANES))
        store(out, out_at + column, a)
        store(out, out_at + column + LANES, b)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _copy(rows, at, width, out):
    for k in range(at, at + width, LANES):
        store(out, k, load(rows, k))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _multiply(rows, at, width, out):
    for k in range(at, at + width, LANES):
        store(out, k, load(out, k) * load(rows, k))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _rescale(rows, at, width, factor):
    for k in range(at, at + width, LANES):
        store(rows, k, load(rows, k) * broadcast(factor))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _sum(rows, at, width):
    total = broadcast(np.float32(0))
    for k in range(at, at + width, LANES):
        total = total + load(rows, k)
    return horizontal_sum(total)


@njit(nogil=True, cache=True, boundscheck=False)
def best_tags(scores, length, transitions, tags, origin, best):
    """Write the tags with the highest total score; of equal ones the first.

    `origin` (length, tags) is working memory.
    """
    totals, previous = np.empty(tags), np.empty(tags)
    for tag in range(tags):
        totals[tag] = scores[0, tag]
    for t in range(1, length):
        totals, previous = previous, totals
        for tag in range(tags):
            highest, origin[t, tag] = previous[0] + transitions[0, tag], 0
            for other in range(1, tags):
                total = previous[other] + transitions[other, tag]
                if total > highest:
                    highest, origin[t, tag] = total, other
            totals[tag] = highest + scores[t, tag]
    best[length - 1] = 0
    for tag in range(1, tags):
        if totals[tag] > totals[best[length - 1]]:
            best[length - 1] = tag
    for t in range(length - 1, 0, -1):
        best[t - 1] = origin[t, best[t]]
