"""A progress bar on a terminal's error stream; a line every half minute elsewhere."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from lexiscope.core.progress import Progress as Report  # rich has a Progress too

if TYPE_CHECKING:
    from rich.progress import Progress, Task

_QUIET_SECONDS = 30.0
_SPEED_WINDOW = 600.0  # seconds; a single step of some work takes minutes
_SCALES = ((1e9, " G"), (1e6, " M"), (1e3, " k"))
_MIN_SPEED = 1000  # steps per second; a slower speed says less than the time left


@contextmanager
def progress_bar(counts_bytes: bool = False) -> Iterator[Report]:
    """Yield a function to call with (description, done, total); a total of 0 is unknown."""
    if not sys.stderr.isatty():
        yield _line_reporter()
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn

    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn() if counts_bytes else TextColumn("{task.fields[amount]}", justify="right"),
        TextColumn("{task.fields[speed]}", justify="right"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
        console=Console(stderr=True),
        transient=True,
        speed_estimate_period=_SPEED_WINDOW,
        get_time=time.monotonic,
    ) as bar:

        def report(description: str, done: int, total: int) -> None:
            task = _updated(bar, description, done, total)
            is_over = done == total == 1  # a single finished step is of no interest
            texts = {"amount": _amount(done, total), "speed": _speed(task), "left": _left(task)}
            bar.update(task.id, visible=not is_over, **texts)  # type: ignore[arg-type]

        yield report


def _line_reporter() -> Report:
    """Write a line every half minute."""
    from rich.progress import Progress

    # Rich estimates speed and time left, but displays nothing.
    estimates = Progress(disable=True, speed_estimate_period=_SPEED_WINDOW, get_time=time.monotonic)
    last = time.monotonic()

    def report(description: str, done: int, total: int) -> None:
        nonlocal last
        task = _updated(estimates, description, done, total)
        if time.monotonic() - last >= _QUIET_SECONDS:
            last = time.monotonic()
            amount = f"{done:,} of {total:,}" if total else f"{done:,}"
            parts = [text for text in (amount, _speed(task), _left(task)) if text]
            sys.stderr.write(f"{description}: {', '.join(parts)}\n")
            sys.stderr.flush()

    return report


def _updated(bar: "Progress", description: str, done: int, total: int) -> "Task":
    """Record the progress of one kind of work; a new description starts a new task."""
    known = (total if done or total > 1 else 0) or None  # a single step has no fraction done
    tasks = {task.description: task for task in bar.tasks}
    if description not in tasks:
        # Rich estimates from the second advance on. Starting one step below makes the first
        # report an advance, so that work done before (a checkpoint) does not count as speed.
        fields = {"amount": "", "speed": "", "left": ""}
        number = bar.add_task(description, total=known, completed=done - 1, **fields)  # type: ignore[arg-type]
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
    return f"{timedelta(seconds=round(task.remaining / task.speed))} left"


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
