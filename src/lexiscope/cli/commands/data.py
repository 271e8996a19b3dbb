"""List, download and verify datasets."""

from typing import Any

import click

from lexiscope.cli import options


@click.group()
def command() -> None:
    """Datasets, vectors, corpora and lexicons of the catalogue."""


@command.command("list")
@options.data_dir
@options.as_json
def list_entries(data_dir: str | None, as_json: bool) -> None:
    """List the catalogue: sizes, licences, and what is downloaded."""
    from lexiscope.cli.json_output import print_json
    from lexiscope.data.catalogue import catalogue
    from lexiscope.data.local_data import LocalData

    local_data = LocalData(data_dir)
    rows = [_row(entry, local_data) for entry in catalogue().values()]
    if as_json:
        print_json(rows)
        return
    from rich import box
    from rich.table import Table

    from lexiscope.report.console import console

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("name", "kind", "rows", "download", "downloaded", "licence of the data"):
        table.add_column(name, justify="right" if name in ("rows", "download") else "left")
    for row in rows:
        table.add_row(
            row["name"], row["kind"], f"{row['rows']:,}", _size(row["download"]),
            "yes" if row["downloaded"] else "", row["licence"],
        )  # fmt: skip
    console(width=140).print(table)
    suites = sorted({suite for entry in catalogue().values() for suite in entry.suites})
    click.echo(f"Get one with: lexiscope data get NAME... (or a suite: {', '.join(suites)})")


def _row(entry: Any, local_data: Any) -> dict[str, Any]:
    first = entry.sources[0]
    return {
        "name": entry.name,
        "title": entry.title,
        "kind": entry.kind,
        "rows": entry.rows,
        "language": entry.language,
        "licence": entry.licence,
        "download": first.size or sum(file.size for file in first.files),
        "downloaded": local_data.is_available(entry),
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
@options.as_json
def get(names: tuple[str, ...], data_dir: str | None, as_json: bool) -> None:
    """Download NAMES (entries or suites) and verify every checksum."""
    from lexiscope.cli.json_output import print_json
    from lexiscope.cli.progress import progress_bar
    from lexiscope.data.catalogue import chosen
    from lexiscope.data.download import fetch
    from lexiscope.data.local_data import LocalData
    from lexiscope.data.vectors.catalogue_vectors import vectors_path

    local_data = LocalData(data_dir)
    rows = []
    for entry in chosen(names):
        with progress_bar(counts_bytes=True) as progress:
            paths = fetch(local_data, entry, progress)
            if entry.kind == "vectors":
                progress("Converting to the memory-mapped format", 0, 1)
                paths = [vectors_path(local_data, entry.name)]
        rows.append({"name": entry.name, "files": list(map(str, paths))})
        where = paths[0] if len(paths) == 1 else paths[0].parent
        click.echo(f"{entry.name}: {where}", err=as_json)
    if as_json:
        print_json(rows)


@command.command("where")
@click.argument("name")
@options.data_dir
@options.as_json
def where(name: str, data_dir: str | None, as_json: bool) -> None:
    """Print the paths of the files of NAME."""
    from lexiscope.cli.json_output import print_json
    from lexiscope.core.errors import UnknownName
    from lexiscope.data.catalogue import catalogue
    from lexiscope.data.local_data import LocalData

    if name not in catalogue():
        raise UnknownName("dataset", name, catalogue())
    paths = list(map(str, LocalData(data_dir).paths(name)))
    if as_json:
        print_json({"name": name, "files": paths})
    else:
        click.echo("\n".join(paths))


@command.command("verify")
@click.argument("names", nargs=-1)
@options.as_json
def verify(names: tuple[str, ...], as_json: bool) -> int:
    """Verify the checksums of all cached files, or of those of NAMES."""
    from lexiscope.cli.json_output import print_json
    from lexiscope.data.catalogue import catalogue, chosen
    from lexiscope.data.local_data import LocalData

    local_data = LocalData()
    files: list[dict[str, Any]] = []
    absent: list[str] = []
    for entry in chosen(names) if names else catalogue().values():
        checks = local_data.verify(entry)
        if names and not checks:
            absent.append(entry.name)
        files += [
            {"name": entry.name, "path": str(check.path), "valid": check.valid} for check in checks
        ]
    if as_json:
        print_json({"files": files, "not_downloaded": absent})
    else:
        for file in files:
            state = "valid" if file["valid"] else "INVALID"
            click.echo(f"{state}  {file['name']}  {file['path']}")
        for name in absent:
            click.echo(f"not downloaded  {name}")
    invalid = not all(file["valid"] for file in files)
    if invalid:
        click.echo(
            "Delete the invalid files and download them again: lexiscope data get NAME", err=True
        )
    elif absent:
        click.echo("Download missing data with: lexiscope data get NAME", err=True)
    elif not files:
        click.echo("The cache is empty.", err=True)
    return 3 if invalid or absent else 0
