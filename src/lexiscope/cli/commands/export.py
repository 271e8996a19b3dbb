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
    help="File; for svg and png a folder, also for csv if PATH has no extension. Default: standard "
    "output, except for svg and png.",
)
@click.option("--compact", is_flag=True, help="For latex: fits the text width, scores only.")
@options.as_json
def command(
    store: str, run_id: str | None, kind: str, output: str | None, compact: bool, as_json: bool
) -> None:
    """Export a stored run as tables or figures for papers, spreadsheets and programs."""
    from lexiscope.cli.commands._stored_runs import results_of
    from lexiscope.cli.json_output import print_json

    target = None if output == "-" else output
    _check(kind, target, compact, as_json)
    results = results_of(store, run_id)
    if target is None:
        click.echo(_as_text(results, kind, compact), nl=False)
        return
    paths = _written(results, kind, target, compact)
    for path in paths:
        click.echo(f"Written: {path}", err=True)
    if as_json:
        print_json({"files": [str(path) for path in paths]})


def _check(kind: str, target: str | None, compact: bool, as_json: bool) -> None:
    from lexiscope.core.errors import BadUsage

    if compact and kind != "latex":
        raise BadUsage("--compact is for --format latex only.")
    if target is None and kind in ("svg", "png"):
        raise BadUsage(f"--format {kind} writes several files. Name a folder with -o FOLDER.")
    if target is None and as_json:
        raise BadUsage("--json lists the written files. Name a file with -o, or leave --json out.")


def _as_text(results: "Results", kind: str, compact: bool) -> str:
    from lexiscope.cli.json_output import json_text
    from lexiscope.report import exports

    if kind == "json":
        return f"{json_text(results.to_dict())}\n"
    make = {"csv": exports.scores_csv, "md": exports.to_markdown, "latex": exports.to_latex}
    return (exports.to_compact_latex if compact else make[kind])(results)


def _written(results: "Results", kind: str, output: str, compact: bool) -> "list[Path]":
    from pathlib import Path

    from lexiscope.report import exports

    folders = {"csv": exports.to_csv, "svg": exports.to_svg, "png": exports.to_png}
    if kind in folders:
        return folders[kind](results, output)
    return [_text(Path(output), _as_text(results, kind, compact))]


def _text(path: "Path", text: str) -> "Path":
    from lexiscope.data.atomic_write import replacing

    with replacing(path) as file:
        file.write(text.encode("utf-8"))
    return path
