"""Errors that a user can fix. The command line prints the message and exits with the code."""

from collections.abc import Iterable
from difflib import get_close_matches


class LexiscopeError(Exception):
    """An error that a user can fix; `exit_code` is the exit code of the command line.

    Examples
    --------
    >>> import lexiscope
    >>> try:
    ...     lexiscope.load({"cat": [1, 2], "dog": [1, 2, 3]})
    ... except lexiscope.LexiscopeError as error:
    ...     print(error.exit_code)
    3
    """

    exit_code = 1


class BadUsage(LexiscopeError):  # noqa: N818 - reads better without "Error"
    """The arguments of a command or a function are wrong."""

    exit_code = 2


class BadData(LexiscopeError):  # noqa: N818
    """A file, or an object given as data, is invalid."""

    exit_code = 3


class UnsafeFormat(BadData):
    """A file that could run code when it is opened."""


class TooLarge(BadData):
    """A file that needs more memory or disk space than is allowed."""


class NotDownloaded(BadData):
    """A catalogue entry that is not downloaded."""


class MissingExtra(LexiscopeError):  # noqa: N818
    """An optional dependency that is not installed."""

    exit_code = 4

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f'{what} needs an optional dependency: pip install "lexiscope[{extra}]"')


class UnknownName(BadUsage):
    """An unknown name; the message suggests the most similar one, or those in `meant`."""

    def __init__(
        self, kind: str, name: str, known: Iterable[str], meant: Iterable[str] = ()
    ) -> None:
        known = sorted(known)
        near = list(meant) or get_close_matches(name, known, n=1)
        quoted = " or ".join(f"'{each}'" for each in near)
        suggestion = f" Did you mean {quoted}?" if near else ""
        listing = ", ".join(known) if known else "none"
        super().__init__(f"No {kind} named '{name}'.{suggestion} Available: {listing}.")


class Undefined(LexiscopeError):  # noqa: N818
    """A statistic that is undefined for these items, such as for constant input, and why."""
