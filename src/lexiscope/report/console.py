"""The console that every command prints tables on."""

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

_WIDTH = 120  # characters, where the output is not a terminal


def console(width: int = _WIDTH) -> "Console":
    """A console as wide as the terminal; `width` characters wide for a file or a pipe."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else width)


def print_lines(target: "Console", lines: Iterable[str]) -> None:
    """Print sentences as text: nothing in them is markup."""
    from rich.text import Text

    target.print(*[Text(line) for line in lines], sep="\n")
