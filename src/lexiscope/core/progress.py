"""Progress of long computations."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]  # a description, how much is done, and the total


def silent(what: str, done: int, of: int) -> None:
    """Report no progress."""
