"""Where the time of a skip-gram and a CBOW word goes: nanoseconds of each part of a step.

Parts are run alone on rows that lie in the first cache, for the numbers of context words that
windows of 1 to 5 have; what the whole costs on a real text beyond them is waiting for memory and
what the parts hinder each other.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any

import numpy as np
from numba import njit

from lexiscope.kernels import cbow, negatives, walking
from lexiscope.kernels.chance import alias_table
from lexiscope.kernels.walking import Piece
from lexiscope.trainers.cbow import Cbow
from lexiscope.trainers.skipgram import Skipgram
from texts import mix

_TIMES = 200_000
_WORDS, _DIMENSION, _WINDOW = 40, 104, 5


@njit(nogil=True)
def _drawing(times, counts, text, inputs, outputs, kept, state):
    coming, places, weights = np.zeros(5, np.int64), np.zeros(6, np.int64), np.zeros(8, np.float32)
    for n in range(times):
        _, state = walking.reached(5, True, state)
        negatives.line_up(n % 7 * 104, coming, np.float32(1e-6), places, weights)
        state = walking.foresee(text.noise, inputs.shape[1], outputs, coming, state)
    return state


@njit(nogil=True)
def _weighing(times, counts, text, inputs, outputs, kept, state):
    places, weights = np.arange(6) * 3 * inputs.shape[1], np.zeros(8, np.float32)
    slopes = np.zeros(80, np.float32)
    for n in range(times):
        count = counts[n % counts.shape[0]]
        negatives.weigh(inputs, kept, count, outputs, places, inputs.shape[1], weights, slopes)
    return state


@njit(nogil=True)
def _moving(times, counts, text, inputs, outputs, kept, state):
    places, slopes = np.arange(6) * 3 * inputs.shape[1], np.zeros(80, np.float32)
    for n in range(times):
        count = counts[n % counts.shape[0]]
        negatives.move(inputs, kept, count, outputs, places, inputs.shape[1], slopes)
    return state


@njit(nogil=True)
def _averaging(times, counts, text, inputs, outputs, kept, state):
    hidden = np.zeros(inputs.shape[1], np.float32)
    for n in range(times):
        count = counts[n % counts.shape[0]]
        cbow.gather(inputs, kept, count, np.float32(0.2), inputs.shape[1], hidden)
        cbow.scatter(inputs, kept, count, np.float32(0), inputs.shape[1], hidden)
    return state


@njit(nogil=True)
def _answering(times, counts, text, inputs, outputs, kept, state):
    places, weights = np.arange(6) * 3 * inputs.shape[1], np.zeros(8, np.float32)
    slopes, error = np.zeros(8, np.float32), np.zeros(inputs.shape[1], np.float32)
    hidden = inputs[0].copy()
    for _ in range(times):
        width = inputs.shape[1]
        negatives.answer(hidden, 0, width, outputs, places, weights, slopes, error)
    return state


PARTS: dict[str, dict[str, Callable[..., Any]]] = {
    "skipgram": {"draw": _drawing, "products and slopes": _weighing, "moves": _moving},
    "cbow": {"draw": _drawing, "mean and its error": _averaging, "foretelling": _answering},
}


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """A line per model: nanoseconds per word that stays."""
    text, random = mix(), np.random.default_rng(0)
    stay = float(Skipgram().shares(text)[0].sum())
    tables = [random.standard_normal((_WORDS, _DIMENSION)).astype(np.float32) for _ in range(2)]
    reach = random.integers(1, _WINDOW + 1, 1000)
    counts = np.minimum(reach, 8) + np.minimum(reach, random.integers(0, 9, 1000))
    kept = (np.arange(64) % _WORDS) * _DIMENSION
    walked = Skipgram().text(text)._replace(noise=alias_table(np.ones(_WORDS)))
    for model, trainer in (("skipgram", Skipgram()), ("cbow", Cbow())):
        held = _TIMES, counts, walked, *tables, kept, np.uint64(1)
        parts = {
            name: _nanoseconds(rounds, partial(part, *held)) / _TIMES
            for name, part in PARTS[model].items()
        }
        whole = _whole(rounds, text, trainer) / (len(text) * stay)
        yield {
            "what": f"a word of {model}, nanoseconds",
            **{name: round(value) for name, value in parts.items()},
            "waiting for memory, sentences, thinning": round(whole - sum(parts.values())),
            "whole": round(whole),
        }


def _whole(rounds: int, text: Any, trainer: Any) -> float:
    """One epoch on one thread, without shards."""
    state = trainer.tables(text, np.random.default_rng(0))
    walked, piece = trainer.text(text), Piece(0, text.sentences, 0.025, 0.0, 1)
    return _nanoseconds(rounds, lambda: trainer.walk(walked, piece, state))


def _nanoseconds(rounds: int, run: Callable[[], Any]) -> float:
    run()
    seconds = []
    for _ in range(rounds):
        begun = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - begun)
    return median(seconds) * 1e9
