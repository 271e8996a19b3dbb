"""Reports what was left out while loading, on standard error."""

from collections.abc import Sequence

import click

from lexiscope.cli.paragraphs import print_paragraph
from lexiscope.core.display import shown

_FIRST = 5


def report_repairs(
    name: str, repairs: Sequence[str], what: str = "repairs while loading", listed_in: str = ""
) -> None:
    """Print the first repairs of an embedding and their number, if there are any.

    `listed_in` says which output contains all of them.
    """
    if not repairs:
        return
    click.echo(f"{shown(name)}: {what} ({len(repairs):,}):", err=True)
    for sentence in repairs[:_FIRST]:
        print_paragraph(shown(sentence, 300), "  ", err=True)
    if len(repairs) > _FIRST:
        where = f", all in {listed_in}" if listed_in else ""
        click.echo(f"  and {len(repairs) - _FIRST:,} more{where}.", err=True)
