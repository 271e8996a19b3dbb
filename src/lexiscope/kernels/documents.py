"""Words foretold by their documents as well as by their neighbours (Sun et al. 2015).

A walk comes with the row of each sentence's document. Words that stand alone in their sentence
have no neighbours, but a document. Both losses of a word share its negative examples.
"""

import numpy as np
from numba import njit

from lexiscope.kernels.cbow import gather, scatter
from lexiscope.kernels.lanes import LANES, plus_product, put, spread, spread_from, take
from lexiscope.kernels.negatives import TILE, answer, line_up, move, tiles_of, weigh
from lexiscope.kernels.walking import around, fetch, foresee, longest, reached, thin


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def walk_parallel(text, document_of, piece, window, dynamic, negatives, inputs, outputs, documents):
    """Take the steps of a piece of the text: the mean of the words around and the document each
    foretell the word in the middle.

    `document_of` (sentences,) are rows of `documents` (documents, width); `inputs` and `outputs`
    are (words, width).
    """
    width = inputs.shape[1]
    tiles = tiles_of(negatives)
    kept = np.empty(longest(text.starts, piece.begin, piece.end), np.int64)
    rows = np.empty(2 * window + 1, np.int64)
    coming = np.empty(negatives, np.int64)
    places = np.zeros(tiles * TILE, np.int64)
    weights = np.zeros(tiles * LANES, np.float32)
    slopes = np.zeros(tiles * 2 * LANES, np.float32)
    both = np.array([0, width])  # where in `hidden` the mean begins, and the document
    hidden = np.zeros(2 * width, np.float32)
    error = np.zeros(2 * width, np.float32)
    state = foresee(text.noise, width, outputs, coming, np.uint64(piece.seed))
    for s in range(piece.begin, piece.end):
        walked = text.starts[s] - text.starts[piece.begin]
        rate = np.float32(piece.rate - piece.fall * walked)
        document = np.int64(document_of[s]) * width
        _copy(documents, document, hidden, width, width)
        n, state = thin(text, s, width, kept, state)
        for i in range(n):
            reach, state = reached(window, dynamic, state)
            count = around(kept, i, reach, n, rows)
            line_up(kept[i], coming, rate, places, weights)
            state = foresee(text.noise, width, outputs, coming, state)
            if i + 1 < n:
                fetch(outputs, kept[i + 1], width)
            if i + 1 + window < n:
                fetch(inputs, kept[i + 1 + window], width)
            share = np.float32(1) / np.float32(max(count, 1))
            if count:
                gather(inputs, rows, count, share, width, hidden)
            else:
                _clear(hidden, width)
            weigh(hidden, both, 2, outputs, places, width, weights, slopes)
            _follow_two(hidden, outputs, places, width, slopes, error)
            # The slope of a mean: each word around gets its share, as the document gets all.
            scatter(inputs, rows, count, share, width, error)
            _add(error, width, hidden, width, width)
        _copy(hidden, width, documents, document, width)


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def walk_hierarchical(
    text, document_of, piece, window, dynamic, negatives, inputs, outputs, documents
):
    """Take the steps of a piece of the text: words around foretell the word in the middle by its
    row of `outputs`, then the document foretells it by its row of `inputs`.

    `document_of` (sentences,) are rows of `documents` (documents, width); `inputs` and `outputs`
    are (words, width).
    """
    width = inputs.shape[1]
    tiles = tiles_of(negatives)
    kept = np.empty(longest(text.starts, piece.begin, piece.end), np.int64)
    rows = np.empty(2 * window + 1, np.int64)
    coming = np.empty(negatives, np.int64)
    places = np.zeros(tiles * TILE, np.int64)
    weights = np.zeros(tiles * LANES, np.float32)
    slopes = np.zeros(tiles * 2 * window * LANES, np.float32)
    hidden = np.zeros(width, np.float32)
    error = np.zeros(width, np.float32)
    state = foresee(text.noise, width, outputs, coming, np.uint64(piece.seed))
    for s in range(piece.begin, piece.end):
        walked = text.starts[s] - text.starts[piece.begin]
        rate = np.float32(piece.rate - piece.fall * walked)
        document = np.int64(document_of[s]) * width
        _copy(documents, document, hidden, 0, width)
        n, state = thin(text, s, width, kept, state)
        for i in range(n):
            reach, state = reached(window, dynamic, state)
            count = around(kept, i, reach, n, rows)
            line_up(kept[i], coming, rate, places, weights)
            state = foresee(text.noise, width, outputs, coming, state)
            for m in range(negatives):
                fetch(inputs, coming[m], width)
            if i + 1 < n:
                fetch(outputs, kept[i + 1], width)
            if i + 1 + window < n:
                fetch(inputs, kept[i + 1 + window], width)
            weigh(inputs, rows, count, outputs, places, width, weights, slopes)
            move(inputs, rows, count, outputs, places, width, slopes)
            answer(hidden, 0, width, inputs, places, weights, slopes, error)
            _add(error, 0, hidden, 0, width)
        _copy(hidden, 0, documents, document, width)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def _follow_two(hidden, outputs, places, width, slopes, error):
    """Move the output rows for two hidden vectors; write what these should move by to `error`."""
    for k in range(0, 2 * width, LANES):
        put(error, k, spread(np.float32(0)))
    for tile in range(places.shape[0] // TILE):
        o0, o1, o2 = places[tile * TILE], places[tile * TILE + 1], places[tile * TILE + 2]
        o3, o4, o5 = places[tile * TILE + 3], places[tile * TILE + 4], places[tile * TILE + 5]
        at = tile * 2 * LANES
        for k in range(0, width, LANES):
            x, y = take(hidden, k), take(hidden, width + k)
            b0, b1, b2 = take(outputs, o0 + k), take(outputs, o1 + k), take(outputs, o2 + k)
            b3, b4, b5 = take(outputs, o3 + k), take(outputs, o4 + k), take(outputs, o5 + k)
            for c in range(2):
                first = at + c * LANES
                left = plus_product(take(error, c * width + k), spread_from(slopes, first), b0)
                left = plus_product(left, spread_from(slopes, first + 1), b1)
                left = plus_product(left, spread_from(slopes, first + 2), b2)
                right = spread_from(slopes, first + 3) * b3
                right = plus_product(right, spread_from(slopes, first + 4), b4)
                right = plus_product(right, spread_from(slopes, first + 5), b5)
                put(error, c * width + k, left + right)
            # Backwards: of equal rows only the first has moved.
            put(outputs, o5 + k, _moved(b5, x, y, slopes, at + 5))
            put(outputs, o4 + k, _moved(b4, x, y, slopes, at + 4))
            put(outputs, o3 + k, _moved(b3, x, y, slopes, at + 3))
            put(outputs, o2 + k, _moved(b2, x, y, slopes, at + 2))
            put(outputs, o1 + k, _moved(b1, x, y, slopes, at + 1))
            put(outputs, o0 + k, _moved(b0, x, y, slopes, at))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def _moved(row, x, y, slopes, at):
    halfway = plus_product(row, spread_from(slopes, at), x)
    return plus_product(halfway, spread_from(slopes, at + LANES), y)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def _copy(source, place, target, into, width):
    for k in range(0, width, LANES):
        put(target, into + k, take(source, place + k))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def _add(source, place, target, into, width):
    for k in range(0, width, LANES):
        put(target, into + k, take(target, into + k) + take(source, place + k))


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True, error_model="numpy")
def _clear(target, width):
    for k in range(0, width, LANES):
        put(target, k, spread(np.float32(0)))
