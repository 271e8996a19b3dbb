"""A bar on the terminal's error stream; a line now and then where there is no terminal."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import NamedTuple

from lexiscope.core.progress import Progress as Tell  # rich has a Progress too

_QUIET_SECONDS = 30.0
_UNITS = ((1e9, " G"), (1e6, " M"), (1e3, " k"))
_SLOW = 1000  # in a second: what goes slower is few and large, and its speed tells nothing


@contextmanager
def progress(counts_bytes: bool = False) -> Iterator[Tell]:
    """Something to call with (what, how much is done, of how much; 0 where no one knows)."""
    if not sys.stderr.isatty():
        yield _lines()
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
    ) as bar:
        tasks: dict[str, int] = {}
        paces = _Paces()

        def tell(what: str, done: int, of: int) -> None:
            speed, left = paces.of(what, done, of)
            texts = {"amount": _amount(done, of), "speed": speed, "left": left}
            total = (of if done or of > 1 else 0) or None  # of one piece no share is known
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total, amount="", speed="", left="")
            visible = not done == of == 1  # nor is it of interest any more
            bar.update(tasks[what], completed=done, total=total, visible=visible, **texts)  # type: ignore[arg-type]

        yield tell


def _lines() -> Tell:
    last, paces = time.monotonic(), _Paces()

    def tell(what: str, done: int, of: int) -> None:
        nonlocal last
        pace = [text for text in paces.of(what, done, of) if text]
        if time.monotonic() - last >= _QUIET_SECONDS:
            last = time.monotonic()
            amount = f"{done:,} of {of:,}" if of else f"{done:,}"
            sys.stderr.write(f"{what}: {', '.join([amount, *pace])}\n")
            sys.stderr.flush()

    return tell


class _Pace(NamedTuple):
    """How fast something goes, and how long it will take; "" where that is not known."""

    speed: str
    left: str


class _Paces:
    """The pace of each thing that is told, from when it was told first.

    What was done by then was not done now: a training may go on from a checkpoint.
    """

    def __init__(self) -> None:
        self._first: dict[str, tuple[float, int]] = {}

    def of(self, what: str, done: int, of: int) -> _Pace:
        """The pace of what has come so far."""
        now = time.monotonic()
        since, before = self._first.setdefault(what, (now, done))
        if now <= since or done <= before:
            return _Pace("", "")
        speed = (done - before) / (now - since)
        size, unit = _unit(speed)
        left = timedelta(seconds=round((of - done) / speed))
        return _Pace(
            f"{speed / size:.1f}{unit}/s" if speed >= _SLOW else "",
            f"{left} left" if done < of else "",
        )


def _amount(done: int, of: int) -> str:
    """How much of how much, short where both are long."""
    size, unit = _unit(of or done)
    if of == 1:
        return ""
    if of < 100_000:
        return f"{done:,}/{of:,}" if of else f"{done / size:.1f}{unit}"
    places = 2 if size == 1e9 else 1
    return f"{done / size:.{places}f}/{of / size:.{places}f}{unit}"


def _unit(number: float) -> tuple[float, str]:
    """What to divide a number by so that it gets short, and how that is written."""
    return next((unit for unit in _UNITS if number >= unit[0]), (1.0, ""))
