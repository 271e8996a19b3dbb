"""The console that every command prints tables on, and the tables."""

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from lexiscope.report.layout import Table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as View

_WIDTH = 120  # characters, where the output is not a terminal


def console(width: int = _WIDTH) -> "Console":
    """A console as wide as the terminal; `width` characters wide for a file or a pipe."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else width)


def print_lines(target: "Console", lines: Iterable[str]) -> None:
    """Print sentences as text: nothing in them is markup."""
    from rich.text import Text

    target.print(*[Text(line) for line in lines], sep="\n")


def view(table: Table, left: int) -> "View":
    """A table for a terminal; the first `left` columns are aligned to the left."""
    from rich import box
    from rich.table import Table as View
    from rich.text import Text

    view = View(box=box.SIMPLE_HEAD, pad_edge=False)
    for index, name in enumerate(table.head):
        view.add_column(name, justify="left" if index < left else "right", overflow="fold")
    for row in table.rows:
        view.add_row(*map(Text, row))
    return view
