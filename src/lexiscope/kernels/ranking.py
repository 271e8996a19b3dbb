"""A window of words is to score higher than the same window with another word in its middle.

Collobert and Weston 2008: the vectors of the words in a row go through a layer with hard tanh and
a linear one. A few dozen windows are scored and learned from at once, with the same weights, so
that each weight is fetched once for all of them. Windows overlap: their vectors lie in a strip.
What a drawn word changes is the product of the middle rows of the weights with a difference.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from lexiscope.kernels.lanes import LANES, plus_product, put, spread, take, total, within
from lexiscope.kernels.layers import ROWS, backward, forward, outer, where_inside
from lexiscope.kernels.walking import fetch, foresee, longest, thin

_BORDER = -1  # a place of a strip that holds no word


class Network(NamedTuple):
    """What is learned, float32; what fills rows up is 0 and stays so.

    `inputs` (words, width) and `border` (1, width), what stands beyond a sentence, have widths in
    eights; `weights` (height, columns) a height in eights, with one row for each number of each
    word of a window; `bias` and `scores` are (1, columns), with columns in sixteens.
    """

    inputs: Any
    border: Any
    weights: Any
    bias: Any
    scores: Any


class Habits(NamedTuple):
    """How to learn. Steps of a layer are the rate times a share; `batch` windows are one step."""

    dimension: int
    window: int
    negatives: int
    margin: float
    weights_share: float
    scores_share: float
    batch: int


class Side(NamedTuple):
    """Rows that go through the layer: of windows, or what drawn words change in them."""

    bases: Any  # where a row begins
    hidden: Any  # (rows, columns) before hard tanh
    moving: Any  # where the rows begin that are to move
    slopes: Any  # of these
    turned: Any  # the same in eights, see `layers.backward`


class Batch(NamedTuple):
    """Room for what is learned from at once."""

    strip: Any  # where the rows of the words begin, window after window
    vectors: Any  # of the strip, one right behind the other
    errors: Any  # what they should move by
    windows: Side
    targets: Any  # where the row of the word in the middle begins, for each drawn word
    drawn: Any  # where the rows of drawn words begin
    differences: Any  # (changes, width) of a drawn word and the right one
    apart: Any  # what the differences should move by
    changes: Side
    causes: Any  # which changes are to move
    before: Any  # the scores that the step began with


@njit(nogil=True, cache=True, boundscheck=False)
def _side(rows, columns):
    room = (rows // (LANES * ROWS) + 1) * LANES * ROWS
    return Side(
        np.zeros(room, np.int64),
        np.zeros((room, columns), np.float32),
        np.zeros(room, np.int64),
        np.zeros((room, columns), np.float32),
        np.zeros((room // LANES, columns, LANES), np.float32),
    )


@njit(nogil=True, cache=True, boundscheck=False)
def _room(habits, width, columns):
    strip = habits.batch * (2 * habits.window + 1)
    changes = habits.batch * habits.negatives
    return Batch(
        np.zeros(strip, np.int64),
        np.zeros(strip * habits.dimension + LANES, np.float32),
        np.zeros(strip * habits.dimension + LANES, np.float32),
        _side(habits.batch, columns),
        np.zeros(changes, np.int64),
        np.zeros(changes, np.int64),
        np.zeros((changes, width), np.float32),
        np.zeros((changes, width), np.float32),
        _side(changes, columns),
        np.zeros(changes, np.int64),
        np.zeros((1, columns), np.float32),
    )


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def walk(text, piece, habits, network):
    """Take the steps of a piece of the text."""
    width, window = network.inputs.shape[1], habits.window
    batch = _room(habits, width, network.bias.shape[1])
    kept = np.empty(longest(text.starts, piece.begin, piece.end), np.int64)
    coming = np.empty(habits.negatives, np.int64)
    state = foresee(text.noise, width, network.inputs, coming, np.uint64(piece.seed))
    windows, length, rate = 0, 0, np.float32(0)
    for s in range(piece.begin, piece.end):
        walked = text.starts[s] - text.starts[piece.begin]
        n, state = thin(text, s, width, kept, state)
        if n < 2:  # a word alone has nothing around it
            continue
        rate = np.float32(piece.rate - piece.fall * walked)
        for i in range(n):
            if i == 0 or windows == 0:
                length = _append(kept, n, i - window, i + window, batch.strip, length)
            length = _append(kept, n, i + window, i + window + 1, batch.strip, length)
            if i + window < n:
                fetch(network.inputs, kept[i + window], width)
            batch.windows.bases[windows] = (length - 2 * window - 1) * habits.dimension
            drawn = slice(windows * habits.negatives, (windows + 1) * habits.negatives)
            batch.targets[drawn] = kept[i]
            batch.drawn[drawn] = coming
            state = foresee(text.noise, width, network.inputs, coming, state)
            windows += 1
            if windows == habits.batch:
                _learn(batch, length, windows, rate, habits, network)
                windows, length = 0, 0
    if windows:
        _learn(batch, length, windows, rate, habits, network)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _append(kept, n, begin, end, strip, length):
    """Write the rows of words from `begin` to `end` of n to the strip; returns how long it is."""
    for j in range(begin, end):
        strip[length] = kept[j] if 0 <= j < n else _BORDER
        length += 1
    return length


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def _learn(batch, length, windows, rate, habits, network):
    """One step down the slope of the loss of all windows together."""
    dimension, weights = habits.dimension, network.weights
    middle, whole = habits.window * dimension, (2 * habits.window + 1) * dimension
    one, two = batch.windows, batch.changes
    changes = windows * habits.negatives
    _gather(batch, length, dimension, network)
    _differ(batch, changes, network)
    _repeat(network.bias, 1, windows, one.hidden)
    forward(batch.vectors, one.bases, windows, weights, 0, whole, one.hidden)
    _repeat(one.hidden, windows, habits.negatives, two.hidden)
    forward(batch.differences, two.bases, changes, weights, middle, dimension, two.hidden)
    moving, apart = _weigh(batch, windows, rate, habits, network)
    if apart == 0:
        return
    share = np.float32(habits.weights_share) * rate
    _turn(one, moving, share)
    _turn(two, apart, share)
    backward(one.turned, moving, weights, 0, whole, one.moving, batch.errors)
    backward(two.turned, apart, weights, middle, dimension, two.moving, batch.apart)
    outer(batch.vectors, one.moving, moving, one.slopes, weights, 0, whole)
    weights[whole:] = 0  # which took what stands behind a window
    outer(batch.differences, two.moving, apart, two.slopes, weights, middle, dimension)
    _lift(one.slopes, moving, network.bias)
    _scatter_changes(batch, apart, dimension, rate, network)
    _scatter(batch, length, dimension, rate, network)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _gather(batch, length, dimension, network):
    """Write the vectors of the strip; what fills a row up is written over by the next."""
    for t in range(length):
        place, into = batch.strip[t], t * dimension
        for k in range(0, network.inputs.shape[1], LANES):
            if place == _BORDER:
                put(batch.vectors, into + k, take(network.border, k))
            else:
                put(batch.vectors, into + k, take(network.inputs, place + k))
    batch.errors[: length * dimension + LANES] = 0


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _differ(batch, changes, network):
    """Write how far drawn vectors are from the right ones."""
    width = network.inputs.shape[1]
    for c in range(changes):
        batch.changes.bases[c] = c * width
        for k in range(0, width, LANES):
            wrong = take(network.inputs, batch.drawn[c] + k)
            right = take(network.inputs, batch.targets[c] + k)
            put(batch.differences, c * width + k, wrong - right)
    batch.apart[:changes] = 0


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _repeat(rows, count, times, out):
    """Write each row `times` times."""
    width = rows.shape[1]
    for r in range(count * times):
        for k in range(0, width, LANES):
            put(out, r * width + k, take(rows, r // times * width + k))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _hard(value):
    """Hard tanh."""
    return within(value, spread(np.float32(-1)), spread(np.float32(1)))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _score(hidden, row, scores):
    width = hidden.shape[1]
    summed = spread(np.float32(0))
    for k in range(0, width, LANES):
        summed = plus_product(summed, _hard(take(hidden, row * width + k)), take(scores, k))
    return total(summed)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _weigh(batch, windows, rate, habits, network):
    """Write the slopes where a drawn word comes too near, and move the scores.

    Returns how many windows and how many changes are to move.
    """
    moving, apart = 0, 0
    batch.before[:] = network.scores
    for b in range(windows):
        right = _score(batch.windows.hidden, b, batch.before)
        first = apart
        for c in range(b * habits.negatives, (b + 1) * habits.negatives):
            wrong = _score(batch.changes.hidden, c, batch.before)
            if not right - wrong >= np.float32(habits.margin):
                batch.causes[apart] = c
                batch.changes.moving[apart] = batch.changes.bases[c]
                share = np.float32(habits.scores_share) * rate
                _slope(batch, b, c, moving, apart, apart == first, share, network.scores)
                apart += 1
        batch.windows.moving[moving] = batch.windows.bases[b]
        moving += apart > first
    return moving, apart


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _slope(batch, b, c, moving, apart, first, share, scores):
    """Write how the hidden layer is to move for window b and change c, and move the scores."""
    width = scores.shape[1]
    zero, one = spread(np.float32(0)), spread(np.float32(1))
    for k in range(0, width, LANES):
        score = take(batch.before, k)
        right = take(batch.windows.hidden, b * width + k)
        wrong = take(batch.changes.hidden, c * width + k)
        down = zero - where_inside(wrong, one, score)
        both = where_inside(right, one, score) + down
        so_far = zero if first else take(batch.windows.slopes, moving * width + k)
        put(batch.windows.slopes, moving * width + k, so_far + both)
        put(batch.changes.slopes, apart * width + k, down)
        gap = _hard(right) - _hard(wrong)
        put(scores, k, plus_product(take(scores, k), spread(share), gap))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _turn(side, count, share):
    """Write slopes in eights, with zeros after the last, and scale them where they are."""
    for r in range(-(-count // LANES) * LANES):
        for k in range(side.slopes.shape[1]):
            slope = side.slopes[r, k] if r < count else np.float32(0)
            side.turned[r // LANES, k, r % LANES] = slope
            side.slopes[r, k] = slope * share


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _lift(slopes, count, bias):
    width = bias.shape[1]
    for r in range(count):
        for k in range(0, width, LANES):
            put(bias, k, take(bias, k) + take(slopes, r * width + k))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _scatter_changes(batch, apart, dimension, rate, network):
    """Move drawn words by what a change should move by, and right ones the other way."""
    inputs = network.inputs.reshape(-1)
    for r in range(apart):
        wrong, right = batch.drawn[batch.causes[r]], batch.targets[batch.causes[r]]
        for k in range(dimension):
            step = rate * batch.apart[batch.causes[r], k]
            inputs[wrong + k] += step
            inputs[right + k] -= step


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _scatter(batch, length, dimension, rate, network):
    """Move the words of the strip."""
    inputs, border = network.inputs.reshape(-1), network.border.reshape(-1)
    for t in range(length):
        place = batch.strip[t]
        for k in range(dimension):
            step = rate * batch.errors[t * dimension + k]
            if place == _BORDER:
                border[k] += step
            else:
                inputs[place + k] += step
