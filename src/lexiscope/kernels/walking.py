"""What the kernels of predictive models share: a walk over sentences, word by word."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from lexiscope.kernels.chance import below, drawn, following, mixed
from lexiscope.kernels.simd import prefetch_to_write

_LINE = 16  # float32 numbers in a line of the processor's cache


class Text(NamedTuple):
    """What is walked over: sentence s is tokens[starts[s]:starts[s + 1]].

    A word stays with chance `keep` / 2 ** 32, from uint64 (words,); `noise` is an alias table of
    how likely each word is as a negative example.
    """

    tokens: Any
    starts: Any
    keep: Any
    noise: Any


class Piece(NamedTuple):
    """A walk from sentence `begin` to `end`; the rate falls by `fall` with every token."""

    begin: int
    end: int
    rate: float
    fall: float
    seed: int


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def longest(starts, begin, end):
    """The length of the longest sentence from `begin` to `end`."""
    most = 0
    for s in range(begin, end):
        most = max(most, starts[s + 1] - starts[s])
    return most


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def thin(text, sentence, width, kept, state):
    """Write where the rows of the words that stay begin; returns how many stay, and the state."""
    n = 0
    for i in range(text.starts[sentence], text.starts[sentence + 1]):
        token = np.int64(text.tokens[i])
        state = following(state)
        kept[n] = token * width
        n += (mixed(state) >> np.uint64(32)) < text.keep[token]
    return n, state


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def reached(window, dynamic, state):
    """How far the context goes this time: `window`, or a random distance up to it."""
    if not dynamic:
        return window, state
    state = following(state)
    return window - below(mixed(state), window), state


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def around(kept, i, reach, n, rows):
    """Write the rows of the words around place i; returns how many there are."""
    count = 0
    for j in range(max(0, i - reach), min(n, i + reach + 1)):
        rows[count] = kept[j]
        count += j != i
    return count


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def foresee(noise, width, outputs, coming, state):
    """Draw the next negative examples, and ask for their rows before they are needed."""
    for m in range(coming.shape[0]):
        state = following(state)
        coming[m] = drawn(mixed(state), noise) * width
        fetch(outputs, coming[m], width)
    return state


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def fetch(table, place, width):
    """Ask for the row at table.flat[place], to be written soon."""
    for k in range(0, width, _LINE):
        prefetch_to_write(table, place + k)
