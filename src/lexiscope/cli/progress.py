"""A progress bar on a terminal's error stream; a line every half minute elsewhere."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from lexiscope.core.notices import is_quiet
from lexiscope.core.progress import Progress as Report  # rich has a Progress too
from lexiscope.core.progress import silent

if TYPE_CHECKING:
    from rich.progress import Progress, Task

_QUIET_SECONDS = 30.0
_SPEED_WINDOW = 600.0  # seconds; a single step of some work takes minutes
_SCALES = ((1e9, " G"), (1e6, " M"), (1e3, " k"))
_MIN_SPEED = 1000  # steps per second; a slower speed says less than the time left
_FIRST = "Starting"
_FIELDS: dict[str, Any] = {"amount": "", "speed": "", "left": ""}


@contextmanager
def progress_bar(counts_bytes: bool = False, quiet: bool = False) -> Iterator[Report]:
    """Yield a function to call with (description, done, total); a total of 0 is unknown.

    On a terminal the bar is there at once, before the first call.
    """
    if quiet or is_quiet():
        yield silent
        return
    if not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn

    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=None),
        DownloadColumn() if counts_bytes else TextColumn("{task.fields[amount]}", justify="right"),
        TextColumn("{task.fields[speed]}", justify="right"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
        console=Console(stderr=True),
        transient=True,
        speed_estimate_period=_SPEED_WINDOW,
        get_time=time.monotonic,
    ) as bar:
        yield _Bar(bar)


class _Timed:
    """Progress with the estimates of the time left that the work itself reports."""

    def __init__(self, tasks: "Progress") -> None:
        self.tasks = tasks
        self._left: dict[str, tuple[float, float] | None] = {}  # seconds, and when reported

    def time_left(self, what: str, seconds: float | None) -> None:
        """Record the estimated time left of a kind of work."""
        self._left[what] = None if seconds is None else (seconds, time.monotonic())

    def left(self, task: "Task") -> str:
        """The estimated time left; empty where it is unknown."""
        if task.description not in self._left:
            return _left(task)
        estimate = self._left[task.description]
        if estimate is None or not task.remaining:
            return ""
        seconds, reported = estimate
        return _time_left(max(1.0, seconds - (time.monotonic() - reported)))


class _Bar(_Timed):
    """A bar for each kind of work on a terminal."""

    def __init__(self, bar: "Progress") -> None:
        super().__init__(bar)
        self._first: Any = bar.add_task(_FIRST, total=None, **_FIELDS)

    def __call__(self, what: str, done: int, of: int) -> None:
        """Show how much is done."""
        if self._first is not None:
            self.tasks.remove_task(self._first)
            self._first = None
        task = _updated(self.tasks, what, done, of)
        is_over = done == of == 1  # a single finished step is of no interest
        texts = {"amount": _amount(done, of), "speed": _speed(task), "left": self.left(task)}
        self.tasks.update(task.id, visible=not is_over, **texts)  # type: ignore[arg-type]


class _Lines(_Timed):
    """A line every half minute."""

    def __init__(self) -> None:
        from rich.progress import Progress

        # Rich estimates speed and time left, but displays nothing.
        super().__init__(
            Progress(disable=True, speed_estimate_period=_SPEED_WINDOW, get_time=time.monotonic)
        )
        self._last = time.monotonic()

    def __call__(self, what: str, done: int, of: int) -> None:
        """Write a line if the last one is half a minute old."""
        task = _updated(self.tasks, what, done, of)
        if time.monotonic() - self._last < _QUIET_SECONDS:
            return
        self._last = time.monotonic()
        amount = f"{done:,} of {of:,}" if of else f"{done:,}"
        parts = [text for text in (amount, _speed(task), self.left(task)) if text]
        sys.stderr.write(f"{what}: {', '.join(parts)}\n")
        sys.stderr.flush()


def _updated(bar: "Progress", description: str, done: int, total: int) -> "Task":
    """Record the progress of one kind of work; a new description starts a new task."""
    known = (total if done or total > 1 else 0) or None  # a single step has no fraction done
    tasks = {task.description: task for task in bar.tasks}
    if description not in tasks:
        # Rich estimates from the second advance on. Starting one step below makes the first
        # report an advance, so that work done before (a checkpoint) does not count as speed.
        number = bar.add_task(description, total=known, completed=done - 1, **_FIELDS)
        tasks[description] = bar.tasks[bar.task_ids.index(number)]
    bar.update(tasks[description].id, completed=done, total=known)
    return tasks[description]


def _speed(task: "Task") -> str:
    """The speed of work with many small steps; empty where it is unknown."""
    speed = task.speed
    if speed is None or speed < _MIN_SPEED:
        return ""
    scale, suffix = _scale(speed)
    return f"{speed / scale:.1f}{suffix}/s"


def _left(task: "Task") -> str:
    """The estimated time left; empty where it is unknown."""
    if not task.speed or task.remaining is None or task.remaining <= 0:
        return ""
    return _time_left(task.remaining / task.speed)


def _time_left(seconds: float) -> str:
    return f"{timedelta(seconds=round(seconds))} left"


def _amount(done: int, total: int) -> str:
    """How much of the total is done, abbreviated where both are long."""
    scale, suffix = _scale(total or done)
    if total == 1 or not (done or total):
        return ""
    if total < 100_000:
        return f"{done:,}/{total:,}" if total else f"{done / scale:.1f}{suffix}"
    digits = 2 if scale == 1e9 else 1
    return f"{done / scale:.{digits}f}/{total / scale:.{digits}f}{suffix}"


def _scale(number: float) -> tuple[float, str]:
    """The power of 1,000 that makes a number short, and its suffix."""
    return next((scale for scale in _SCALES if number >= scale[0]), (1.0, ""))
