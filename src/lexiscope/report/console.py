"""The console that every command prints tables on, and the tables."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lexiscope.report.layout import Table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as View

_WIDTH = 120  # characters, where the output is not a terminal
_GAP = 2  # characters between two columns
_LEAST = 5  # characters of a column
_NAMES = 0.5  # of the width, at most, for the columns of names


def console(width: int = _WIDTH) -> "Console":
    """A console as wide as the terminal, or as COLUMNS; else `width` characters for a pipe."""
    from rich.console import Console

    is_known = sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit()
    return Console(width=None if is_known else width)


def print_lines(target: "Console", lines: Iterable[str]) -> None:
    """Print sentences as text: nothing in them is markup."""
    from rich.text import Text

    found = [Text(line) for line in lines]
    if found:
        target.print(*found, sep="\n")


def print_verdict(target: "Console", sentences: Sequence[str]) -> None:
    """Print a verdict after an empty line, with its first sentence in bold."""
    from rich.text import Text

    first, *rest = sentences
    target.print("", Text(first, style="bold"), *map(Text, rest), sep="\n")


def view(table: Table, left: int) -> "FittingTable":
    """A table for a terminal; the first `left` columns are names, aligned to the left."""
    return FittingTable(table, left)


class FittingTable:
    """A table that is never wider than the terminal.

    Columns that do not fit next to each other follow in further tables, each with the names. Texts
    are folded between words.
    """

    def __init__(self, table: Table, left: int) -> None:
        self.table, self.left = table, left
        columns = list(zip(*table.rows, strict=True)) or [()] * len(table.head)
        heads = [name.split() or [""] for name in table.head]
        self.widths = [
            max(map(len, (*cells, *words))) for cells, words in zip(columns, heads, strict=True)
        ]
        self.words = [
            max(len(word) for text in (*cells, *words) for word in (text.split() or [""]))
            for cells, words in zip(columns, heads, strict=True)
        ]

    def __rich_console__(self, console: Any, options: Any) -> "Iterator[View]":
        room = options.max_width - _GAP  # for the edges
        for columns in self._blocks(room):
            yield self._view(columns, self._fitted(columns, room))

    def _blocks(self, width: int) -> list[list[int]]:
        """The columns of each table."""
        names = list(range(min(self.left, len(self.widths))))
        taken = sum(self.widths[column] + _GAP for column in names)
        least = sum(self.words[column] + _GAP for column in names)
        room = width - max(least, min(taken, int(_NAMES * width)))
        blocks: list[list[int]] = []
        left = 0
        for column in range(len(names), len(self.widths)):
            if not blocks or self.widths[column] > left:
                blocks.append([])
                left = room
            blocks[-1].append(column)
            left -= self.widths[column] + _GAP
        return [names + block for block in blocks] or [names]

    def _fitted(self, columns: Sequence[int], room: int) -> list[int]:
        """The width of each column: texts become narrower, down to their longest word."""
        widths = [self.widths[column] for column in columns]
        least = [self.words[column] for column in columns]
        return shrunk(widths, least, room - _GAP * (len(columns) - 1))

    def _view(self, columns: Sequence[int], widths: Sequence[int]) -> "View":
        from rich import box
        from rich.table import Table as View
        from rich.text import Text

        view = View(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
        numeric = self.table.numeric or range(self.left, len(self.table.head))
        for column, width in zip(columns, widths, strict=True):
            right = column >= self.left and column in numeric
            name, justify = self.table.head[column], "right" if right else "left"
            view.add_column(name, justify=justify, width=width, overflow="fold")  # type: ignore[arg-type]
        for row in self.table.rows:
            view.add_row(*(Text(row[column]) for column in columns))
        return view


def shrunk(widths: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Make the widest columns narrower until all fit; below `least` only if nothing else fits."""
    found = list(widths)
    while sum(found) > max(room, len(found)):
        wide = [k for k, width in enumerate(found) if width > least[k]] or range(len(found))
        found[max(wide, key=lambda k: found[k])] -= 1
    return found


Row = tuple[Sequence[Any], str]  # cells, as str or as Text of rich, and their style


class GroupedTable:
    """Rows in groups with headings as wide as the terminal, and columns of one width.

    Long names and other texts are folded if the terminal is narrow; `right` columns have numbers.
    """

    def __init__(
        self,
        head: Sequence[str],
        groups: Sequence[tuple[str, Sequence[Row]]],
        right: Iterable[int] = (),
    ) -> None:
        self.head, self.groups, self.right = head, groups, set(right)

    def __rich_console__(self, console: Any, options: Any) -> Iterator[Any]:
        from rich.text import Text

        widths = self._widths(options.max_width)
        yield self._view(widths, (), has_head=True)
        yield Text("─" * (sum(widths) + _GAP * (len(widths) - 1)))
        for heading, rows in self.groups:
            if heading:
                yield Text(heading, style="dim")
            yield self._view(widths, rows)

    def _widths(self, most: int) -> list[int]:
        rows = [self.head, *(cells for _, rows in self.groups for cells, _ in rows)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(self.head))]
        least = [
            max(_LEAST, *(len(word) for row in rows for word in str(row[column]).split()))
            for column in range(len(self.head))
        ]
        return shrunk(widths, least, most - _GAP * (len(widths) - 1))

    def _view(self, widths: Sequence[int], rows: Sequence[Row], has_head: bool = False) -> "View":
        from rich.table import Table as View

        view = View(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), show_header=has_head)
        for index, (name, width) in enumerate(zip(self.head, widths, strict=True)):
            justify = "right" if index in self.right else "left"
            view.add_column(name, justify=justify, width=width, overflow="fold")  # type: ignore[arg-type]
        for cells, style in rows:
            view.add_row(*(_indented(c, style) if isinstance(c, str) else c for c in cells))
        return view


def _indented(text: str, style: str) -> Any:
    """A text whose lines are all indented like the first, also those that are folded."""
    from rich.padding import Padding
    from rich.text import Text

    bare = text.lstrip(" ")
    line = Text(bare, style=style)
    return Padding(line, (0, 0, 0, len(text) - len(bare))) if bare != text else line
