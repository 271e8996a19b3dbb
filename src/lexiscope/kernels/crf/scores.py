"""Scores of the tags of a sentence, and their gradients, from attributes and from vectors.

A token has a list of binary attributes and the vectors of a window of tokens. Weights are float32
with one column per tag, padded with zeros.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from lexiscope.kernels.predictive.dense_layer import ROWS, forward, outer
from lexiscope.kernels.simd.instructions import prefetch_read
from lexiscope.kernels.simd.lanes import LANES, broadcast, load, store

_CACHE_LINE = 16  # float32 numbers


class Sentences(NamedTuple):
    """Encoded sentences: sentence s is tokens starts[s] to starts[s + 1].

    The attributes of token t are attributes[ends[t]:ends[t + 1]] (int32). Its vector is
    vectors[rows[t]], float32 (words, dimension); the dimension is a multiple of four, or 0.
    """

    starts: Any
    ends: Any
    attributes: Any
    rows: Any
    vectors: Any


class Weights(NamedTuple):
    """Weights of attributes, of the vectors of a window, and of transitions between tags.

    `attributes` is (attributes, columns), with a multiple of eight columns; `vectors` is (window *
    dimension, width) and `transitions` (width, width) from row to column, with a width that is a
    multiple of 16. `tags` is the number of columns that are not padding.
    """

    attributes: Any
    vectors: Any
    transitions: Any
    tags: int


class Window(NamedTuple):
    """Working memory: the vectors of a sentence between rows of zeros, for windows of tokens."""

    vectors: Any  # flat
    offsets: Any  # of the window of each token


@njit(nogil=True, cache=True, boundscheck=False)
def longest_sentence(starts):
    """Number of tokens of the longest sentence."""
    longest = 0
    for sentence in range(starts.shape[0] - 1):
        longest = max(longest, starts[sentence + 1] - starts[sentence])
    return longest


@njit(nogil=True, cache=True, boundscheck=False)
def padded_rows(longest):
    """Rows of a buffer that the kernels of the dense layer can process in tiles."""
    return longest + ROWS


@njit(nogil=True, cache=True, boundscheck=False)
def new_window(sentences, weights):
    """Working memory for the vectors of the longest sentence."""
    dimension = sentences.vectors.shape[1]
    rows = padded_rows(longest_sentence(sentences.starts))
    length = rows * dimension + weights.vectors.shape[0]
    return Window(np.zeros(length, np.float32), np.arange(rows) * dimension)


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def compute_scores(sentences, sentence, weights, window, scores):
    """Write the score of each tag at each token to `scores` (padded rows, width)."""
    first, last = sentences.starts[sentence], sentences.starts[sentence + 1]
    width = scores.shape[1]
    for k in range(0, (last - first) * width, LANES):
        store(scores, k, broadcast(np.float32(0)))
    for token in range(first, last):
        _sum_attributes(sentences, token, weights.attributes, scores, (token - first) * width)
    if sentences.vectors.shape[1] > 0:
        length = weights.vectors.shape[0]
        _fill_window(sentences, first, last, length, window.vectors)
        forward(window.vectors, window.offsets, last - first, weights.vectors, 0, length, scores)


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def add_gradients(sentences, sentence, gradients, window, weights):
    """Add the gradients of scores to the weights; `window` is that of `compute_scores`."""
    first, last = sentences.starts[sentence], sentences.starts[sentence + 1]
    for token in range(first, last):
        at = (token - first) * gradients.shape[1]
        _add_to_attributes(sentences, token, gradients, at, weights.attributes)
    if sentences.vectors.shape[1] > 0:
        length = weights.vectors.shape[0]
        outer(window.vectors, window.offsets, last - first, gradients, weights.vectors, 0, length)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _sum_attributes(sentences, token, weights, scores, at):
    columns = weights.shape[1]
    for column in range(0, columns, LANES):
        total = broadcast(np.float32(0))
        for k in range(sentences.ends[token], sentences.ends[token + 1]):
            total = total + load(weights, sentences.attributes[k] * columns + column)
        store(scores, at + column, total)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def _add_to_attributes(sentences, token, gradients, at, weights):
    columns = weights.shape[1]
    for column in range(0, columns, LANES):
        gradient = load(gradients, at + column)
        for k in range(sentences.ends[token], sentences.ends[token + 1]):
            index = sentences.attributes[k] * columns + column
            store(weights, index, load(weights, index) + gradient)


@njit(nogil=True, cache=True, boundscheck=False)
def _fill_window(sentences, first, last, length, window):
    """Copy the vectors of a sentence; half a window of zeros is before and after them."""
    dimension = sentences.vectors.shape[1]
    margin = (length // dimension - 1) // 2 * dimension
    end = margin + (last - first) * dimension
    for k in range(margin):
        window[k] = window[end + k] = np.float32(0)
    for token in range(first, last):
        at = margin + (token - first) * dimension
        row = sentences.rows[token]
        for k in range(dimension):
            window[at + k] = sentences.vectors[row, k]


@njit(nogil=True, cache=True, boundscheck=False)
def prefetch_attributes(sentences, sentence, weights):
    """Prefetch the weights of the attributes of a sentence that will be next."""
    flat = weights.reshape(-1)
    columns = weights.shape[1]
    first, last = sentences.starts[sentence], sentences.starts[sentence + 1]
    for k in range(sentences.ends[first], sentences.ends[last]):
        at = np.int64(sentences.attributes[k]) * columns
        for column in range(0, columns, _CACHE_LINE):
            prefetch_read(flat, at + column)
