"""Tables for a terminal and in Markdown."""

from typing import TYPE_CHECKING

from lexiscope.report.layout import Table

if TYPE_CHECKING:
    from rich.table import Table as View


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


def markdown(table: Table) -> str:
    """A table in Markdown, with its cells escaped."""
    rule = ["---:" if index in table.numeric else "---" for index in range(len(table.head))]
    rows = [list(map(safe, row)) for row in (table.head, *table.rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], rule, *rows[1:]))


def safe(text: str) -> str:
    """Text with Markdown syntax escaped."""
    from lexiscope.report.exports.markdown import escaped

    # Round brackets make a link only behind square ones, which are escaped.
    return escaped(text).replace("\\(", "(").replace("\\)", ")")
