"""Options and output that commands with their own results have in common."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

FORMATS = ("csv", "latex", "markdown")
FIGURES = ("svg", "png")


def export_options(rows: str) -> Callable[[Any], Any]:
    """Add options for tables and figures; `rows` says what a row of the CSV file is."""
    what = {"csv": f"CSV: a row per {rows}", "latex": "LaTeX tables", "markdown": "Markdown tables"}

    def add(command: Any) -> Any:
        for name in FORMATS:
            command = click.option(
                f"--{name}",
                type=click.Path(dir_okay=False),
                metavar="FILE",
                help=f"Also write {what[name]}.",
            )(command)
        for name in FIGURES:
            command = click.option(
                f"--{name}",
                type=click.Path(file_okay=False),
                metavar="FOLDER",
                help=f"Also write the figures as {name.upper()} files.",
            )(command)
        return command

    return add


def model_setting(text: str) -> tuple[str, str]:
    """Parse MODEL.FIELD=VALUE."""
    from lexiscope.core.errors import BadUsage

    name, equals, value = text.partition("=")
    if not equals or "." not in name:
        raise BadUsage(f"--set takes MODEL.FIELD=VALUE, found '{text}'.")
    return name, value


def output(results: Any, report: Any, options: Mapping[str, Any]) -> None:
    """Write the files that are asked for, and print the results or one JSON document.

    `report` is a package with `csv`, `latex`, `markdown`, `figures`, `page` and `show`.
    """
    from lexiscope.cli.json_output import print_json

    for name in FORMATS:
        if options[name]:
            write_text(options[name], getattr(report, name)(results))
    for name in FIGURES:
        if options[name]:
            report.figures(results, options[name], f".{name}")
    if options["page"]:
        write_text(options["page"], report.page(results))
    if options["as_json"]:
        print_json(results.to_dict())
    else:
        report.show(results)
    if options["page"]:
        click.echo(f"Report: {options['page']}", err=True)


def write_text(path: str, text: str) -> None:
    """Write a file completely or not at all."""
    from lexiscope.data.atomic_write import replacing

    with replacing(Path(path)) as file:
        file.write(text.encode("utf-8", "replace"))
