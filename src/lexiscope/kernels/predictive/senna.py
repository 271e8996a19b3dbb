"""Window ranking with a hidden layer (Collobert and Weston 2008).

A window of words must score higher, by a margin, than the same window with its centre word
replaced by a negative sample. The score is that of a network: the concatenated vectors of the
window, a hidden layer with hard tanh, a linear layer. The windows of a batch are scored and
differentiated with the same weights, so that each weight is loaded once for all of them. Windows
overlap, so the vectors of a batch form one strip. The hidden layer of a replaced window is that of
the window plus the product of the centre rows of the weights and the difference of both vectors.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from lexiscope.kernels.predictive.dense_layer import ROWS, backward, forward, outer, select_inside
from lexiscope.kernels.predictive.training_loop import (
    STEP,
    Windows,
    new_buffers,
    prefetch_row,
    sample_and_prefetch,
    training_loop,
)
from lexiscope.kernels.simd.lanes import (
    LANES,
    broadcast,
    clip,
    horizontal_sum,
    load,
    multiply_add,
    store,
)

_BORDER = -1  # a position of the strip beyond a sentence


class Network(NamedTuple):
    """The parameters, float32, padded with zeros that stay zero.

    `inputs` (words, width) and `border` (1, width), the vector of positions beyond a sentence,
    have a width that is a multiple of 8. `weights` (height, columns) has a row per number of the
    concatenated window, padded to a multiple of 8. `bias` and `scores`, the linear layer, are
    (1, columns); the number of columns is a multiple of 16.
    """

    inputs: Any
    border: Any
    weights: Any
    bias: Any
    scores: Any


class Settings(NamedTuple):
    """Hyperparameters; the learning rate of a layer is a factor times that of the word vectors."""

    dimension: int
    window: int
    negative: int
    margin: float
    weights_factor: float
    scores_factor: float
    batch: int


class Activations(NamedTuple):
    """Rows that pass the hidden layer: windows, or replacements of their centre word."""

    offsets: Any  # of the rows in their buffer
    hidden: Any  # (rows, columns) before hard tanh
    active: Any  # offsets of the rows that violate the margin
    gradients: Any  # (rows, columns) of the active rows
    transposed: Any  # the same, interleaved as in `dense_layer.backward`


class Batch(NamedTuple):
    """Working memory for the windows of one gradient step."""

    strip: Any  # row offsets of the words, window after window
    vectors: Any  # of the strip, concatenated
    errors: Any  # updates of the vectors
    windows: Activations
    targets: Any  # row offset of the centre word, for each replacement
    negatives: Any  # row offset of the word that replaces it
    differences: Any  # (replacements, width) of the two vectors
    difference_errors: Any  # updates of the differences
    replacements: Activations
    violations: Any  # replacements that violate the margin
    old_scores: Any  # the linear layer at the start of the step
    filled: Any  # (2,) windows in the batch, words in the strip
    learning_rate: Any  # (1,) float32 of the last window


class _Model(NamedTuple):
    settings: Settings
    network: Network
    batch: Batch


@njit(nogil=True, cache=True, boundscheck=False)
def _new_activations(rows, columns):
    padded = (rows // (LANES * ROWS) + 1) * LANES * ROWS
    return Activations(
        np.zeros(padded, np.int64),
        np.zeros((padded, columns), np.float32),
        np.zeros(padded, np.int64),
        np.zeros((padded, columns), np.float32),
        np.zeros((padded // LANES, columns, LANES), np.float32),
    )


@njit(nogil=True, cache=True, boundscheck=False)
def _new_batch(settings, width, columns):
    strip = settings.batch * (2 * settings.window + 1)
    replacements = settings.batch * settings.negative
    return Batch(
        np.zeros(strip, np.int64),
        np.zeros(strip * settings.dimension + LANES, np.float32),
        np.zeros(strip * settings.dimension + LANES, np.float32),
        _new_activations(settings.batch, columns),
        np.zeros(replacements, np.int64),
        np.zeros(replacements, np.int64),
        np.zeros((replacements, width), np.float32),
        np.zeros((replacements, width), np.float32),
        _new_activations(replacements, columns),
        np.zeros(replacements, np.int64),
        np.zeros((1, columns), np.float32),
        np.zeros(2, np.int64),
        np.zeros(1, np.float32),
    )


@njit(**STEP)
def _step(text, windows, buffers, centre, model, state):
    """Add a window to the batch, and train on the batch when it is full."""
    settings, batch, inputs = model.settings, model.batch, model.network.inputs
    kept, n, i = buffers.kept, centre.length, centre.position
    window, width = windows.window, buffers.width
    number, length = batch.filled[0], batch.filled[1]
    if i == 0 or number == 0:
        length = _append(kept, n, i - window, i + window, batch.strip, length)
    length = _append(kept, n, i + window, i + window + 1, batch.strip, length)
    if i + window < n:
        prefetch_row(inputs, kept[i + window], width)
    batch.windows.offsets[number] = (length - 2 * window - 1) * settings.dimension
    for m in range(settings.negative):
        batch.targets[number * settings.negative + m] = kept[i]
        batch.negatives[number * settings.negative + m] = buffers.negatives[m]
    state = sample_and_prefetch(text.negative_table, width, inputs, buffers.negatives, state)
    batch.filled[0], batch.filled[1] = number + 1, length
    batch.learning_rate[0] = centre.learning_rate
    if number + 1 == settings.batch:
        _train_batch(batch, settings, model.network)
    return state


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def train(text, segment, settings, network):
    """Train on a segment of the text, in place.

    Minimises max(0, margin - f(window) + f(window with a negative sample)), summed over negative
    samples.
    """
    width = network.inputs.shape[1]
    batch = _new_batch(settings, width, network.bias.shape[1])
    windows = Windows(settings.window, False, 1)
    buffers = new_buffers(text, segment, settings.window, settings.negative, width, width)
    training_loop(text, segment, windows, buffers, _step, _Model(settings, network, batch))
    if batch.filled[0]:
        _train_batch(batch, settings, network)


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def _train_batch(batch, settings, network):
    """Take the step of a batch and empty it."""
    windows, length = batch.filled[0], batch.filled[1]
    _update(batch, length, windows, batch.learning_rate[0], settings, network)
    batch.filled[:] = 0


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _append(kept, n, begin, end, strip, length):
    """Append the row offsets of words `begin` to `end` of n to the strip; returns its length."""
    for j in range(begin, end):
        strip[length] = kept[j] if 0 <= j < n else _BORDER
        length += 1
    return length


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def _update(batch, length, windows, learning_rate, settings, network):
    """One step of gradient descent on the summed loss of all windows."""
    dimension, weights = settings.dimension, network.weights
    centre, whole = settings.window * dimension, (2 * settings.window + 1) * dimension
    observed, replaced = batch.windows, batch.replacements
    replacements = windows * settings.negative
    _gather_vectors(batch, length, dimension, network)
    _write_differences(batch, replacements, network)
    _repeat(network.bias, 1, windows, observed.hidden)
    forward(batch.vectors, observed.offsets, windows, weights, 0, whole, observed.hidden)
    _repeat(observed.hidden, windows, settings.negative, replaced.hidden)
    forward(
        batch.differences,
        replaced.offsets,
        replacements,
        weights,
        centre,
        dimension,
        replaced.hidden,
    )
    active, violations = _compute_gradients(batch, windows, learning_rate, settings, network)
    if violations == 0:
        return
    weights_learning_rate = np.float32(settings.weights_factor) * learning_rate
    _transpose_and_scale(observed, active, weights_learning_rate)
    _transpose_and_scale(replaced, violations, weights_learning_rate)
    backward(observed.transposed, active, weights, 0, whole, observed.active, batch.errors)
    backward(
        replaced.transposed,
        violations,
        weights,
        centre,
        dimension,
        replaced.active,
        batch.difference_errors,
    )
    outer(batch.vectors, observed.active, active, observed.gradients, weights, 0, whole)
    weights[whole:] = 0  # padding, which received numbers from beyond the window
    outer(
        batch.differences,
        replaced.active,
        violations,
        replaced.gradients,
        weights,
        centre,
        dimension,
    )
    _add_rows(observed.gradients, active, network.bias)
    _update_centre_words(batch, violations, dimension, learning_rate, network)
    _update_words(batch, length, dimension, learning_rate, network)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _gather_vectors(batch, length, dimension, network):
    """Write the vectors of the strip; the next vector overwrites the padding of a row."""
    for t in range(length):
        offset, into = batch.strip[t], t * dimension
        for k in range(0, network.inputs.shape[1], LANES):
            if offset == _BORDER:
                store(batch.vectors, into + k, load(network.border, k))
            else:
                store(batch.vectors, into + k, load(network.inputs, offset + k))
    batch.errors[: length * dimension + LANES] = 0


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _write_differences(batch, replacements, network):
    """Write the differences of replacing and replaced vectors."""
    width = network.inputs.shape[1]
    for c in range(replacements):
        batch.replacements.offsets[c] = c * width
        for k in range(0, width, LANES):
            wrong = load(network.inputs, batch.negatives[c] + k)
            right = load(network.inputs, batch.targets[c] + k)
            store(batch.differences, c * width + k, wrong - right)
    batch.difference_errors[:replacements] = 0


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _repeat(rows, count, times, out):
    """Write each of `count` rows `times` times."""
    width = rows.shape[1]
    for r in range(count * times):
        for k in range(0, width, LANES):
            store(out, r * width + k, load(rows, r // times * width + k))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _hard_tanh(value):
    """Hard tanh."""
    return clip(value, broadcast(np.float32(-1)), broadcast(np.float32(1)))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _score(hidden, row, scores):
    width = hidden.shape[1]
    summed = broadcast(np.float32(0))
    for k in range(0, width, LANES):
        summed = multiply_add(summed, _hard_tanh(load(hidden, row * width + k)), load(scores, k))
    return horizontal_sum(summed)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _compute_gradients(batch, windows, learning_rate, settings, network):
    """Write the gradients of violations of the margin, and update the linear layer.

    Returns the number of windows and of replacements that violate it.
    """
    active, violations, scores = 0, 0, network.scores
    scores_learning_rate = np.float32(settings.scores_factor) * learning_rate
    for k in range(0, scores.shape[1], LANES):
        store(batch.old_scores, k, load(scores, k))
    for b in range(windows):
        right = _score(batch.windows.hidden, b, batch.old_scores)
        first = violations
        for c in range(b * settings.negative, (b + 1) * settings.negative):
            wrong = _score(batch.replacements.hidden, c, batch.old_scores)
            if not right - wrong >= np.float32(settings.margin):
                batch.violations[violations] = c
                batch.replacements.active[violations] = batch.replacements.offsets[c]
                is_first = violations == first
                _add_gradient(
                    batch, b, c, active, violations, is_first, scores_learning_rate, scores
                )
                violations += 1
        batch.windows.active[active] = batch.windows.offsets[b]
        active += violations > first
    return active, violations


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _add_gradient(batch, b, c, active, violations, first, learning_rate, scores):
    """Add the gradient of the hidden layer for window b and replacement c; update the scores."""
    width = scores.shape[1]
    zero, one = broadcast(np.float32(0)), broadcast(np.float32(1))
    step = broadcast(learning_rate)
    for k in range(0, width, LANES):
        score = load(batch.old_scores, k)
        right = load(batch.windows.hidden, b * width + k)
        wrong = load(batch.replacements.hidden, c * width + k)
        down = zero - select_inside(wrong, one, score)
        both = select_inside(right, one, score) + down
        previous = zero if first else load(batch.windows.gradients, active * width + k)
        store(batch.windows.gradients, active * width + k, previous + both)
        store(batch.replacements.gradients, violations * width + k, down)
        difference = _hard_tanh(right) - _hard_tanh(wrong)
        store(scores, k, multiply_add(load(scores, k), step, difference))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _transpose_and_scale(rows, count, learning_rate):
    """Interleave gradients in groups of eight rows, and multiply them in place."""
    for r in range(-(-count // LANES) * LANES):
        for k in range(rows.gradients.shape[1]):
            gradient = rows.gradients[r, k] if r < count else np.float32(0)
            rows.transposed[r // LANES, k, r % LANES] = gradient
            rows.gradients[r, k] = gradient * learning_rate


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _add_rows(gradients, count, bias):
    width = bias.shape[1]
    for r in range(count):
        for k in range(0, width, LANES):
            store(bias, k, load(bias, k) + load(gradients, r * width + k))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _update_centre_words(batch, violations, dimension, learning_rate, network):
    """Add the updates of the differences to replacing words, subtract them from replaced ones."""
    inputs = network.inputs.reshape(-1)
    for r in range(violations):
        wrong, right = batch.negatives[batch.violations[r]], batch.targets[batch.violations[r]]
        for k in range(dimension):
            step = learning_rate * batch.difference_errors[batch.violations[r], k]
            inputs[wrong + k] += step
            inputs[right + k] -= step


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _update_words(batch, length, dimension, learning_rate, network):
    """Add the updates of the strip to the word vectors."""
    inputs, border = network.inputs.reshape(-1), network.border.reshape(-1)
    for t in range(length):
        offset = batch.strip[t]
        for k in range(dimension):
            step = learning_rate * batch.errors[t * dimension + k]
            if offset == _BORDER:
                border[k] += step
            else:
                inputs[offset + k] += step
