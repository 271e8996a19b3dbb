"""The catalogue on the command line."""

import json
from typing import Any

import click

from lexiscope.cli import options


@click.group()
def command() -> None:
    """Data sets and vectors that have a name: list, get, where, verify."""


@command.command("list")
@options.data_dir
@options.as_json
def list_entries(data_dir: str | None, as_json: bool) -> None:
    """What there is, how large, under which licence, and whether it is at hand."""
    from lexiscope.data.catalogue import catalogue
    from lexiscope.data.library import Library

    library = Library(data_dir)
    rows = [_row(entry, library) for entry in catalogue().values()]
    if as_json:
        click.echo(json.dumps(rows, indent=2))
        return
    import sys

    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("name", "kind", "rows", "download", "at hand", "licence of the data"):
        table.add_column(name, justify="right" if name in ("rows", "download") else "left")
    for row in rows:
        table.add_row(
            row["name"], row["kind"], f"{row['rows']:,}", _size(row["download"]),
            "yes" if row["at_hand"] else "", row["licence"],
        )  # fmt: skip
    Console(width=None if sys.stdout.isatty() else 140).print(table)
    suites = sorted({suite for entry in catalogue().values() for suite in entry.suites})
    click.echo(f"Get one with: lexiscope data get NAME... (or a suite: {', '.join(suites)})")


def _row(entry: Any, library: Any) -> dict[str, Any]:
    first = entry.sources[0]
    return {
        "name": entry.name,
        "title": entry.title,
        "kind": entry.kind,
        "rows": entry.rows,
        "language": entry.language,
        "licence": entry.licence,
        "download": first.size or sum(file.size for file in first.files),
        "at_hand": library.has(entry),
        "suites": list(entry.suites),
        "sources": [str(origin) for origin in entry.sources],
        "note": " ".join(entry.note.split()),
        "citation": entry.citation.strip(),
    }


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{size / 1e3:.0f} kB"


@command.command("get")
@click.argument("names", nargs=-1, required=True)
@options.data_dir
def get(names: tuple[str, ...], data_dir: str | None) -> None:
    """Fetch NAMES (data sets or suites) and check every checksum."""
    from lexiscope.cli.progress import progress
    from lexiscope.data.catalogue import chosen
    from lexiscope.data.fetching import fetch
    from lexiscope.data.library import Library

    library = Library(data_dir)
    for entry in chosen(names):
        with progress(counts_bytes=True) as tell:
            paths = fetch(library, entry, tell)
            if entry.kind == "vectors":
                tell("Preparing for instant opening", 0, 1)
                paths = [library.vectors(entry.name)]
        click.echo(f"{entry.name}: {paths[0] if len(paths) == 1 else paths[0].parent}")


@command.command("where")
@click.argument("name")
@options.data_dir
def where(name: str, data_dir: str | None) -> None:
    """Print the files of NAME."""
    from lexiscope.core.errors import UnknownName
    from lexiscope.data.catalogue import catalogue
    from lexiscope.data.library import Library

    if name not in catalogue():
        raise UnknownName("data set", name, catalogue())
    for path in Library(data_dir).files(name):
        click.echo(path)


@command.command("verify")
@click.argument("names", nargs=-1)
def verify(names: tuple[str, ...]) -> int:
    """Check the checksums of everything in the cache, or of NAMES."""
    from lexiscope.data.catalogue import catalogue, chosen
    from lexiscope.data.library import Library

    library, bad, seen = Library(), 0, 0
    for entry in chosen(names) if names else catalogue().values():
        states = library.verify(entry)
        if names and not states:
            bad += 1
            click.echo(f"not at hand  {entry.name}")
        for state in states:
            seen += 1
            bad += not state.good
            click.echo(f"{'good' if state.good else 'BAD '}  {entry.name}  {state.path}")
    if bad:
        click.echo("Remove what is bad and get it again: lexiscope data get NAME", err=True)
    elif not seen:
        click.echo("Nothing in the cache yet.", err=True)
    return 3 if bad else 0
