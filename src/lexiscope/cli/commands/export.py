"""Write a run for other programs: tables, figures, one JSON document."""

from typing import TYPE_CHECKING

import click

from lexiscope.cli import options

if TYPE_CHECKING:
    from pathlib import Path

    from lexiscope.bench.results import Results


@click.command()
@options.store
@options.run_id
@click.option(
    "--format",
    "kind",
    type=click.Choice(["csv", "md", "latex", "svg", "png", "json"]),
    required=True,
    help="What to write.",
)
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    required=True,
    help="A file; a folder for svg and png, and for csv where PATH has no ending.",
)
def command(store: str, run_id: str | None, kind: str, output: str) -> None:
    """Write the scores of a stored run as tables or figures for papers and spreadsheets."""
    from lexiscope.cli.commands._stored import results_of

    for path in _written(results_of(store, run_id), kind, output):
        click.echo(f"Written: {path}", err=True)


def _written(results: "Results", kind: str, output: str) -> "list[Path]":
    from pathlib import Path

    from lexiscope.report import exports

    folders = {"csv": exports.to_csv, "svg": exports.to_svg, "png": exports.to_png}
    if kind in folders:
        return folders[kind](results, output)
    if kind == "json":
        return [_text(Path(output), f"{results.to_json()}\n")]
    make = exports.to_markdown if kind == "md" else exports.to_latex
    return [_text(Path(output), make(results))]


def _text(path: "Path", text: str) -> "Path":
    from lexiscope.data.files import replacing

    with replacing(path) as file:
        file.write(text.encode("utf-8"))
    return path
