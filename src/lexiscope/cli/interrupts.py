"""Ctrl-C: the first one ends a command in order, the second one ends it at once."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

INTERRUPTED = 130
_SHOW_CURSOR = "\x1b[?25h"  # a progress bar may have hidden it
_ENDED = "lexiscope: Ended at once. What was stored before is safe.\n"


@contextmanager
def interruptible() -> Iterator[None]:
    """Handle interrupts of a command; after an interrupt, until the process has ended.

    A second Ctrl-C must work while the first one waits for a worker, also in the code that Python
    runs on exit.
    """
    ours = threading.current_thread() is threading.main_thread() and (
        signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if ours:
        signal.signal(signal.SIGINT, _first)
    try:
        yield
    finally:
        if ours and signal.getsignal(signal.SIGINT) is _first:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _first(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, _second)
    raise KeyboardInterrupt


def _second(number: int, frame: FrameType | None) -> None:
    """End this process and its workers. SQLite undoes an unfinished write when it is next read."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if "multiprocessing" in sys.modules:
        from multiprocessing import active_children

        for worker in active_children():
            with suppress(OSError):
                worker.kill()
    with suppress(OSError):
        os.write(2, (_SHOW_CURSOR * sys.stderr.isatty() + _ENDED).encode())
    os._exit(INTERRUPTED)
