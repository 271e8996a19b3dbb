"""Window ranking with a hidden layer (Collobert and Weston 2008).

A window of words must score higher, by a margin, than the same window with its centre word
replaced by a negative sample. The score is that of a network: the concatenated vectors of the
window, a hidden layer with hard tanh, a linear layer. The windows of a batch are scored and
differentiated with the same weights, so that each weight is loaded once for all of them.

Two facts spare two thirds of the arithmetic, and change nothing but rounding:

- The hidden layer of a replaced window is that of the window plus the product of the centre columns
  of the weights and the difference of both vectors.
- A hidden unit that neither window saturates, or both, has opposite gradients for the two. They
  cancel for all words but the centre. So gradients of context words are sparse: they concern units
  that one of the windows saturates and the other does not.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from lexiscope.kernels.predictive.dense_layer import select_inside
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
from lexiscope.kernels.simd.tiles import (
    PADDING,
    ROWS,
    SUMS,
    TILE,
    UNITS,
    WIDTH,
    add_dot_products,
    add_row_sums,
    add_weighted_sums,
)

_BORDER = -1  # a position of the strip beyond a sentence


class Network(NamedTuple):
    """The parameters, float32, padded with zeros that stay zero.

    `inputs` (words, width) and `border` (1, width), the vector of positions beyond a sentence,
    have a width that is a multiple of 8. `weights` (units, height) has a row per hidden unit, of
    which there are a multiple of 4, and a column per number of the concatenated window, padded to a
    multiple of 64. `bias` and `scores`, the linear layer, are (1, columns), a multiple of 8.
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
    active: Any  # offsets of the windows that violate the margin
    gradients: Any  # (rows, columns) of the active rows


class Terms(NamedTuple):
    """Sums of rows, each row with a factor."""

    counts: Any  # (sums,) of the terms
    factors: Any  # (sums, terms)
    offsets: Any  # (sums, terms) of the rows


class Batch(NamedTuple):
    """Working memory for the windows of one gradient step."""

    strip: Any  # row offsets of the words, window after window
    vectors: Any  # of the strip, concatenated
    errors: Any  # updates of the vectors
    windows: Activations
    targets: Any  # row offset of the centre word, for each replacement
    negatives: Any  # row offset of the word that replaces it
    differences: Any  # (replacements, padded dimension) of the two vectors
    violating: Any  # the differences that violate the margin
    difference_errors: Any  # updates of those
    replacements: Activations
    violations: Any  # replacements that violate the margin
    centre_weights: Any  # (units, padded dimension) the columns of the weights for the centre word
    centre_changes: Any  # their updates, before the learning rate
    rows: Any  # (units,) offsets of the rows of the weights
    units: Terms  # of the updates of each window: rows of the weights
    uses: Terms  # of the updates of each unit: windows
    old_scores: Any  # the linear layer at the start of the step
    filled: Any  # (2,) windows in the batch, words in the strip
    learning_rate: Any  # (1,) float32 of the last window


class _Model(NamedTuple):
    settings: Settings
    network: Network
    batch: Batch


@njit(nogil=True, cache=True, boundscheck=False)
def _new_activations(rows, columns):
    padded = _padded(rows, PADDING)
    return Activations(
        np.zeros(padded, np.int64),
        np.zeros((padded, columns), np.float32),
        np.zeros(padded, np.int64),
        np.zeros((padded, columns), np.float32),
    )


@njit(nogil=True, cache=True, boundscheck=False)
def _new_terms(sums, terms):
    return Terms(
        np.zeros(sums, np.int64),
        np.zeros((sums, terms), np.float32),
        np.zeros((sums, terms), np.int64),
    )


