"""Progress of long computations."""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

Progress = Callable[[str, int, int], None]  # a description, how much is done, and the total


@runtime_checkable
class TimedProgress(Protocol):
    """Progress that also accepts an estimate of the time left.

    Work whose steps take very different times estimates it better than the number of steps does.
    """

    def __call__(self, what: str, done: int, of: int) -> None: ...

    def time_left(self, what: str, seconds: float | None) -> None:
        """Report the estimated time left of this work in seconds; None: not known."""


def silent(what: str, done: int, of: int) -> None:
    """Report no progress."""


def report_time_left(progress: Progress, what: str, seconds: float | None) -> None:
    """Report the time left, if this progress accepts it."""
    if isinstance(progress, TimedProgress):
        progress.time_left(what, seconds)
