"""Response times that do not depend on changes of the clock."""

import time
from collections import OrderedDict
from collections.abc import Callable

_CAPACITY = 50_000


class Stopwatch:
    """Remembers when items were first shown, in bounded memory, by a monotonic clock.

    For an item that an earlier process has shown, or that is no longer remembered, the difference
    of the wall clock is used, and at least 0.
    """

    def __init__(
        self, monotonic: Callable[[], float] = time.monotonic, capacity: int = _CAPACITY
    ) -> None:
        self._monotonic, self._capacity = monotonic, capacity
        self._started: OrderedDict[tuple[str, str], float] = OrderedDict()

    def start(self, judge: str, item: str) -> None:
        """Remember that an item is shown; the first time counts."""
        self._started.setdefault((judge, item), self._monotonic())
        while len(self._started) > self._capacity:
            self._started.popitem(last=False)

    def seconds(self, judge: str, item: str, shown: float | None, now: float) -> float | None:
        """Return the time since an item was first shown; None if it never was."""
        started = self._started.get((judge, item))
        if started is not None:
            return self._monotonic() - started
        return None if shown is None else max(0.0, now - shown)
