"""Steps for two neighbouring centre words at once, which share their negative samples.

The two words of a pair share their negative samples, and so may several pairs in a row. Seven
output rows then serve a pair instead of twelve, and each of them is read and written once. All
products of a pair are computed before any row changes.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from lexiscope.kernels.predictive.training_loop import (
    STEP,
    longest_sentence,
    sample_window,
    sentence_loop,
)
from lexiscope.kernels.simd.lanes import (
    LANES,
    broadcast,
    broadcast_from,
    horizontal_sums,
    load,
    multiply_add,
    sigmoid,
    store,
)

NEGATIVES = 5  # of a tile: with both targets they need twelve sums, which fit into registers
TILE = NEGATIVES + 2

INLINE = {
    "nogil": True,
    "cache": True,
    "boundscheck": False,
    "forceinline": True,
    "error_model": "numpy",
}


class PairWindows(NamedTuple):
    """Context windows: at most `window` words to each side.

    With `dynamic_window`, the size of each window is sampled uniformly from 1 to `window`.
    Negatives are sampled once for `shared_centres` neighbouring centre words.
    """

    window: int
    dynamic_window: bool
    shared_centres: int


class PairBuffers(NamedTuple):
    """Working memory of the loop. All offsets are int64.

    A tile has both targets and five negative samples.
    """

    width: int  # of an input row
    output_width: int
    kept: Any  # (longest sentence,) offsets of the words that survive subsampling
    negatives: Any  # (negative,) output offsets of negative samples
    targets: Any  # (tiles * TILE,) output offsets of both targets and their negative samples
    weights: Any  # (tiles, 2, LANES) float32: the learning rate times how often a target counts
    gradients: Any  # (..., tiles, 2, LANES) float32, as many as the model has products


class Pair(NamedTuple):
    """The centre words `position` and `position` + 1 of the `length` words of a sentence.

    `size` is 1 if there is only the first. `reach` and `next_reach` are the sizes of their
    windows. `last` says that the next pair has other negative samples.
    """

    sentence: int
    position: int
    size: int
    length: int
    reach: int
    next_reach: int
    last: bool
    learning_rate: float


@njit(nogil=True, cache=True, boundscheck=False)
def new_pair_buffers(text, segment, negative, width, output_width, gradients):
    """Allocate the working memory for a segment, with `gradients` gradients of a pair."""
    tiles = pair_tiles(negative)
    return PairBuffers(
        width,
        output_width,
        np.empty(longest_sentence(text.starts, segment.begin, segment.end), np.int64),
        np.empty(negative, np.int64),
        np.zeros(tiles * TILE, np.int64),
        np.zeros(tiles * 2 * LANES, np.float32),
        np.zeros(gradients * tiles * 2 * LANES, np.float32),
    )


@njit(**INLINE)
def pair_tiles(negative):
    """Number of tiles for the negative samples of a pair."""
    return (negative + NEGATIVES - 1) // NEGATIVES


@njit(**STEP)
def pair_loop(text, segment, windows, buffers, step, model):
    """Call `step` for each pair of centre words of a segment, in order.

    `step(text, windows, buffers, pair, model, state)` returns the new random state. It begins with
    `set_pair_targets`; for the last pair that shares `buffers.negatives`, it then samples others.
    """
    sentence_loop(text, segment, windows, buffers, _each_pair, step, model)


@njit(**STEP)
def _each_pair(text, windows, buffers, sentence, step, model, state):
    length, left, i = sentence.length, 0, 0
    while length > 1 and i < length:
        if left == 0:
            left = min(windows.shared_centres, length - i)
        size = min(2, left)
        left -= size
        reach, state = sample_window(windows, state)
        next_reach, state = sample_window(windows, state)
        pair = Pair(
            sentence.index, i, size, length, reach, next_reach, left == 0, sentence.learning_rate
        )
        state = step(text, windows, buffers, pair, model, state)
        i += size
    return state


@njit(**INLINE)
def set_pair_targets(first, second, pair, negatives, targets, weights):
    """Write the output rows of a pair to `targets`, and their weights to `weights`.

    A negative sample that is one of both targets has weight 0. One that occurs twice in a tile has
    twice the weight at its first occurrence. Without a second word, its weights are 0.
    """
    rate = pair.learning_rate
    for tile in range(targets.shape[0] // TILE):
        at, w = tile * TILE, tile * 2 * LANES
        targets[at], targets[at + 1] = first, second
        weights[w] = rate if tile == 0 else np.float32(0)
        for m in range(NEGATIVES):
            n = tile * NEGATIVES + m
            offset = negatives[n] if n < negatives.shape[0] else first
            weight = np.float32(0) if offset == first or offset == second else rate
            for other in range(m):
                if weight > 0 and targets[at + 2 + other] == offset:
                    weights[w + 1 + other] += weight
                    weight = np.float32(0)
            targets[at + 2 + m] = offset
            weights[w + 1 + m] = weight
        both = load(weights, w) if pair.size == 2 else broadcast(np.float32(0))
        store(weights, w + LANES, both)


@njit(**INLINE)
def rows_at(targets, tile, column):
    """Offsets of the seven output vectors of a tile that begin at `column` of their rows."""
    at = tile * TILE
    return (
        targets[at] + column,
        targets[at + 1] + column,
        targets[at + 2] + column,
        targets[at + 3] + column,
        targets[at + 4] + column,
        targets[at + 5] + column,
        targets[at + 6] + column,
    )


@njit(**INLINE)
def pair_products(inputs, x, y, outputs, rows, width):
    """Products of row x with the first target and the negatives, and of y with the second."""
    zero = broadcast(np.float32(0))
    a0, a1, a2, a3, a4, a5 = zero, zero, zero, zero, zero, zero
    b0, b1, b2, b3, b4, b5 = zero, zero, zero, zero, zero, zero
    t, u, n1, n2, n3, n4, n5 = rows
    for k in range(0, width, LANES):
        a, b = load(inputs, x + k), load(inputs, y + k)
        a0 = multiply_add(a0, a, load(outputs, t + k))
        b0 = multiply_add(b0, b, load(outputs, u + k))
        o = load(outputs, n1 + k)
        a1, b1 = multiply_add(a1, a, o), multiply_add(b1, b, o)
        o = load(outputs, n2 + k)
        a2, b2 = multiply_add(a2, a, o), multiply_add(b2, b, o)
        o = load(outputs, n3 + k)
        a3, b3 = multiply_add(a3, a, o), multiply_add(b3, b, o)
        o = load(outputs, n4 + k)
        a4, b4 = multiply_add(a4, a, o), multiply_add(b4, b, o)
        o = load(outputs, n5 + k)
        a5, b5 = multiply_add(a5, a, o), multiply_add(b5, b, o)
    return (
        horizontal_sums(a0, a1, a2, a3, a4, a5, zero, zero),
        horizontal_sums(b0, b1, b2, b3, b4, b5, zero, zero),
    )


@njit(**INLINE)
def store_pair_gradients(products, weights, w, gradients, at):
    """Write the gradients (2, LANES) of a tile."""
    for word in range(2):
        negated = broadcast(np.float32(0)) - sigmoid(products[word])
        store(gradients, at + word * LANES, negated * load(weights, w + word * LANES))
        # The target comes first: its label is 1, that of negatives 0.
        gradients[at + word * LANES] += weights[w + word * LANES]


@njit(**INLINE)
def gradients_at(gradients, at):
    """The six gradients of one word of a pair, each as a vector of copies."""
    return (
        broadcast_from(gradients, at),
        broadcast_from(gradients, at + 1),
        broadcast_from(gradients, at + 2),
        broadcast_from(gradients, at + 3),
        broadcast_from(gradients, at + 4),
        broadcast_from(gradients, at + 5),
    )


@njit(**INLINE)
def update_pair_outputs(outputs, rows, k, x, y, g, h):
    """Update seven output vectors at k by gradients g of x and h of y; returns the errors of both.

    Negatives are stored backwards and before the targets: of equal rows only the first changes,
    and a target's update is not overwritten. The targets may be equal.
    """
    t, u, n1, n2, n3, n4, n5 = rows
    o = load(outputs, n5 + k)
    e, f = g[5] * o, h[5] * o
    store(outputs, n5 + k, multiply_add(multiply_add(o, g[5], x), h[5], y))
    o = load(outputs, n4 + k)
    e, f = multiply_add(e, g[4], o), multiply_add(f, h[4], o)
    store(outputs, n4 + k, multiply_add(multiply_add(o, g[4], x), h[4], y))
    o = load(outputs, n3 + k)
    e, f = multiply_add(e, g[3], o), multiply_add(f, h[3], o)
    store(outputs, n3 + k, multiply_add(multiply_add(o, g[3], x), h[3], y))
    o = load(outputs, n2 + k)
    e, f = multiply_add(e, g[2], o), multiply_add(f, h[2], o)
    store(outputs, n2 + k, multiply_add(multiply_add(o, g[2], x), h[2], y))
    o = load(outputs, n1 + k)
    e, f = multiply_add(e, g[1], o), multiply_add(f, h[1], o)
    store(outputs, n1 + k, multiply_add(multiply_add(o, g[1], x), h[1], y))
    o, p = load(outputs, t + k), load(outputs, u + k)
    e, f = multiply_add(e, g[0], o), multiply_add(f, h[0], p)
    store(outputs, t + k, multiply_add(o, g[0], x))
    store(outputs, u + k, multiply_add(load(outputs, u + k), h[0], y))
    return e, f


@njit(**INLINE)
def compute_pair_gradients(hidden, x, y, outputs, targets, column, width, weights, gradients, base):
    """Write the gradients (tiles, 2, LANES) of two vectors with `width` columns of output rows."""
    for tile in range(targets.shape[0] // TILE):
        at, rows = tile * 2 * LANES, rows_at(targets, tile, column)
        products = pair_products(hidden, x, y, outputs, rows, width)
        store_pair_gradients(products, weights, at, gradients, base + at)


@njit(**INLINE)
def update_pair(hidden, outputs, targets, width, gradients, error):
    """Update the output rows for two hidden vectors, and write the updates of both to `error`.

    `hidden` and `error` are (2, width).
    """
    for tile in range(targets.shape[0] // TILE):
        at, rows = tile * 2 * LANES, rows_at(targets, tile, 0)
        g, h = gradients_at(gradients, at), gradients_at(gradients, at + LANES)
        for k in range(0, width, LANES):
            x, y = load(hidden, k), load(hidden, width + k)
            e, f = update_pair_outputs(outputs, rows, k, x, y, g, h)
            store(error, k, e if tile == 0 else e + load(error, k))
            store(error, width + k, f if tile == 0 else f + load(error, width + k))
