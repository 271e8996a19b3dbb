"""A bar on the terminal's error stream; a line now and then where there is no terminal."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from lexiscope.core.progress import Progress as Tell  # rich has a Progress too

_QUIET_SECONDS = 30.0


@contextmanager
def progress(counts_bytes: bool = False) -> Iterator[Tell]:
    """Something to call with (what, how much is done, of how much; 0 where no one knows)."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    amount = DownloadColumn() if counts_bytes else MofNCompleteColumn()
    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        amount,
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        tasks: dict[str, int] = {}

        def tell(what: str, done: int, of: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=of or None)
            bar.update(tasks[what], completed=done, total=of or None)  # type: ignore[arg-type]

        yield tell


def _lines() -> Tell:
    last = time.monotonic()

    def tell(what: str, done: int, of: int) -> None:
        nonlocal last
        if time.monotonic() - last >= _QUIET_SECONDS:
            last = time.monotonic()
            sys.stderr.write(f"{what}: {done:,} of {of:,}\n" if of else f"{what}: {done:,}\n")
            sys.stderr.flush()

    return tell
