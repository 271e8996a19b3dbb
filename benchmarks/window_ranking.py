"""Cost of window ranking (`senna`) relative to CBOW, and its arithmetic against the processor's.

CPU time on one thread, 100 dimensions, window 5, one epoch of the corpus of train.py. Operations
are counted, those of the hidden layer only: each multiplication and each addition is one.
"""

import os
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import numpy as np
from numba import njit

from lexiscope.core.corpus import Corpus
from lexiscope.kernels.predictive import senna
from lexiscope.kernels.simd.tiles import TILE, UNITS, WIDTH
from lexiscope.trainers._tables import zero_rows
from lexiscope.trainers.cbow import Cbow
from lexiscope.trainers.senna import Senna
from texts import mix

_DIMENSION, _WINDOWS, _TIMES = 100, 48, 3000


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """Cost of a training, the speed of its largest product, and the processor's peak."""
    os.environ["LEXISCOPE_THREADS"] = "1"
    text, model = mix(), Senna(dimension=_DIMENSION, epochs=1)
    trainers = {"senna": model, "cbow": Cbow(epochs=1, dynamic_window=False)}
    found: dict[str, list[float]] = {name: [] for name in trainers}
    for number in range(rounds + 1):
        for name, trainer in trainers.items():
            seconds = _cpu_seconds(lambda trainer=trainer: _train(trainer, text))
            found[name] += [seconds] if number else []  # the first run compiles
    windows = len(text) * float(model.word_probabilities(text)[0].sum())
    operations = 2 * 11 * _DIMENSION * model.hidden
    yield {
        "what": "senna, 100 dimensions, CPU time relative to cbow, dynamic_window=False",
        "cpu_seconds": {name: [round(value, 2) for value in found[name]] for name in found},
        "relative_cost": round(median(found["senna"]) / median(found["cbow"]), 2),
        "nanoseconds_per_window": round(median(found["senna"]) / windows * 1e9),
        "gflops_of_forward_pass": round(median(_forward() for _ in range(rounds)), 1),
        "gflops_of_multiply_adds_in_registers": round(median(_peak() for _ in range(rounds)), 1),
        "operations_of_forward_pass_per_window": operations,
    }


def _train(trainer: Any, text: Corpus) -> None:
    trainer.train(text, np.random.default_rng(1))


def _cpu_seconds(run: Callable[[], Any]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


@njit(nogil=True)
def _many_products(times, x, offsets, count, weights, length, out):
    for _ in range(times):
        senna._forward(x, offsets, count, weights, length, out)


@njit(nogil=True)
def _many_multiply_adds(times, x, offsets, weights, length, out):
    """Products of one tile, whose rows stay in the L1 cache."""
    for _ in range(times):
        senna._forward(x, offsets, senna.ROWS, weights, length, out)


def _forward() -> float:
    """Giga-operations per second of the hidden layer of a batch of windows."""
    height = 11 * _DIMENSION
    weights = zero_rows(100, -(-height // TILE) * TILE)
    x, offsets = np.zeros((_WINDOWS + 12) * _DIMENSION, np.float32), np.arange(_WINDOWS) * 100
    arguments = x, offsets, _WINDOWS, weights, -(-height // WIDTH) * WIDTH
    out = np.zeros((_WINDOWS, 104), np.float32)
    _many_products(1, *arguments, out)
    seconds = _cpu_seconds(lambda: _many_products(_TIMES, *arguments, out))
    return _TIMES * 2 * _WINDOWS * 100 * height / seconds / 1e9


def _peak() -> float:
    """Giga-operations per second of one tile of the same product."""
    length = 64 * WIDTH
    weights, x = zero_rows(UNITS, length), zero_rows(senna.ROWS, length)
    offsets, out = np.arange(senna.ROWS) * length, np.zeros((senna.ROWS, 8), np.float32)
    times = 100 * _TIMES
    _many_multiply_adds(1, x, offsets, weights, length, out)
    seconds = _cpu_seconds(lambda: _many_multiply_adds(times, x, offsets, weights, length, out))
    return times * 2 * senna.ROWS * UNITS * length / seconds / 1e9
