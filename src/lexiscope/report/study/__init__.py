"""The report on a human study: HTML page, terminal and exports."""

from pathlib import Path
from typing import Any

from lexiscope.core.display import shown
from lexiscope.human.scoring.results import StudyResults
from lexiscope.report.console import console, view
from lexiscope.report.study import sections, tables
from lexiscope.report.study.exports import csv, latex, markdown, table_files
from lexiscope.report.study.overview import proxy_lines
from lexiscope.report.study.verdict import quality_sentences, verdict_sentences

__all__ = ["csv", "figures", "latex", "markdown", "page", "show", "table_files", "terminal"]


def page(results: StudyResults) -> str:
    """Return the report as one HTML page that needs no network."""
    from lexiscope import __version__
    from lexiscope.report.page import Heading, rendered

    version = results.manifest.get("versions", {}).get("lexiscope", __version__)
    title = f"Lexiscope: {shown(str(results.manifest.get('title', 'study')))}"
    heading = Heading(title, sections.question(results), sections.lead(results), version)
    return rendered(heading, sections.sections(results))


def figures(results: StudyResults, folder: str | Path, ending: str) -> list[Path]:
    """Write all figures of the page to a folder, as ".svg" or ".png" files."""
    from lexiscope.report.exports.figures import write_figures

    return write_figures(sections.sections(results), folder, ending)


def show(results: StudyResults) -> None:
    """Print scores, agreement and the verdict."""
    out = console()
    for part in terminal(results):
        out.print(part)


def terminal(results: StudyResults) -> list[Any]:
    """Return what a terminal of 80 columns shows, as renderables of rich; the verdict is last."""
    from rich.text import Text

    table = tables.short_table(results)
    proxies = ["", *proxy_lines(results.proxies), ""] if results.proxies else []
    lines = [
        *quality_sentences(results), *results.cautions, *proxies, *verdict_sentences(results),
    ]  # fmt: skip
    return [view(table, min(table.numeric)), *(Text(line) for line in lines)]
