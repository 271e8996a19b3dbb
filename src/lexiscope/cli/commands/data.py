"""List, download and verify datasets."""

from typing import Any

import click

from lexiscope.cli import options
from lexiscope.cli.paragraphs import print_paragraph
from lexiscope.cli.subcommands import Subcommands


@click.group(cls=Subcommands)
def command() -> None:
    """Datasets, vectors, corpora and lexicons of the catalogue."""


@command.command("list")
@options.language
@options.data_dir
@options.as_json
def list_entries(language: str | None, data_dir: str | None, as_json: bool) -> None:
    """List the catalogue by kind: sizes, titles, and what is downloaded."""
    from lexiscope.cli.json_output import print_json
    from lexiscope.data.catalogue import catalogue, suites
    from lexiscope.data.languages import entries_in
    from lexiscope.data.local_data import LocalData

    local_data = LocalData(data_dir)
    entries = entries_in(language) if language else catalogue().values()
    rows = [_row(entry, local_data) for entry in entries]
    if as_json:
        print_json(rows)
        return
    _print_rows(rows)
    names = ", ".join(sorted(suites()))
    click.echo("* downloaded. Licence and citation: lexiscope data show NAME")
    print_paragraph(f"Suites, for lexiscope data get and --dataset: {names}.", indent=2)


def _print_rows(rows: list[dict[str, Any]]) -> None:
    longest = max(len(row["name"]) for row in rows)
    click.echo(f"  {'name':<{longest}}  {'rows':>9}  {'download':>9}  title")
    for kind in dict.fromkeys(row["kind"] for row in rows):
        click.secho(kind, bold=True)
        for row in rows:
            if row["kind"] == kind:
                mark = "*" if row["downloaded"] else " "
                head = f"{mark} {row['name']:<{longest}}  {row['rows']:>9,}  "
                print_paragraph(row["title"], f"{head}{_size(row['download']):>9}  ")


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


@command.command("show")
@click.argument("name")
@options.data_dir
@options.as_json
def show(name: str, data_dir: str | None, as_json: bool) -> None:
    """Show an entry of the catalogue: licence, citation, sources and notes."""
    from lexiscope.cli.json_output import print_json
    from lexiscope.core.errors import UnknownName
    from lexiscope.data.catalogue import catalogue
    from lexiscope.data.local_data import LocalData

    if name not in catalogue():
        raise UnknownName("dataset", name, catalogue())
    row = _row(catalogue()[name], LocalData(data_dir))
    if as_json:
        print_json(row)
        return
    for key, text in _details(row):
        print_paragraph(text, f"{key + ':':<10} ")
    click.echo(row["citation"])


def _details(row: dict[str, Any]) -> list[tuple[str, str]]:
    """The fields of an entry as text, without empty ones."""
    found = [
        ("name", row["name"]),
        ("title", row["title"]),
        ("kind", f"{row['kind']}, {row['rows']:,} rows, language {row['language']}"),
        ("suites", ", ".join(row["suites"])),
        ("licence", row["licence"]),
        ("download", f"{_size(row['download'])}{', downloaded' * row['downloaded']}"),
        *(("source", source) for source in row["sources"]),
        ("note", row["note"]),
    ]
    return [(key, text) for key, text in found if text]


@command.command("get")
@click.argument("names", nargs=-1)
@options.language
@options.data_dir
@options.as_json
def get(names: tuple[str, ...], language: str | None, data_dir: str | None, as_json: bool) -> None:
    """Download NAMES (entries or suites), or all of a language, and verify every checksum."""
    from lexiscope.cli.json_output import print_json
    from lexiscope.cli.progress import progress_bar
    from lexiscope.core.errors import BadUsage
    from lexiscope.data.catalogue import chosen
    from lexiscope.data.download import fetch
    from lexiscope.data.languages import entries_in
    from lexiscope.data.local_data import LocalData
    from lexiscope.data.vectors.catalogue_vectors import vectors_path

    if not names and not language:
        raise BadUsage("Name entries or suites to download, or a language with --language.")
    local_data = LocalData(data_dir)
    rows = []
    wanted = chosen(names) if names else []
    for entry in [*wanted, *(entries_in(language) if language else [])]:
        with progress_bar(counts_bytes=True) as progress:
            paths = fetch(local_data, entry, progress)
            if entry.kind == "vectors":
                progress("Converting to the memory-mapped format", 0, 1)
                paths = [vectors_path(local_data, entry.name, verify=True)]
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