@njit(nogil=True, cache=True, boundscheck=False)
def _new_batch(settings, units, columns):
    strip = settings.batch * (2 * settings.window + 1)
    replacements = settings.batch * settings.negative
    rows, width = _padded(replacements, PADDING), _padded(settings.dimension, WIDTH)
    return Batch(
        np.zeros(strip, np.int64),
        np.zeros(strip * settings.dimension + TILE, np.float32),
        np.zeros(strip * settings.dimension + TILE, np.float32),
        _new_activations(settings.batch, columns),
        np.zeros(replacements, np.int64),
        np.zeros(replacements, np.int64),
        np.zeros((rows, width), np.float32),
        np.zeros((rows, width), np.float32),
        np.zeros((rows, width), np.float32),
        _new_activations(replacements, columns),
        np.zeros(replacements, np.int64),
        np.zeros((units, width), np.float32),
        np.zeros((columns, width), np.float32),
        np.arange(units) * _padded(_fan_in(settings), TILE),
        _new_terms(settings.batch, units),
        _new_terms(units, settings.batch),
        np.zeros((1, columns), np.float32),
        np.zeros(2, np.int64),
        np.zeros(1, np.float32),
    )


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _padded(number, size):
    """The smallest multiple of `size` that is not below the number."""
    return -(-number // size) * size


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
    batch = _new_batch(settings, network.weights.shape[0], network.bias.shape[1])
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
    _compute_hidden(batch, length, windows, settings, network)
    active, violations = _compute_gradients(batch, windows, learning_rate, settings, network)
    if violations == 0:
        return
    _compute_errors(batch, length, active, violations, settings, network)
    layer_rate = np.float32(settings.weights_factor) * learning_rate
    _update_weights(batch, active, violations, layer_rate, settings, network)
    _add_rows(batch.windows.gradients, active, layer_rate, network.bias)
    _update_centre_words(batch, violations, settings.dimension, learning_rate, network)
    _update_words(batch, length, settings.dimension, learning_rate, network)


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def _compute_hidden(batch, length, windows, settings, network):
    """Write the hidden layer of windows and of their replacements, before hard tanh."""
    observed, replaced, dimension = batch.windows, batch.replacements, settings.dimension
    replacements = windows * settings.negative
    _gather_vectors(batch, length, dimension, network)
    _write_differences(batch, replacements, network)
    for unit in range(network.weights.shape[0]):
        for k in range(dimension):
            column = settings.window * dimension + k
            batch.centre_weights[unit, k] = network.weights[unit, column]
    _repeat(network.bias, 1, windows, observed.hidden)
    height = _padded(_fan_in(settings), WIDTH)
    _forward(batch.vectors, observed.offsets, windows, network.weights, height, observed.hidden)
    _repeat(observed.hidden, windows, settings.negative, replaced.hidden)
    _forward(
        batch.differences,
        replaced.offsets,
        replacements,
        batch.centre_weights,
        batch.centre_weights.shape[1],
        replaced.hidden,
    )


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def _forward(x, offsets, count, weights, length, out):
    """Add the products of `count` rows of x with all rows of the weights to `out`."""
    (units, stride), width = weights.shape, out.shape[1]
    for unit in range(0, units, UNITS):
        for r in range(0, count, ROWS):
            at = r * width + unit
            add_dot_products(x, offsets, r, weights, unit * stride, stride, length, out, at, width)


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def _compute_errors(batch, length, active, violations, settings, network):
    """Write the updates of the strip and of the differences, before the learning rate."""
    weights, observed, gradients = network.weights, batch.windows, batch.replacements.gradients
    units, height = weights.shape
    columns = gradients.shape[1]
    batch.errors[: length * settings.dimension + WIDTH] = 0
    batch.difference_errors[:] = 0
    _find_terms(observed, active, batch.rows, batch.units, batch.uses)
    _add_sums(batch.units, active, weights, height, batch.errors, observed.active)
    _add_products(
        gradients,
        (columns, 1),
        violations,
        batch.centre_weights,
        units,
        batch.difference_errors,
    )


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _find_terms(windows, active, rows, units, uses):
    """Find the gradients that are not 0: those of each window, and those of each unit."""
    uses.counts[:] = 0
    for r in range(active):
        count = 0
        for unit in range(uses.counts.shape[0]):
            gradient, use = windows.gradients[r, unit], uses.counts[unit]
            units.factors[r, count], units.offsets[r, count] = gradient, rows[unit]
            uses.factors[unit, use], uses.offsets[unit, use] = gradient, windows.active[r]
            is_term = gradient != 0  # without a branch, which could not be predicted
            count += is_term
            uses.counts[unit] += is_term
        units.counts[r] = count


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def _update_weights(batch, active, violations, learning_rate, settings, network):
    weights, gradients = network.weights, batch.replacements.gradients
    units, height = weights.shape
    centre, whole = settings.window * settings.dimension, _fan_in(settings)
    batch.centre_changes[:] = 0
    _add_products(
        gradients,
        (1, gradients.shape[1]),
        units,
        batch.violating,
        violations,
        batch.centre_changes,
    )
    for unit in range(units):
        for t in range(batch.uses.counts[unit]):
            batch.uses.factors[unit, t] *= learning_rate
    _add_sums(batch.uses, units, batch.vectors, height, weights, batch.rows)
    for unit in range(units):
        for k in range(settings.dimension):
            weights[unit, centre + k] += learning_rate * batch.centre_changes[unit, k]
        weights[unit, whole:] = 0  # padding, which received numbers from beyond the window


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def _add_sums(terms, count, x, length, out, offsets):
    """Add sums of rows of x to rows of `out` that begin at the offsets."""
    most = terms.factors.shape[1]
    for k in range(0, length, TILE):
        for r in range(count):
            add_row_sums(
                terms.factors,
                terms.offsets,
                r * most,
                terms.counts[r],
                x,
                k,
                out,
                offsets[r] + k,
            )


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _fan_in(settings):
    return (2 * settings.window + 1) * settings.dimension


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def _add_products(factors, steps, count, x, terms, out):
    """Add weighted sums of the first `terms` rows of x to the first `count` rows of `out`.

    The weight of term t in sum r is factors.flat[r * steps[0] + t * steps[1]]. The count is
    rounded up to whole tiles.
    """
    width = x.shape[1]
    for r in range(0, count, SUMS):
        for k in range(0, width, WIDTH):
            at = r * width + k
            add_weighted_sums(factors, r * steps[0], *steps, x, k, width, terms, out, at, width)


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


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _write_differences(batch, replacements, network):
    """Write the differences of replacing and replaced vectors."""
    width = batch.differences.shape[1]
    for c in range(replacements):
        batch.replacements.offsets[c] = c * width
        for k in range(0, network.inputs.shape[1], LANES):
            wrong = load(network.inputs, batch.negatives[c] + k)
            right = load(network.inputs, batch.targets[c] + k)
            store(batch.differences, c * width + k, wrong - right)


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
                _copy_row(batch.differences, c, batch.violating, violations)
                is_first = violations == first
                _add_gradient(
                    batch, b, c, active, violations, is_first, scores_learning_rate, scores
                )
                violations += 1
        batch.windows.active[active] = batch.windows.offsets[b]
        active += violations > first
    return active, violations


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _copy_row(table, row, out, into):
    width = table.shape[1]
    for k in range(0, width, LANES):
        store(out, into * width + k, load(table, row * width + k))


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
def _add_rows(rows, count, scale, total):
    """Add `scale` times the sum of `count` rows."""
    width, factor = total.shape[1], broadcast(scale)
    for k in range(0, width, LANES):
        summed = load(total, k)
        for r in range(count):
            summed = multiply_add(summed, load(rows, r * width + k), factor)
        store(total, k, summed)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _update_centre_words(batch, violations, dimension, learning_rate, network):
    """Add the updates of the differences to replacing words, subtract them from replaced ones."""
    inputs = network.inputs.reshape(-1)
    for r in range(violations):
        wrong, right = batch.negatives[batch.violations[r]], batch.targets[batch.violations[r]]
        for k in range(dimension):
            step = learning_rate * batch.difference_errors[r, k]
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
