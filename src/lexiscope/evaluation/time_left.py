"""The time left of work whose steps take very different times, from the steps measured so far."""

import time
from collections import Counter
from collections.abc import Hashable, Iterable
from typing import NamedTuple

_LEAST = 1.0  # seconds of work, before which an estimate means nothing


class Kind(NamedTuple):
    """Steps that take about the same time, such as one task on one dataset.

    Steps that share `like` take a time proportional to their `size`, such as the number of items.
    """

    name: Hashable
    like: Hashable
    size: float


class TimeLeft:
    """Estimates the time left from the measured time of each kind of step.

    A kind that was not measured yet takes the time of the kinds like it, in proportion to the size.
    Without any, the time left is not known.
    """

    def __init__(self, steps: Iterable[Kind]) -> None:
        self._open = Counter(steps)
        self._seconds: dict[Hashable, list[float]] = {}
        self._per_size: dict[Hashable, list[tuple[float, float]]] = {}
        self._measured = 0.0
        self._started = time.monotonic()

    def finished(self, kind: Kind, seconds: float) -> None:
        """Record a finished step and the time that its work took."""
        self._open[kind] -= 1
        self._measured += seconds
        self._seconds.setdefault(kind.name, []).append(seconds)
        self._per_size.setdefault(kind.like, []).append((seconds, kind.size))

    def seconds(self) -> float | None:
        """The time left in seconds; None if some of the open work is like nothing measured.

        Work in parallel, and time that is spent between the steps, are in the ratio of the time
        that has passed to the work that was measured.
        """
        if self._measured < _LEAST:
            return None
        expected = [(self._expected(kind), number) for kind, number in self._open.items() if number]
        if any(seconds is None for seconds, _ in expected):
            return None
        work = sum((seconds or 0.0) * number for seconds, number in expected)
        return work * (time.monotonic() - self._started) / self._measured

    def _expected(self, kind: Kind) -> float | None:
        """The expected time of one step."""
        own = self._seconds.get(kind.name)
        if own:
            return sum(own) / len(own)
        found = self._per_size.get(kind.like)
        if not found:
            return None
        size = sum(size for _, size in found)
        return sum(seconds for seconds, _ in found) * kind.size / size if size else None
