"""Export a stored run as CSV, Markdown, LaTeX, figures or JSON."""

from typing import TYPE_CHECKING

import click

from lexiscope.cli import options

if TYPE_CHECKING:
    from pathlib import Path

    from lexiscope.evaluation.results import Results


@click.command()
@options.store
@options.run_id
@click.option(
    "--format",
    "kind",
    type=click.Choice(["csv", "md", "latex", "svg", "png", "json"]),
    required=True,
    help="Format of the output.",
)
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    required=True,
    help="File; for svg and png a folder, also for csv if PATH has no extension.",
)
@options.as_json
def command(store: str, run_id: str | None, kind: str, output: str, as_json: bool) -> None:
    """Export a stored run as tables or figures for papers, spreadsheets and programs."""
    from lexiscope.cli.commands._stored_runs import results_of
    from lexiscope.cli.json_output import print_json
    from lexiscope.core.errors import BadUsage

    if output == "-":
        raise BadUsage("-o names a file; an export cannot be written to standard output.")
    paths = _written(results_of(store, run_id), kind, output)
    for path in paths:
        click.echo(f"Written: {path}", err=True)
    if as_json:
        print_json({"files": [str(path) for path in paths]})


def _written(results: "Results", kind: str, output: str) -> "list[Path]":
    from pathlib import Path

    from lexiscope.cli.json_output import json_text
    from lexiscope.report import exports

    folders = {"csv": exports.to_csv, "svg": exports.to_svg, "png": exports.to_png}
    if kind in folders:
        return folders[kind](results, output)
    if kind == "json":
        return [_text(Path(output), f"{json_text(results.to_dict())}\n")]
    make = exports.to_markdown if kind == "md" else exports.to_latex
    return [_text(Path(output), make(results))]


def _text(path: "Path", text: str) -> "Path":
    from lexiscope.data.atomic_write import replacing

    with replacing(path) as file:
        file.write(text.encode("utf-8"))
    return path
