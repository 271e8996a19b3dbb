"""Results on the terminal, as JSON, and as a page; the exit code that follows from them."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexiscope.evaluation.results import Results
    from lexiscope.papers.reproduce import AnyResults as PaperResults
    from lexiscope.report.layout import Section

    AnyResults = Results | PaperResults


def show_results(
    results: "Results",
    as_json: bool,
    page: str | None = None,
    brief: bool = False,
    quiet: bool = False,
    more: "Sequence[Section]" = (),
) -> None:
    """Print a table or one JSON document; with `page`, also write the report there.

    `more` are further sections of the report. `brief` prints one grid and the verdict, `quiet`
    nothing but the JSON document.
    """
    from lexiscope.cli.json_output import print_json
    from lexiscope.cli.repairs import report_repairs

    for entry in results.manifest["embeddings"] if not quiet else ():
        report_repairs(entry["name"], entry["repairs"], listed_in="the report and the JSON")
    if page:
        from lexiscope.report.page import write_page

        write_page(results, Path(page), more)
    if as_json:
        print_json(results.to_dict())
    elif not quiet:
        from lexiscope.report.terminal import show, show_brief

        (show_brief if brief else show)(results)
    if page and not quiet:
        click.echo(f"Report: {page}", err=True)


def exit_code(results: "AnyResults") -> int:
    """0 if there is a score and nothing failed, else 1."""
    return 0 if _succeeded(results) else 1


def _succeeded(results: "AnyResults") -> bool:
    from lexiscope.evaluation.results import Results

    if isinstance(results, Results):
        return results.succeeded
    scored = any(score.value is not None for score in results.scores)
    return scored and not getattr(results, "failures", ())
