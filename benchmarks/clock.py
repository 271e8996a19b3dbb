"""Interleaved timing, and the peak memory of processes."""

import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any


def in_turns(rounds: int, **runners: Callable[[], Any]) -> dict[str, list[float]]:
    """The seconds of each runner, interleaved by round, so that noise affects all alike."""
    seconds: dict[str, list[float]] = {name: [] for name in runners}
    for _ in range(rounds):
        for name, runner in runners.items():
            start = time.perf_counter()
            runner()
            seconds[name].append(time.perf_counter() - start)
    return seconds


def in_processes(rounds: int, **codes: str) -> dict[str, list[dict[str, float]]]:
    """Seconds and memory of code, each in a new process; the code prints its seconds last.

    Memory is the peak of the process minus that of its imports.
    """
    found: dict[str, list[dict[str, float]]] = {name: [] for name in codes}
    for _ in range(rounds):
        for name, code in codes.items():
            ended = subprocess.run(
                [sys.executable, "-c", _FRAME.format(code=code.replace("\n", "\n    "))],
                capture_output=True,
                text=True,
                check=True,
            )
            seconds, memory = ended.stdout.split()[-2:]
            found[name].append({"seconds": float(seconds), "megabytes": float(memory)})
    return found


_FRAME = """
import resource, threading, time
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
def job(before):
    {code}
    return time.perf_counter() - begun
start = [resident()]
peak = [0]
stop = threading.Event()
def watch():
    while not stop.wait(0.002):
        peak[0] = max(peak[0], resident())
watcher = threading.Thread(target=watch, daemon=True)
watcher.start()
seconds = job(start)
stop.set(); watcher.join()
print(seconds, (max(peak[0], resident()) - start[0]) / 1e6)
"""


def ratio(peer: list[float], ours: list[float]) -> float:
    """The ratio of the medians: how many times faster ours is."""
    return round(median(peer) / median(ours), 2)


def rounded(values: list[float]) -> list[float]:
    """Seconds to the millisecond, for a line of output."""
    return [round(value, 3) for value in values]
