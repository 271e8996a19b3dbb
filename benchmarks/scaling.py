"""Two threads compared with one: skip-gram with the same bytes on any number of threads.

Seconds by the wall clock, runs alternating, one epoch of the corpus of train.py. The limit is that
of the machine: two separate trainings at once, in two threads, against one alone. On a busy machine
none of these mean much; `critical_path` is then more informative: for each round the CPU time of
the slower thread, plus all CPU time outside the threads.
"""

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from typing import Any

import numpy as np

from lexiscope.core.corpus import Corpus
from lexiscope.trainers import _sharding
from lexiscope.trainers.skipgram import Skipgram
from texts import mix

# threads, shards, and how many trainings run at once
SETUPS = {
    "one thread, one shard": (1, 1, 1),
    "one thread, two shards": (1, 2, 1),
    "two threads, two shards": (2, 2, 1),
    "two trainings at once": (1, 1, 2),
}


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """A line per setup: seconds, CPU seconds, critical path, and the speed-up by each of them."""
    text = mix()
    _train(text, 2)  # compiles
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in SETUPS}
    for _ in range(rounds):
        for name, (threads, shards, trainings) in SETUPS.items():
            os.environ["LEXISCOPE_THREADS"] = str(threads)
            runs[name].append(_measured(text, shards, trainings))
            if threads == 1:  # its jobs run one after the other
                runs[name][-1]["critical_path"] = runs[name][-1]["cpu_seconds"] / trainings
    alone = runs["one thread, one shard"]
    for name, found in runs.items():
        work = SETUPS[name][2]
        yield {
            "what": f"skipgram, {name}",
            **{key: [round(run[key], 2) for run in found] for key in found[0]},
            "times_faster": _ratio(alone, found, "seconds", median, work),
            "times_faster_fastest": _ratio(alone, found, "seconds", min, work),
            "times_faster_critical_path": _ratio(alone, found, "critical_path", median, work),
        }


def _ratio(
    alone: list[dict[str, float]],
    found: list[dict[str, float]],
    key: str,
    middle: Callable[[list[float]], float],
    work: int,
) -> float:
    one, other = (middle([run[key] for run in runs]) for runs in (alone, found))
    return round(work * one / other, 2)


def _measured(text: Corpus, shards: int, trainings: int) -> dict[str, float]:
    start, cpu = time.perf_counter(), time.process_time()
    jobs: list[list[float]] = []
    original, _sharding.ThreadPoolExecutor = _sharding.ThreadPoolExecutor, _timed_pool(jobs)
    try:
        with ThreadPoolExecutor(trainings) as pool:
            list(pool.map(_train, [text] * trainings, [shards] * trainings))
    finally:
        _sharding.ThreadPoolExecutor = original
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    busy, slowest = sum(map(sum, jobs)), sum(map(max, jobs))
    return {
        "seconds": seconds,
        "cpu_seconds": cpu,
        "critical_path": (cpu - busy + slowest) / trainings,
    }


def _train(text: Corpus, shards: int) -> None:
    Skipgram(epochs=1, shards=shards).train(text, np.random.default_rng(1))


def _timed_pool(jobs: list[list[float]]) -> Any:
    """A pool that notes the CPU seconds of the jobs of each call."""

    class Pool(ThreadPoolExecutor):
        def map(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
            def timed(*values: Any) -> tuple[Any, float]:
                start = time.thread_time()
                return function(*values), time.thread_time() - start

            found = list(super().map(timed, *arguments, **options))
            jobs.append([seconds for _, seconds in found])
            return iter([result for result, _ in found])

    return Pool
