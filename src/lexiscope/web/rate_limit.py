"""Token buckets in bounded memory."""

import time
from collections import OrderedDict
from collections.abc import Callable

_CAPACITY = 20_000


class RateLimit:
    """Allow `rate` events per second and `burst` at once, for each key.

    Only the most recently used keys are kept, so that many visitors cannot fill the memory.

    >>> limit = RateLimit(rate=1.0, burst=2, clock=lambda: 0.0)
    >>> [limit.allows("a"), limit.allows("a"), limit.allows("a"), limit.allows("b")]
    [True, True, False, True]
    """

    def __init__(
        self, rate: float, burst: float, *, clock: Callable[[], float] = time.monotonic,
        capacity: int = _CAPACITY,
    ) -> None:  # fmt: skip
        self._rate, self._burst = rate, burst
        self._clock, self._capacity = clock, capacity
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, key: str) -> bool:
        """Count an event; returns whether it is within the limit."""
        level = self._level(key)
        allowed = level >= 1.0
        self._keep(key, level - 1.0 if allowed else level)
        return allowed

    def exhausted(self, key: str) -> bool:
        """Return whether the next event would be refused, without counting one."""
        return self._level(key) < 1.0

    def _level(self, key: str) -> float:
        level, at = self._buckets.get(key, (self._burst, self._clock()))
        return min(self._burst, level + (self._clock() - at) * self._rate)

    def _keep(self, key: str, level: float) -> None:
        self._buckets[key] = (level, self._clock())
        self._buckets.move_to_end(key)
        while len(self._buckets) > self._capacity:
            self._buckets.popitem(last=False)

    def __len__(self) -> int:
        return len(self._buckets)
