"""Profile of skip-gram and CBOW: nanoseconds per token of each part of a training step.

Each part is timed alone on rows in the first-level cache, with the numbers of context words of
dynamic windows up to 5. The rest of the time on a real corpus is memory latency, and interference
of the parts.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any

import numpy as np
from numba import njit

from lexiscope.kernels.predictive import cbow, pairs, training_loop
from lexiscope.kernels.predictive import negative_sampling as negative
from lexiscope.kernels.predictive.training_loop import Segment, Windows
from lexiscope.kernels.rng import alias_table
from lexiscope.trainers.cbow import Cbow
from lexiscope.trainers.skipgram import Skipgram
from texts import mix

_TIMES = 200_000
_WORDS, _DIMENSION, _WINDOW = 40, 104, 5


@njit(nogil=True)
def _sampling(times, counts, text, inputs, outputs, kept, state):
    negatives, targets, weights = (
        np.zeros(5, np.int64),
        np.zeros(6, np.int64),
        np.zeros(8, np.float32),
    )
    for n in range(times):
        _, state = training_loop.sample_window(Windows(5, True, 1), state)
        negative.set_targets(n % 7 * 104, negatives, np.float32(1e-6), targets, weights)
        state = training_loop.sample_and_prefetch(
            text.negative_table, inputs.shape[1], outputs, negatives, state
        )
    return state


@njit(nogil=True)
def _computing_gradients(times, counts, text, inputs, outputs, kept, state):
    targets, weights = np.arange(6) * 3 * inputs.shape[1], np.zeros(8, np.float32)
    gradients = np.zeros(80, np.float32)
    for n in range(times):
        count = counts[n % counts.shape[0]]
        negative.compute_gradients(
            inputs, kept, count, outputs, targets, inputs.shape[1], weights, gradients
        )
    return state


@njit(nogil=True)
def _updating(times, counts, text, inputs, outputs, kept, state):
    targets, gradients = np.arange(6) * 3 * inputs.shape[1], np.zeros(80, np.float32)
    for n in range(times):
        count = counts[n % counts.shape[0]]
        negative.update_rows(inputs, kept, count, outputs, targets, inputs.shape[1], gradients)
    return state


@njit(nogil=True)
def _sampling_for_pairs(times, counts, text, inputs, outputs, kept, state):
    negatives, targets = np.zeros(5, np.int64), np.zeros(7, np.int64)
    weights, width = np.zeros(16, np.float32), inputs.shape[1]
    pair = pairs.Pair(0, 10, 2, 20, 5, 5, True, np.float32(1e-6))
    for n in range(0, times, 2):
        _, state = training_loop.sample_window(Windows(5, True, 1), state)
        _, state = training_loop.sample_window(Windows(5, True, 1), state)
        target = n % 7 * width
        pairs.set_pair_targets(target, target + width, pair, negatives, targets, weights)
        state = training_loop.sample_and_prefetch(
            text.negative_table, width, outputs, negatives, state
        )
    return state


@njit(nogil=True)
def _averaging(times, counts, text, inputs, outputs, kept, state):
    width, inside = inputs.shape[1], np.zeros(24, np.float32)
    hidden, scales = np.zeros(2 * width, np.float32), (np.float32(0.2), np.float32(0.2))
    for n in range(0, times, 2):
        reach = counts[n % counts.shape[0]] // 2 + 1
        pair = pairs.Pair(0, 10, 2, 20, min(reach, 5), 3, True, np.float32(1e-6))
        begin, end = cbow.find_contexts(pair, inside)
        cbow.gather(inputs, kept[begin:end], inside, scales, width, hidden)
        hidden[:] = 0
        cbow.scatter(inputs, kept[begin:end], inside, scales, width, hidden)
    return state


@njit(nogil=True)
def _predicting(times, counts, text, inputs, outputs, kept, state):
    width = inputs.shape[1]
    targets, weights = np.arange(7) * 3 * width, np.zeros(16, np.float32)
    gradients, error = np.zeros(16, np.float32), np.zeros(2 * width, np.float32)
    hidden = inputs[:2].copy().reshape(-1)
    for _ in range(0, times, 2):
        pairs.compute_pair_gradients(
            hidden, 0, width, outputs, targets, 0, width, weights, gradients, 0
        )
        pairs.update_pair(hidden, outputs, targets, width, gradients, error)
    return state


PARTS: dict[str, dict[str, Callable[..., Any]]] = {
    "skipgram": {"sampling": _sampling, "gradients": _computing_gradients, "updates": _updating},
    "cbow": {
        "sampling": _sampling_for_pairs,
        "mean and its error": _averaging,
        "output step": _predicting,
    },
}


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """One line per model: nanoseconds per token that subsampling keeps."""
    text, rng = mix(), np.random.default_rng(0)
    kept_fraction = float(Skipgram().word_probabilities(text)[0].sum())
    tables = [rng.standard_normal((_WORDS, _DIMENSION)).astype(np.float32) for _ in range(2)]
    windows = rng.integers(1, _WINDOW + 1, 1000)
    counts = np.minimum(windows, 8) + np.minimum(windows, rng.integers(0, 9, 1000))
    kept = (np.arange(64) % _WORDS) * _DIMENSION
    tokens = Skipgram().text(text)._replace(negative_table=alias_table(np.ones(_WORDS)))
    for model, trainer in (("skipgram", Skipgram()), ("cbow", Cbow())):
        arguments = _TIMES, counts, tokens, *tables, kept, np.uint64(1)
        parts = {
            name: _nanoseconds(rounds, partial(part, *arguments)) / _TIMES
            for name, part in PARTS[model].items()
        }
        whole = _whole(rounds, text, trainer) / (len(text) * kept_fraction)
        yield {
            "what": f"{model}, nanoseconds per token",
            **{name: round(value) for name, value in parts.items()},
            "waiting for memory, sentences, subsampling": round(whole - sum(parts.values())),
            "whole": round(whole),
        }


def _whole(rounds: int, text: Any, trainer: Any) -> float:
    """One epoch on one thread, without shards."""
    tables = trainer.initial_tables(text, np.random.default_rng(0))
    tokens, segment = trainer.text(text), Segment(0, text.sentences, 0.025, 0.0, 1)
    return _nanoseconds(rounds, lambda: trainer.train_segment(tokens, segment, tables))


def _nanoseconds(rounds: int, run: Callable[[], Any]) -> float:
    run()
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return median(seconds) * 1e9
