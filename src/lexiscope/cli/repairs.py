"""Reports what was left out while loading, on standard error."""

import click

from lexiscope.core.display import shown


def report_repairs(name: str, repairs: list[str], what: str = "repairs while loading") -> None:
    """Print the first repairs of an embedding, and their number."""
    click.echo(f"{shown(name)}: {len(repairs):,} {what}:", err=True)
    for sentence in repairs[:5]:
        click.echo(f"  {shown(sentence, 300)}", err=True)
    if len(repairs) > 5:
        click.echo(f"  and {len(repairs) - 5:,} more, all in the report and the JSON.", err=True)
