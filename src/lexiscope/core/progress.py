"""Telling how far long work has come."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]  # what is being done, how much is done, of how much


def silent(what: str, done: int, of: int) -> None:
    """No one is watching."""
