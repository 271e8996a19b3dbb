"""The training loop of all predictive models.

The loop goes through sentences, subsamples their tokens and chooses a context window around each
token that remains, the centre word. A model adds one function, its step: the update for one
centre word. Rows of tables are addressed by their offset in the flattened table.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from lexiscope.kernels.predictive.negative_sampling import TILE, set_targets, tile_count
from lexiscope.kernels.rng import bounded, next_state, random_bits, sample_alias
from lexiscope.kernels.simd.instructions import prefetch_write
from lexiscope.kernels.simd.lanes import LANES

_CACHE_LINE = 16  # float32 numbers

# Options of the loop and of every step. They get their arrays in tuples, and numba would count
# references to each of them for every centre word: `_nrt` switches that off. A function without
# reference counts cannot allocate arrays. Measured in docs/decisions/0008-one-training-loop.md.
STEP = {
    "nogil": True,
    "boundscheck": False,
    "forceinline": True,
    "error_model": "numpy",
    "_nrt": False,
}


class Text(NamedTuple):
    """The training text: sentence s is tokens[starts[s]:starts[s + 1]].

    An occurrence of word w survives subsampling with probability keep[w] / 2 ** 32, `keep` being
    uint64 (words,). `negative_table` is the alias table of the negative-sampling distribution.
    """

    tokens: Any
    starts: Any
    keep: Any
    negative_table: Any


class Segment(NamedTuple):
    """Sentences `begin` to `end`; `decay` is subtracted from the learning rate per token."""

    begin: int
    end: int
    learning_rate: float
    decay: float
    seed: int


class Windows(NamedTuple):
    """Context windows: at most `window` words to each side.

    With `dynamic_window`, the size of each window is sampled uniformly from 1 to `window`. Centre
    words with fewer than `min_context` context words are skipped.
    """

    window: int
    dynamic_window: bool
    min_context: int


class Buffers(NamedTuple):
    """Working memory of the loop. All offsets are int64.

    Negatives are sampled one centre word ahead, so that their rows can be prefetched.
    """

    width: int  # of an input row
    output_width: int
    kept: Any  # (longest sentence,) offsets of the words that survive subsampling
    context: Any  # (2 * window + 1,) offsets of the context words
    negatives: Any  # (negative,) output offsets of the next negative samples
    targets: Any  # (tiles * TILE,) output offsets of the centre word and its negative samples
    weights: Any  # (tiles * LANES,) float32: the learning rate times how often a target counts


class Sentence(NamedTuple):
    """A sentence of which `length` words remain after subsampling, in `kept` of the buffers."""

    index: int
    length: int
    learning_rate: float


class Centre(NamedTuple):
    """A centre word: word `position` of the `length` words that remain of its sentence.

    `reach` is the size of its window, `count` the number of its context words.
    """

    sentence: int
    position: int
    length: int
    reach: int
    count: int
    learning_rate: float


@njit(nogil=True, cache=True, boundscheck=False)
def new_buffers(text, segment, window, negative, width, output_width):
    """Allocate the working memory for a segment."""
    tiles = tile_count(negative)
    return Buffers(
        width,
        output_width,
        np.empty(longest_sentence(text.starts, segment.begin, segment.end), np.int64),
        np.empty(2 * window + 1, np.int64),
        np.empty(negative, np.int64),
        np.zeros(tiles * TILE, np.int64),
        np.zeros(tiles * LANES, np.float32),
    )


@njit(**STEP)
def training_loop(text, segment, windows, buffers, step, model):
    """Call `step` for each centre word of a segment, in order.

    `step(text, windows, buffers, centre, model, state)` returns the new random state. It first
    takes `buffers.negatives`, then samples those of the next centre word. `model` is a named tuple
    of the parameters and working memory of the model.
    """
    sentence_loop(text, segment, windows, buffers, _each_centre, step, model)


@njit(**STEP)
def sentence_loop(text, segment, windows, buffers, each, step, model):
    """Call `each(text, windows, buffers, sentence, step, model, state)` for each sentence.

    It calls `step` for the centre words of the sentence, and returns the new random state.
    """
    seed = np.uint64(segment.seed)
    state = sample_negatives(text.negative_table, buffers.output_width, buffers.negatives, seed)
    for s in range(segment.begin, segment.end):
        tokens_done = text.starts[s] - text.starts[segment.begin]
        learning_rate = np.float32(segment.learning_rate - segment.decay * tokens_done)
        length, state = subsample(text, s, buffers.width, buffers.kept, state)
        sentence = Sentence(s, length, learning_rate)
        state = each(text, windows, buffers, sentence, step, model, state)


@njit(**STEP)
def _each_centre(text, windows, buffers, sentence, step, model, state):
    for i in range(sentence.length):
        reach, state = sample_window(windows, state)
        count = find_context(buffers.kept, i, reach, sentence.length, buffers.context)
        if count < windows.min_context:
            continue
        centre = Centre(sentence.index, i, sentence.length, reach, count, sentence.learning_rate)
        state = step(text, windows, buffers, centre, model, state)
    return state


@njit(**STEP)
def next_targets(text, windows, buffers, centre, inputs, outputs, state):
    """Set the targets of a centre word and prefetch the rows that the next one needs.

    `inputs` and `outputs` are (words, width). Returns the new random state.
    """
    kept, i, width = buffers.kept, centre.position, buffers.width
    set_targets(kept[i], buffers.negatives, centre.learning_rate, buffers.targets, buffers.weights)
    state = sample_and_prefetch(text.negative_table, width, outputs, buffers.negatives, state)
    if i + 1 < centre.length:
        prefetch_row(outputs, kept[i + 1], width)
    if i + 1 + windows.window < centre.length:
        prefetch_row(inputs, kept[i + 1 + windows.window], width)
    return state


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def longest_sentence(starts, begin, end):
    """Length of the longest of the sentences `begin` to `end`."""
    longest = 0
    for s in range(begin, end):
        longest = max(longest, starts[s + 1] - starts[s])
    return longest


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def subsample(text, sentence, width, kept, state):
    """Write the row offsets of the words that survive to `kept`; returns their number, state."""
    n = 0
    for i in range(text.starts[sentence], text.starts[sentence + 1]):
        token = np.int64(text.tokens[i])
        state = next_state(state)
        kept[n] = token * width
        n += (random_bits(state) >> np.uint64(32)) < text.keep[token]
    return n, state


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def sample_window(windows, state):
    """Size of the next window and the new random state."""
    if not windows.dynamic_window:
        return windows.window, state
    state = next_state(state)
    return windows.window - bounded(random_bits(state), windows.window), state


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def find_context(kept, i, reach, n, context):
    """Write the offsets of the words around position i of n; returns their number."""
    count = 0
    for j in range(max(0, i - reach), min(n, i + reach + 1)):
        context[count] = kept[j]
        count += j != i
    return count


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def sample_negatives(table, width, negatives, state):
    """Sample words from an alias table and write their row offsets to `negatives`."""
    for m in range(negatives.shape[0]):
        state = next_state(state)
        negatives[m] = sample_alias(random_bits(state), table) * width
    return state


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def sample_and_prefetch(table, width, outputs, negatives, state):
    """Sample as `sample_negatives` does, and prefetch the rows of `outputs` (words, width)."""
    for m in range(negatives.shape[0]):
        state = next_state(state)
        negatives[m] = sample_alias(random_bits(state), table) * width
        prefetch_row(outputs, negatives[m], width)
    return state


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def prefetch_row(table, offset, width):
    """Prefetch the row at table.flat[offset], to be written soon."""
    for k in range(0, width, _CACHE_LINE):
        prefetch_write(table, offset + k)


@njit(nogil=True, cache=True, boundscheck=False, forceinline=True)
def prefetch_sentence(text, sentence, count, table, width):
    """Prefetch the rows of `count` words where a sentence begins, before it is subsampled."""
    if sentence + 1 < text.starts.shape[0]:
        begin = text.starts[sentence]
        for i in range(begin, min(begin + count, text.tokens.shape[0])):
            prefetch_row(table, np.int64(text.tokens[i]) * width, width)
