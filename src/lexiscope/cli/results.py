"""Results on the terminal, as JSON, and as a page."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from lexiscope.evaluation.results import Results


def show_results(results: "Results", as_json: bool, page: str | None) -> None:
    """Print a table or one JSON document; with `page`, also write the report there."""
    from lexiscope.cli.repairs import report_repairs

    for entry in results.manifest["embeddings"]:
        if entry["repairs"]:
            report_repairs(entry["name"], entry["repairs"])
    if page:
        from lexiscope.report.page import write_report

        write_report(results, page)
    if as_json:
        click.echo(results.to_json())
        return
    from lexiscope.report.terminal import show

    show(results)
    if page:
        click.echo(f"Report: {page}", err=True)
