"""Notices on standard error: what a computation does that takes time or needs a network."""

import os
import sys


def notice(sentence: str) -> None:
    """Print a sentence on standard error; LEXISCOPE_QUIET=1 silences it."""
    if not is_quiet():
        print(sentence, file=sys.stderr, flush=True)


def is_quiet() -> bool:
    """Whether LEXISCOPE_QUIET silences progress and notices."""
    return os.environ.get("LEXISCOPE_QUIET", "") not in ("", "0")


class Announced:
    """Progress as a sentence for each tenth of some work, where there is no progress bar."""

    def __init__(self) -> None:
        self._tenths: dict[str, int] = {}

    def __call__(self, what: str, done: int, of: int) -> None:
        """Print how much is done, if that is another tenth."""
        tenth = 10 * done // of if of else 0
        if tenth > self._tenths.get(what, 0):
            self._tenths[what] = tenth
            notice(f"{what}: {10 * tenth} %")
