"""What a person can put right. The command line prints the sentence and ends with the code."""

from collections.abc import Iterable
from difflib import get_close_matches


class LexiscopeError(Exception):
    """Something a person can put right; `exit_code` is what the command line returns."""

    exit_code = 1


class BadUsage(LexiscopeError):  # noqa: N818 - the sentence reads better without "Error"
    """The command or the call asks for something that makes no sense."""

    exit_code = 2


class BadData(LexiscopeError):  # noqa: N818
    """A file, or an object given as data, is not what it should be."""

    exit_code = 3


class UnsafeFormat(BadData):
    """A file that could run code if it were opened."""


class TooLarge(BadData):
    """A file that asks for more memory or disk than it may have."""


class NotAtHand(BadData):
    """A data set or vector file that the catalogue knows but that was not fetched."""


class MissingExtra(LexiscopeError):  # noqa: N818
    """An optional dependency that is not installed."""

    exit_code = 4

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f'{what} needs an optional part: pip install "lexiscope[{extra}]"')


class UnknownName(BadUsage):
    """A name that nothing answers to; says which one was probably meant."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        known = sorted(known)
        near = get_close_matches(name, known, n=1)
        meant = f" Did you mean '{near[0]}'?" if near else ""
        shown = ", ".join(known) if known else "none"
        super().__init__(f"No {kind} named '{name}'.{meant} Known: {shown}.")


class Undefined(LexiscopeError):  # noqa: N818
    """A number that does not exist for these items, and why: constant input, too few items."""
